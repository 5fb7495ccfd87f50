// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// Many concurrent calls, many of them cancelled, against a faulty server.
@Suite(.timeLimit(.minutes(10)))
struct StressTests {
    /// The outcome of a call.
    enum Outcome: Hashable, Sendable {
        case value, refused, cancelled, failed(TransportError.Code), undecodable, tooLarge, other(String)

        init(_ error: NetworkError) {
            self =
                switch error {
                case .customError: .refused
                case .cancelled: .cancelled
                case .urlError(let error): .failed(error.code)
                case .decodingError, .emptyResponse: .undecodable
                case .bodyTooLarge: .tooLarge
                default: .other("\(error)")
                }
        }
    }

    /// A kind of call, and its possible outcome with a faulty server.
    struct Kind: Sendable {
        enum Fate { case succeeds, mayFail, fails }

        var path: String
        var method = RequestMethod.get
        var fate = Fate.succeeds
        var isStreamed = false
    }

    static let kinds: [Kind] = [
        Kind(path: "get"),
        Kind(path: "bytes/20000"),
        // A POST on a connection that the server has closed silently is not retried.
        Kind(path: "post", method: .post, fate: .mayFail),
        Kind(path: "gzip"),
        Kind(path: "stream/20", isStreamed: true),
        Kind(path: "bytes/200000", isStreamed: true),
        Kind(path: "status/503", fate: .fails),
        Kind(path: "fault/close-before-head", fate: .fails),
        Kind(path: "fault/close-after-head", fate: .fails),
        Kind(path: "fault/close-after-response"),
        Kind(path: "fault/truncate/1000", fate: .fails),
        Kind(path: "fault/truncate-chunked", fate: .fails),
        Kind(path: "fault/reset", fate: .fails),
        Kind(path: "fault/garbage", fate: .fails),
        Kind(path: "fault/bad-gzip", fate: .fails),
        Kind(path: "fault/stall-head", fate: .fails),
        Kind(path: "fault/stall-body", fate: .fails, isStreamed: true),
    ]

    /// A kind of HTTP/2 call, the server's response, and its share of all calls.
    private struct HTTP2Call: Sendable {
        var kind: Kind
        var answer: StubResponse
        var share: Int

        init(_ kind: Kind, _ answer: StubResponse, share: Int = 5) {
            (self.kind, self.answer, self.share) = (kind, answer, share)
            // A fault that ends a connection also ends the other streams on it.
            if kind.fate == .succeeds { self.kind.fate = .mayFail }
        }

        /// Creates a call that has no complete response, so any success is wrong.
        init(broken kind: Kind, _ fault: WireFault, at point: WireFault.Point = .responseHead, share: Int = 5) {
            var kind = kind
            kind.fate = .fails
            self.init(kind, .text("never").fault(fault, at: point), share: share)
        }
    }

    /// Faults that end a whole connection are rare; otherwise few calls would complete.
    private static let http2Calls: [HTTP2Call] = [
        HTTP2Call(Kind(path: "get"), .text("ok"), share: 20),
        HTTP2Call(Kind(path: "large", isStreamed: true), .bytes(Data(count: 200_000)), share: 10),
        HTTP2Call(Kind(path: "post", method: .post), .text("ok"), share: 20),
        // The upload is reset with NO_ERROR after the response.
        HTTP2Call(Kind(path: "early", method: .post), .text("early").beforeBody(), share: 10),
        HTTP2Call(broken: Kind(path: "refused", method: .post), .resetStream(7)),
        HTTP2Call(broken: Kind(path: "cancelled", method: .post), .resetStream(8), at: .requestBody),
        HTTP2Call(broken: Kind(path: "broken", isStreamed: true), .resetStream(2), at: .responseBody),
        HTTP2Call(broken: Kind(path: "short"), .truncate, at: .responseBody),
        HTTP2Call(broken: Kind(path: "stall-head"), .stall),
        HTTP2Call(broken: Kind(path: "stall-body", isStreamed: true), .stall, at: .responseBody),
        HTTP2Call(broken: Kind(path: "goodbye"), .goAway(0), share: 1),
        HTTP2Call(Kind(path: "last"), .text("whole").fault(.goAway(0), at: .responseBody), share: 1),
        HTTP2Call(broken: Kind(path: "close"), .close, share: 1),
        HTTP2Call(broken: Kind(path: "reset", method: .post), .reset, at: .requestBody, share: 1),
        HTTP2Call(broken: Kind(path: "garbage"), .garbage, share: 1),
    ]

