// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

/// Every method, body, fault and policy over real connections, against a server that counts the requests it receives.
@Suite("Retry table", .timeLimit(.minutes(10)))
struct RetryTableTests {
    enum Body: CaseIterable { case none, bytes, stream, once }

    /// The fault of the first two requests; the third is answered with 200.
    enum Fault: CaseIterable {
        case nothing, status503, status500, status404, closedBeforeHead, closedInsideBody, cutInsideRequest, stalled
        case refused
    }

    enum Policy: CaseIterable { case off, standard, idempotencyKey, optIn, anyFailure }

    struct Cell: Sendable, CustomStringConvertible {
        let method: String
        let body: Body
        let fault: Fault
        let policy: Policy
        var description: String { "\(method) with \(body) body, \(fault), policy \(policy)" }
    }

    /// The expected number of requests, derived only in this test and not from the code under test.
    struct Expectation {
        /// The number of requests that reach the server.
        var requests: Int
        /// The number of attempts that the caller sees.
        var attempts: Int
        var succeeds: Bool

        init(_ cell: Cell) {
            // RFC 9110, section 9.2.2.
            let isIdempotent = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(cell.method)
            let hasPermission = isIdempotent || cell.policy == .idempotencyKey || cell.policy == .optIn
            let canRepeat = cell.policy != .off && cell.body != .once
            switch cell.fault {
            case .nothing: (requests, attempts, succeeds) = (1, 1, true)
            case .refused:
                // No request reached the server, so any method may be retried, and each retry fails.
                (requests, attempts, succeeds) = (0, canRepeat ? 4 : 1, false)
            case .closedInsideBody where cell.method == "HEAD", .cutInsideRequest where cell.body == .none:
                (requests, attempts, succeeds) = (1, 1, true)  // There is no body to interrupt.
            case .status404 where cell.policy != .anyFailure: (requests, attempts, succeeds) = (1, 1, false)
            case .status503, .status500, .status404, .closedBeforeHead, .closedInsideBody, .cutInsideRequest, .stalled:
                let count = canRepeat && hasPermission ? 3 : 1
                (requests, attempts, succeeds) = (count, count, count == 3)
            }
        }
    }

    private static let text = String(repeating: "0123456789abcdef", count: 640)
    private static let textSHA256 = "94d5d2c9605e967fbd1cb0f7b6247dce1cab2e70452d27a98b6773f2ea084bd5"
    private static let emptySHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private static let cells: [Cell] = {
        var cells: [Cell] = []
        for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "POST", "PATCH"] {
            for body in Body.allCases where body == .none || method != "TRACE" {
                for fault in Fault.allCases {
                    for policy in Policy.allCases {
                        cells.append(Cell(method: method, body: body, fault: fault, policy: policy))
                    }
                }
            }
        }
        return cells
    }()

    @Test("SIM23: each cell sends the expected number of requests, with the expected bytes")
    func table() async throws {
        let url = try Witness.counting.url
        try await UnreachablePort.with { unreachable in
            let run = UUID().uuidString
            // The cells that wait for a timeout run all at once, with timeouts that are long enough for a busy machine.
            for cells in [Self.cells.filter { $0.fault == .stalled }, Self.cells.filter { $0.fault != .stalled }] {
                await withTaskGroup(of: Void.self) { group in
                    for (index, cell) in cells.enumerated() {
                        if index >= 32, cell.fault != .stalled { await group.next() }
                        group.addTask {
                            do {
                                let key = "retry-\(run)-\(cell.fault == .stalled ? "s" : "")\(index)"
                                try await Self.check(cell, key: key, url: url, refusing: unreachable.port)
                            } catch {
                                Issue.record("\(cell): \(error)")
                            }
                        }
                    }
                }
            }
        }
    }

    private static func check(_ cell: Cell, key: String, url: String, refusing: Int) async throws {
        let transport = NIOTransport()
        let client = APIClient(configuration: configuration(cell), transport: transport)
        let base = cell.fault == .refused ? "http://127.0.0.1:\(refusing)" : url
        let call = client.call(
            RequestMethod(rawValue: cell.method), "\(base)/a/\(key)", query: query(cell.fault),
            headers: cell.policy == .idempotencyKey ? ["Idempotency-Key": key] : [:], body: body(cell.body))
        let expected = Expectation(cell)
        do {
            let response = try await call.response().response
            #expect(expected.succeeds, "\(cell) succeeded")
            #expect(response.attempts == expected.attempts, "\(cell)")
        } catch {
            #expect(!expected.succeeds, "\(cell): \(error)")
            #expect((error as? NetworkError)?.context?.attempts == expected.attempts, "\(cell)")
        }
        try await eventually { transport.statistics.leased == 0 }

        let report: Report = try await APIClient(baseURL: url).get("report", query: ["key": key])
        #expect(report.count == expected.requests, "\(cell)")
        for request in report.requests {
            #expect(request.method == cell.method, "\(cell)")
            if request.isComplete {
                let sha256 = cell.body == .none ? emptySHA256 : textSHA256
                #expect(request.bodySHA256 == sha256, "\(cell), request \(request.index)")
            } else {
                #expect(cell.fault == .cutInsideRequest, "\(cell), request \(request.index)")
            }
        }
        if expected.succeeds { #expect(report.requests.last?.isComplete == true, "\(cell)") }
    }

    private static func configuration(_ cell: Cell) -> APIClient.Configuration {
        var configuration = APIClient.Configuration()
        configuration.timeouts.head = cell.fault == .stalled ? .seconds(10) : .seconds(60)
        guard cell.policy != .off else { return configuration }
        var policy = RetryPolicy()
        policy.baseDelay = .zero
        if cell.policy == .optIn { policy.retryableMethods.formUnion([.post, .patch]) }
        if cell.policy == .anyFailure { policy.decider = .anyError(attemptsCount: 10) }
        configuration.retry = policy
        return configuration
    }

    private static func query(_ fault: Fault) -> QueryItems {
        switch fault {
        case .nothing, .refused: [:]
        case .status503: ["status": "503,503,200"]
        case .status500: ["status": "500,500,200"]
        case .status404: ["status": "404,404,200"]
        case .closedBeforeHead: ["close": "before,before,0"]
        case .closedInsideBody: ["close": "body,body,0"]
        case .cutInsideRequest: ["cut": "100,100,"]
        case .stalled: ["delay": "60000,60000,0"]
        }
    }

    private static func body(_ body: Body) -> RequestBody {
        let pieces = [text.prefix(5_000), text.dropFirst(5_000)].map { Data($0.utf8) }
        @Sendable func stream() -> AsyncThrowingStream<Data, any Error> {
            AsyncThrowingStream { continuation in
                for piece in pieces { continuation.yield(piece) }
                continuation.finish()
            }
        }
        return switch body {
        case .none: .empty
        case .bytes: .text(text)
        case .stream: .stream { stream() }
        case .once: .once(stream(), length: Int64(text.utf8.count))
        }
    }

    private struct Report: Decodable, Sendable {
        struct Request: Decodable, Sendable {
            var index: Int, method: String, bodySHA256: String, isComplete: Bool
        }

        var count: Int, requests: [Request]
    }
}
