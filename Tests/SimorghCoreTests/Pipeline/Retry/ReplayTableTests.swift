// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// Every method, body and reason to send a request again, with and without an idempotency key: the number of requests
/// and their bytes.
@Suite(.timeLimit(.minutes(10)))
struct ReplayTableTests {
    enum Body: CaseIterable { case none, bytes, stream, once }

    /// The reason why a step would send a request again.
    enum Reason: CaseIterable {
        /// The token is refused and refreshed.
        case refused
        /// The server sends a Digest challenge.
        case challenged
        /// StopTheLine resumes, after a response that says that nothing was processed, or that something may have been.
        case lineTurnedAway, lineFailed
        /// The response is late.
        case slow
        /// A redirect that keeps the method, and one that says that the request was processed.
        case moved, seeOther
        /// The target of a redirect refuses the token, or fails.
        case seeOtherRefused, seeOtherFailed
        /// The retry policy would retry: not sent, possibly sent, with a response.
        case unsent, lost, failed
    }

    struct Cell: Sendable, CustomStringConvertible {
        let method: String
        let body: Body
        let reason: Reason
        let hasKey: Bool
        var description: String { "\(method) with \(body) body, \(reason)\(hasKey ? ", with a key" : "")" }

        /// The methods of the requests that reach the server, computed independently of the library.
        var expected: [String] {
            let isIdempotent = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(method)
            let mayRepeat = body != .once && (isIdempotent || hasKey)
            let next = method == "HEAD" ? "HEAD" : "GET"
            switch reason {
            case .refused, .challenged, .lineTurnedAway, .unsent, .moved:
                return body == .once ? [method] : [method, method]
            case .lineFailed, .lost, .failed: return mayRepeat ? [method, method] : [method]
            case .slow: return body != .once && isIdempotent ? [method, method] : [method]
            case .seeOther: return [method, next]
            case .seeOtherRefused, .seeOtherFailed:
                return mayRepeat ? [method, next, method, next] : [method, next]
            }
        }
    }

    private static let cells: [Cell] = {
        var cells: [Cell] = []
        for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "POST", "PATCH"] {
            for body in Body.allCases {
                for reason in Reason.allCases {
                    for hasKey in [false, true] {
                        cells.append(Cell(method: method, body: body, reason: reason, hasKey: hasKey))
                    }
                }
            }
        }
        return cells
    }()

    @Test("Unsafe requests are not sent twice, and repeated ones are sent completely, in every cell")
    func table() async throws {
        #expect(Self.cells.count == 672)
        for cell in Self.cells { try await Self.check(cell) }
    }

    private static let text = String(repeating: "0123456789abcdef", count: 640)

    private static func check(_ cell: Cell) async throws {
        let gate = Gate()
        let transport = StubServer { try await answer($0, cell.reason, gate) }
        let client = APIClient.scripted(transport) { configure(&$0, cell.reason) }
        let call = client.call(
            RequestMethod(rawValue: cell.method), "a", headers: cell.hasKey ? ["Idempotency-Key": "k"] : [:],
            body: body(cell.body))
        let result = Task { try await call.void() }
        if cell.reason == .slow, cell.expected.count == 1 {
            _ = try await transport.request(at: 0)
            // Enough time for an unexpected request.
            await yieldToOthers(turns: 20)
            gate.open()
        }
        _ = await result.result
        #expect(transport.requests.map(\.method.rawValue) == cell.expected, "\(cell)")
        for request in transport.requests {
            let isFirstPlace = request.path == "/a" || cell.reason == .moved
            #expect(request.text == (isFirstPlace && cell.body != .none ? text : ""), "\(cell), \(request.index)")
        }
    }

    private static func configure(_ configuration: inout APIClient.Configuration, _ reason: Reason) {
        // A call with a waiting step has a limit, which a self-advancing clock would reach at once.
        let clock = TestClock(movesItself: true).timeSource
        switch reason {
        case .refused, .seeOtherRefused:
            configuration.authentication = .refreshing(RefreshingToken(AccessToken("t0")) { _ in AccessToken("t1") })
        case .challenged: configuration.authentication = .digest(username: "u", password: "p")
        case .lineTurnedAway, .lineFailed:
            configuration.maximumStopTheLineRepeats = 1
            configuration.stopTheLine = Line {
                $0.head.status == .ok ? .passOver : .stopTheLine
            } act: { _, _ in
                .retry
            }
        case .slow:
            configuration.time = clock
            configuration.resilience.hedging = Hedging(after: .seconds(1))
        case .moved, .seeOther: break
        case .seeOtherFailed, .unsent, .lost, .failed:
            configuration.time = clock
            configuration.retry = RetryPolicy(maximumRetries: 1, decider: .anyError(attemptsCount: 1))
            configuration.retry?.budgetRatio = nil
        }
    }

    private static func answer(
        _ request: RecordedRequest, _ reason: Reason, _ gate: Gate
    ) async throws -> StubResponse {
        let isFirst = request.index == 0
        switch reason {
        case .refused, .lineTurnedAway: return .status(isFirst ? .unauthorized : .ok)
        case .challenged:
            guard isFirst else { return .status(.ok) }
            return .status(.unauthorized).header(.wwwAuthenticate, value: "Digest realm=r, nonce=n, qop=auth")
        case .lineFailed, .failed: return .status(isFirst ? .serviceUnavailable : .ok)
        case .slow: return isFirst ? .status(.ok).held(by: gate) : .status(.ok)
        case .moved: return isFirst ? .status(.permanentRedirect).header(.location, value: "/b") : .status(.ok)
        case .seeOther: return isFirst ? .status(.seeOther).header(.location, value: "/b") : .status(.ok)
        case .seeOtherRefused, .seeOtherFailed:
            guard request.path == "/b" else { return .status(.seeOther).header(.location, value: "/b") }
            guard request.index < 2 else { return .status(.ok) }
            return .status(reason == .seeOtherRefused ? .unauthorized : .serviceUnavailable)
        case .unsent, .lost:
            guard isFirst else { return .status(.ok) }
            let isSent = reason == .lost
            return .failure(
                TransportError(
                    .networkConnectionLost, phase: isSent ? .request : .connect, message: "gone",
                    requestMayHaveBeenSent: isSent))
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
}
