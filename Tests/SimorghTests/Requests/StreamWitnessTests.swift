// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

/// Tests/Peers/streams.py, which writes an event after the previous one was acknowledged, directly and behind nginx.
@Suite("Response streams", .timeLimit(.minutes(10)))
struct StreamWitnessTests {
    enum Way: String, CaseIterable, Sendable {
        case chunked = "framing=chunked"
        case untilClose = "framing=close"
        case compressed = "framing=chunked&coding=gzip"
        case compressedUntilClose = "framing=close&coding=gzip"
        case http2 = "framing=chunked&over=h2"
        case compressedOverHTTP2 = "framing=chunked&coding=gzip&over=h2"

        var isHTTP2: Bool { rawValue.hasSuffix("h2") }

        func base() throws -> String { isHTTP2 ? try Witness.nginxOverHTTP2.url + "/streams" : try Witness.streams.url }
    }

    private static func client() throws -> APIClient {
        var configuration = APIClient.Configuration()
        let root = try #require(ProcessInfo.processInfo.environment["SIMORGH_PEERS_ROOT"])
        configuration.tls.additionalRoots = [try String(contentsOfFile: root, encoding: .utf8)]
        return APIClient(configuration: configuration, transport: NIOTransport())
    }

    @Test("EK7: each of 1,000 events is delivered before the next one is written", arguments: Way.allCases)
    func lockStep(way: Way) async throws {
        let client = try Self.client()
        let name = UUID().uuidString
        let response = try await client.stream(.get, "\(try way.base())/lock/\(name)?events=1000&\(way.rawValue)")
        #expect(response.connection?.applicationProtocol == (way.isHTTP2 ? "h2" : "http/1.1"))
        var count = 0
        for try await event in response.serverSentEvents() {
            count += 1
            #expect(event == ServerSentEvent(data: "event \(count)", id: "\(count)"))
            try await client.post("\(Witness.streams.url)/ack/\(name)", body: .text("\(count)"))
        }
        #expect(count == 1000)
    }

    @Test("A stream that was read to its end leaves its connection for the next request")
    func reuse() async throws {
        let transport = NIOTransport()
        let client = APIClient(transport: transport)
        for number in 0..<3 {
            let name = "reuse-\(UUID())"
            try await client.post("\(Witness.streams.url)/ack/\(name)", body: .text("10"))
            let response = try await client.stream(.get, "\(Witness.streams.url)/lock/\(name)?events=10")
            var data: [String] = []
            for try await event in response.serverSentEvents() { data.append(event.data) }
            #expect(data == (1...10).map { "event \($0)" }, "stream \(number)")
        }
        #expect(transport.statistics.dialed == 1)
    }

    @Test(
        "An event source whose stream is cut at any byte delivers each event once and in order",
        arguments: Way.allCases)
    func cutAnywhere(way: Way) async throws {
        var configuration = APIClient.Configuration()
        let root = try #require(ProcessInfo.processInfo.environment["SIMORGH_PEERS_ROOT"])
        configuration.tls.additionalRoots = [try String(contentsOfFile: root, encoding: .utf8)]
        // The clock advances itself, so that reconnect delays take no time.
        configuration.time = TestClock(movesItself: true).timeSource
        let client = APIClient(configuration: configuration, transport: NIOTransport())
        let count = 8
        let expected = (1...count).map { "event \($0)" }
        let size: Int = try await client.get("\(Witness.streams.url)/size?events=\(count)&\(way.rawValue)")
        #expect(size > count * 10)
        let name = UUID().uuidString
        for cut in 0...size {
            let url = "\(try way.base())/cut/\(name)-\(cut)?events=\(count)&at=\(cut)&\(way.rawValue)"
            var data: [String] = []
            for try await event in client.eventSource(.get, url) { data.append(event.data) }
            guard data != expected else { continue }
            Issue.record("cut at byte \(cut): \(data)")
            return
        }
    }

    @Test("Generated event streams parse to the same events as with httpx-sse", arguments: 1...40)
    func events(seed: UInt64) async throws {
        var random = SeededNumbers(seed)
        let lines = [
            "data: one", "data:two", "data:  three", "data", "data:", "event: tick", "event:", "event", "id: 1",
            "id:two", "id",
            "id: a\0b", ": comment", ":", "", "", "", "", "retry: 10", "unknown: x", "dataa: x", " data: x",
            "data: é🕊️\u{2028}\u{85}",
            "data: a:b: c", "nonsense",
        ]
        for _ in 0..<20 {
            var text = Bool.random(using: &random) ? "\u{FEFF}" : ""
            for _ in 0..<Int.random(in: 0..<40, using: &random) {
                text += lines.randomElement(using: &random) ?? ""
                text += ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n"
            }
            let expected: [[String: String]] = try await APIClient().post(
                "\(Witness.streams.url)/parse/sse", body: .bytes(Data(text.utf8)))
            var events: [[String: String]] = []
            for try await event in ResponseBody(Data(text.utf8)).serverSentEvents() {
                events.append(["event": event.event, "data": event.data, "id": event.id])
            }
            #expect(events == expected, "\(text.debugDescription)")
        }
    }

    @Test("Generated NDJSON parses to the same values as with Python", arguments: 1...20)
    func ndjson(seed: UInt64) async throws {
        var random = SeededNumbers(seed)
        var lines: [String] = []
        for _ in 0..<100 {
            lines.append(Self.value(depth: 3, &random))
            if Int.random(in: 0..<5, using: &random) == 0 {
                lines.append(["", "  ", "\t"].randomElement(using: &random) ?? "")
            }
        }
        let text = lines.joined(separator: Bool.random(using: &random) ? "\n" : "\r\n") + "\n"
        let expected: [JSON] = try await APIClient().post(
            "\(Witness.streams.url)/parse/ndjson", body: .bytes(Data(text.utf8)))
        var records: [JSON] = []
        for try await record in ResponseBody(Data(text.utf8)).ndjson(as: JSON.self) { records.append(record) }
        #expect(records == expected)
        #expect(expected.count == 100)
    }

    private static func value(depth: Int, _ random: inout SeededNumbers) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: "\(Int.random(in: -1000...1000, using: &random))"
        case 1: ["true", "false", "null"].randomElement(using: &random) ?? "null"
        case 2: "\"\(["a", "é🕊️", "\\n\\\"\\\\", "{[", "]}", "", "\\u00e9"].randomElement(using: &random) ?? "")\""
        case 3: ["{}", "[]", "{ }", "[ ]"].randomElement(using: &random) ?? "{}"
        case 4: "\(Int.random(in: 0..<100, using: &random)).5"
        case 5: "[\((0..<3).map { _ in value(depth: depth - 1, &random) }.joined(separator: ", "))]"
        default: "{\((0..<3).map { "\"k\($0)\": \(value(depth: depth - 1, &random))" }.joined(separator: ","))}"
        }
    }
}