    @Test(
        "3,000 calls over HTTP/2, 128 in flight, with random cancellations, resets and GOAWAYs, end without a leak",
        arguments: [UInt64.random(in: .min ... .max)])
    func shared(seed: UInt64) async throws {
        let total = 3_000
        var configuration = MockServer.Configuration()
        configuration.protocols = [.http2]
        let server = try await MockServer.start(configuration)
        let port = server.port
        for peril in Self.http2Calls { server.on(nil, path: "/\(peril.kind.path)", response: peril.answer) }
        let kinds = Self.http2Calls.flatMap { Array(repeating: $0.kind, count: $0.share) }
        // Several connections are needed, and half of the calls wait for a stream.
        var limits = NIOTransport.Configuration()
        limits.maximumConcurrentStreams = 16
        var transport: NIOTransport? = NIOTransport(configuration: limits)
        let outcomes = try await run(total, 128, seed, kinds, server.clientConfiguration, #require(transport))

        check(outcomes, of: total)
        // An abandoned stream ends on its connection's event loop.
        try await settle(#require(transport))
        transport = nil
        try await server.waitForOpenConnections(atMost: 0)
        await server.shutdown()
        #if os(Linux)
        try await eventually { try Sockets.count(port: port) == 0 }
        #endif
    }

    @Test(
        "10,000 calls, 256 in flight, with random cancellations and faults, end without a hang or leak",
        arguments: [UInt64.random(in: .min ... .max)])
    func stress(seed: UInt64) async throws {
        let total = 10_000
        let inFlight = 256
        let server = try await MockServer.start()
        server.addHTTPBinRoutes()
        let port = server.port
        var transport: NIOTransport? = NIOTransport()
        var configuration = APIClient.Configuration()
        configuration.baseURL = server.url
        let outcomes = try await run(total, inFlight, seed, Self.kinds, configuration, #require(transport))

        check(outcomes, of: total)
        let statistics = try #require(transport).statistics
        #expect(statistics.leased == 0)
        #expect(statistics.waiting == 0)

        transport = nil
        try await server.waitForOpenConnections(atMost: 0)
        await server.shutdown()
        #if os(Linux)
        try await eventually { try Sockets.count(port: port) == 0 }
        #endif
    }

    private func settle(_ transport: NIOTransport) async throws {
        try await eventually { transport.statistics.leased == 0 && transport.statistics.waiting == 0 }
    }

    private func check(_ outcomes: [Outcome: Int], of total: Int) {
        #expect(outcomes.values.reduce(0, +) == total)
        #expect(outcomes.keys.allSatisfy { if case .other = $0 { false } else { true } }, "\(outcomes)")
        // The numbers of completed and of cancelled calls depend on the machine.
        #expect(outcomes[.value, default: 0] > total / 20, "\(outcomes)")
        #expect(outcomes[.cancelled, default: 0] > 0, "\(outcomes)")
    }

    /// Makes all calls, and counts their outcomes.
    private func run(
        _ total: Int, _ inFlight: Int, _ seed: UInt64, _ kinds: [Kind], _ configuration: APIClient.Configuration,
        _ transport: NIOTransport
    ) async -> [Outcome: Int] {
        let client = APIClient(configuration: configuration, transport: transport)
        let next = Turn()
        return await withTaskGroup(of: [Outcome: Int].self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    var outcomes: [Outcome: Int] = [:]
                    while true {
                        let index = next.take()
                        guard index < total else { return outcomes }
                        let outcome = await Self.call(client, kinds, Dice(seed: seed &+ UInt64(index)))
                        outcomes[outcome, default: 0] += 1
                    }
                }
            }
            return await group.reduce(into: [:]) { all, part in all.merge(part) { $0 + $1 } }
        }
    }

    /// Makes one call of a random kind; some calls are cancelled at a random moment.
    private static func call(_ client: APIClient, _ kinds: [Kind], _ dice: Dice) async -> Outcome {
        var dice = dice
        let kind = kinds[dice.roll(kinds.count)]
        let yields = dice.roll(10) < 3 ? dice.roll(200) : nil
        let task = Task { await exchange(client, kind) }
        if let yields {
            await yieldToOthers(turns: yields)
            task.cancel()
        }
        let outcome = await task.value
        switch kind.fate {
        case .succeeds where yields == nil && outcome != .value, .fails where outcome == .value:
            return .other("\(kind.path): \(outcome)")
        default: return outcome
        }
    }

    private static func exchange(_ client: APIClient, _ kind: Kind) async -> Outcome {
        let body: RequestBody = kind.method == .post ? .text(String(repeating: "p", count: 50_000)) : .empty
        var call = client.call(kind.method, kind.path, body: body)
        if kind.path.contains("stall") {
            call = call.with {
                $0.timeouts.head = .milliseconds(300)
                $0.timeouts.idle = .milliseconds(300)
            }
        }
        do {
            guard kind.isStreamed else {
                _ = try await call.data()
                return .value
            }
            for try await _ in try await call.stream().chunks {}
            return .value
        } catch let error as NetworkError {
            return Outcome(error)
        } catch {
            return .other("\(error)")
        }
    }
}

/// Returns the numbers from 0 on, each once.
final class Turn: Sendable {
    private let next = Atomic(0)

    func take() -> Int { next.add(1, ordering: .relaxed).oldValue }
}

/// A seeded random number generator.
struct Dice: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Returns a number from 0 up to, but not including, the number of sides (SplitMix64).
    mutating func roll(_ sides: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % UInt64(sides))
    }
}
