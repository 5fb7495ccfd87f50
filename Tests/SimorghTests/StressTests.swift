// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// Many calls at once, many of them cancelled, against a server that misbehaves.
@Suite(.timeLimit(.minutes(10)))
struct StressTests {
    /// What became of a call.
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

    /// One kind of call, and whether a server that misbehaves may make it fail.
    struct Kind: Sendable {
        var path: String
        var method = RequestMethod.get
        var mayFail = false
        var isStreamed = false
    }

    static let kinds: [Kind] = [
        Kind(path: "get"),
        Kind(path: "bytes/20000"),
        // A POST that meets a connection which the server closed in silence is not sent again.
        Kind(path: "post", method: .post, mayFail: true),
        Kind(path: "gzip"),
        Kind(path: "stream/20", isStreamed: true),
        Kind(path: "bytes/200000", isStreamed: true),
        Kind(path: "status/503", mayFail: true),
        Kind(path: "fault/close-before-head", mayFail: true),
        Kind(path: "fault/close-after-head", mayFail: true),
        Kind(path: "fault/close-after-response"),
        Kind(path: "fault/truncate/1000", mayFail: true),
        Kind(path: "fault/truncate-chunked", mayFail: true),
        Kind(path: "fault/reset", mayFail: true),
        Kind(path: "fault/garbage", mayFail: true),
        Kind(path: "fault/bad-gzip", mayFail: true),
        Kind(path: "fault/stall-head", mayFail: true),
        Kind(path: "fault/stall-body", mayFail: true, isStreamed: true),
    ]

    @Test(
        "10,000 calls, 256 in flight, with random cancellations and faults, end without a hang or a leak",
        arguments: [UInt64.random(in: .min ... .max)])
    func stress(seed: UInt64) async throws {
        let total = 10_000
        let inFlight = 256
        let server = try await LoopbackServer.start()
        let port = server.port
        var transport: NIOTransport? = NIOTransport()
        let outcomes = try await run(total, inFlight, seed, server, #require(transport))

        #expect(outcomes.values.reduce(0, +) == total)
        #expect(outcomes.keys.allSatisfy { if case .other = $0 { false } else { true } }, "\(outcomes)")
        // How many are done, and how many cancelled in time, hangs on the machine.
        #expect(outcomes[.value, default: 0] > total / 20, "\(outcomes)")
        #expect(outcomes[.cancelled, default: 0] > 0, "\(outcomes)")
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

    /// Makes all the calls, and counts what became of them.
    private func run(
        _ total: Int, _ inFlight: Int, _ seed: UInt64, _ server: LoopbackServer, _ transport: NIOTransport
    ) async -> [Outcome: Int] {
        var configuration = APIClient.Configuration()
        configuration.baseURL = server.url
        let client = APIClient(configuration: configuration, transport: transport)
        let next = Turn()
        return await withTaskGroup(of: [Outcome: Int].self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    var outcomes: [Outcome: Int] = [:]
                    while true {
                        let index = next.take()
                        guard index < total else { return outcomes }
                        let outcome = await Self.call(client, Dice(seed: seed &+ UInt64(index)))
                        outcomes[outcome, default: 0] += 1
                    }
                }
            }
            return await group.reduce(into: [:]) { all, part in all.merge(part) { $0 + $1 } }
        }
    }

    /// One call of a random kind, cancelled at a random moment or not.
    private static func call(_ client: APIClient, _ dice: Dice) async -> Outcome {
        var dice = dice
        let kind = kinds[dice.roll(kinds.count)]
        let yields = dice.roll(10) < 3 ? dice.roll(200) : nil
        let task = Task { await exchange(client, kind) }
        if let yields {
            await letOthersRun(turns: yields)
            task.cancel()
        }
        let outcome = await task.value
        if yields == nil, !kind.mayFail, outcome != .value { return .other("\(kind.path): \(outcome)") }
        return outcome
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

/// Numbers from 0 on, each given once.
final class Turn: Sendable {
    private let next = Atomic(0)

    func take() -> Int { next.add(1, ordering: .relaxed).oldValue }
}

/// Random numbers that are the same for the same seed.
struct Dice: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A number from 0 up to, but not including, the number of sides (SplitMix64).
    mutating func roll(_ sides: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % UInt64(sides))
    }
}
