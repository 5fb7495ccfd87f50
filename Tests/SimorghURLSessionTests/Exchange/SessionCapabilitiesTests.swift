// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghURLSession
import Testing

@Suite("SessionCapabilities", .timeLimit(.minutes(5)))
struct SessionCapabilitiesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let list: String?
        let apple: SessionDecoding
        let linux: SessionDecoding
        var testDescription: String { list ?? "no coding" }
    }

    static let cases = [
        Case(list: nil, apple: .unchanged, linux: .unchanged),
        Case(list: "identity", apple: .unchanged, linux: .unchanged),
        Case(list: "gzip", apple: .decoded, linux: .decoded),
        Case(list: "GZIP", apple: .decoded, linux: .decoded),
        Case(list: "gzip, none", apple: .decoded, linux: .decoded),
        Case(list: "deflate", apple: .decoded, linux: .decoded),
        Case(list: "br", apple: .decoded, linux: .decoded),
        Case(list: "x-gzip", apple: .failed("x-gzip"), linux: .decoded),
        Case(list: "zstd", apple: .failed("zstd"), linux: .decoded),
        Case(list: "gzip, br", apple: .failed("gzip, br"), linux: .decoded),
        Case(list: "bird", apple: .failed("bird"), linux: .failed("bird")),
    ]

    @Test("Only codings that the session has decoded are forgotten; the others fail", arguments: cases)
    func codings(_ example: Case) {
        #expect(SessionCapabilities.apple.decoding(of: example.list, asksItself: false) == example.apple)
        #expect(SessionCapabilities.linux.decoding(of: example.list, asksItself: false) == example.linux)
    }

    @Test("A coding that the caller asked for is passed on if the session does not decode it")
    func asked() {
        #expect(SessionCapabilities.apple.decoding(of: "zstd", asksItself: true) == .unchanged)
        #expect(SessionCapabilities.apple.decoding(of: "gzip", asksItself: true) == .decoded)
    }

    @Test("A task is paused at 256 KiB and resumed at 64 KiB; one that cannot pause has the caller's limit")
    func marks() {
        let limit = URLSessionTransport.defaultMaximumBufferedBytes
        #expect(SessionCapabilities.apple.pauseMark(limit: limit) == 256 * 1024)
        #expect(SessionCapabilities.apple.resumeMark(pauseMark: 256 * 1024) == 64 * 1024)
        #expect(SessionCapabilities.apple.pauseMark(limit: 1000) == 1000)
        #expect(SessionCapabilities.apple.pauseMark(limit: -1) == 0)
        #expect(SessionCapabilities.linux.pauseMark(limit: limit) == limit)
    }

    @Test("A session that waits for the network ends silent tasks without a body, after the client's timeouts")
    func silence() {
        func timeout(
            _ capabilities: SessionCapabilities = .apple, body: RequestBody = .empty,
            change: (inout TransportOptions) -> Void = { _ in }
        ) -> Duration {
            var request = TransportRequest(
                head: HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/"), body: body)
            (request.options.timeouts.head, request.options.timeouts.idle) = (.seconds(5), .seconds(8))
            change(&request.options)
            return capabilities.silenceTimeout(of: request)
        }
        let week = Duration.seconds(7 * 86_400)
        #expect(timeout() == .seconds(9))
        #expect(timeout { $0.timeouts.head = .seconds(30) } == .seconds(31))
        #expect(timeout { $0.timeouts.head = .seconds(10_000_000) } == week)
        #expect(timeout { $0.timeouts.head = nil } == week)
        #expect(timeout { $0.timeouts.idle = nil } == week)
        #expect(timeout(.linux) == week)
        #expect(timeout(body: .text("x")) == week)
        let offline = TransportError(.timedOut, phase: .connect, message: "", requestMayHaveBeenSent: false)
        let wait = ConnectivityWait(limit: .seconds(15), timeoutError: offline, onBegin: { nil }, onEnd: {})
        #expect(timeout { $0.connectivityWait = wait } == week)
    }

    @Test("The priority of a task rises with that of its request")
    func priorities() {
        #expect(RequestPriority.allCases.sorted().map(\.ofTask) == [0.25, 0.5, 0.75, 1])
    }
}
