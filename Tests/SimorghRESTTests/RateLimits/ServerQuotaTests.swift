// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghREST
import TestSupport
import Testing

@Suite("ServerQuota", .timeLimit(.minutes(5)))
struct ServerQuotaTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    private static func limit(
        _ remaining: Int, resetsIn seconds: Double?, unit: String = "requests"
    ) -> ServerRateLimit {
        ServerRateLimit(
            .rateLimit, policy: "p", remaining: remaining, unit: unit,
            reset: seconds.map { date.addingTimeInterval($0) })
    }

    private func answer(
        _ quota: inout ServerQuota, _ limits: [ServerRateLimit], to number: UInt64, at now: Duration = .zero
    ) {
        quota.answered(limits, to: number, now: now, date: Self.date, longest: .seconds(3600))
    }

    /// Sends a request, and applies its response at once.
    private func exchange(_ quota: inout ServerQuota, _ limits: [ServerRateLimit]) {
        let number = quota.sent(now: .zero)
        answer(&quota, limits, to: number)
    }

    @Test("The first request is sent alone; after a second without a response another one follows")
    func first() {
        var quota = ServerQuota()
        #expect(quota.turn(now: .zero) == .allowed)
        let number = quota.sent(now: .zero)
        #expect(quota.turn(now: .milliseconds(400)) == .wait(.milliseconds(600), because: nil, isCertain: false))
        #expect(quota.turn(now: .seconds(1)) == .allowed)
        answer(&quota, [], to: number)
        for _ in 0..<100 {
            #expect(quota.turn(now: .milliseconds(400)) == .allowed)
            _ = quota.sent(now: .milliseconds(400))
        }
    }

    @Test("Requests in flight count as used, and a used-up quota waits for the end of the window")
    func used() {
        var quota = ServerQuota()
        exchange(&quota, [Self.limit(2, resetsIn: 10)])
        let one = quota.sent(now: .zero)
        let two = quota.sent(now: .zero)
        guard case .wait(.seconds(10), because: let limit?, isCertain: false) = quota.turn(now: .zero) else {
            Issue.record("a third request is allowed")
            return
        }
        #expect(limit.policy == "p")
        answer(&quota, [Self.limit(1, resetsIn: 10)], to: one)
        answer(&quota, [Self.limit(0, resetsIn: 10)], to: two)
        guard case .wait(.seconds(10), because: _, isCertain: true) = quota.turn(now: .zero) else {
            Issue.record("a request is allowed although the quota is used up")
            return
        }
        #expect(quota.turn(now: .seconds(10)) == .allowed)
    }

    @Test("An earlier response that arrives late does not give back what a later request has used")
    func order() {
        var quota = ServerQuota()
        exchange(&quota, [Self.limit(5, resetsIn: 10)])
        let one = quota.sent(now: .zero)
        let two = quota.sent(now: .zero)
        answer(&quota, [Self.limit(3, resetsIn: 10)], to: two)
        answer(&quota, [Self.limit(4, resetsIn: 10)], to: one)
        #expect(quota.limits(now: .zero).map(\.remaining) == [3])
    }

    @Test("After the end of a window one request is sent, and its response tells the rest")
    func renewed() {
        var quota = ServerQuota()
        exchange(&quota, [Self.limit(0, resetsIn: 10)])
        #expect(quota.turn(now: .seconds(10)) == .allowed)
        let probe = quota.sent(now: .seconds(10))
        guard case .wait(.seconds(1), because: _, isCertain: false) = quota.turn(now: .seconds(10)) else {
            Issue.record("a second request is allowed before the response to the first")
            return
        }
        answer(&quota, [], to: probe, at: .seconds(10))
        #expect(quota.limits(now: .seconds(10)).isEmpty)
        #expect(quota.turn(now: .seconds(10)) == .allowed)
    }

    @Test("A response without fields, and an attempt that may have been sent, use one; another attempt uses none")
    func silent() {
        var quota = ServerQuota()
        exchange(&quota, [Self.limit(3, resetsIn: 10)])
        exchange(&quota, [])
        for wasSent in [true, false] {
            let number = quota.sent(now: .zero)
            quota.ended(number, wasSent: wasSent)
        }
        #expect(quota.limits(now: .zero).map(\.remaining) == [1])
    }

    @Test("A limit in another unit delays nothing, and a limit without an end delays only what is in flight")
    func others() {
        var quota = ServerQuota()
        exchange(&quota, [Self.limit(0, resetsIn: 10, unit: "content-bytes")])
        #expect(quota.turn(now: .zero) == .allowed)
        quota = ServerQuota()
        exchange(&quota, [Self.limit(0, resetsIn: nil)])
        #expect(quota.turn(now: .zero) == .allowed)
        _ = quota.sent(now: .zero)
        #expect(quota.turn(now: .zero) != .allowed)
        #expect(quota.turn(now: .seconds(1)) == .allowed)
    }

    /// A server with a fixed window, and requests that take a random time in both directions.
    private struct Simulation {
        enum Event { case arrives(UInt64), returns(UInt64, [ServerRateLimit]), wakes }

        var random: SeededNumbers
        let limit: Int
        let window: Duration
        var start = Duration.zero
        var count = 0
        var refused = 0
        var accepted = 0
        var events: [(at: Duration, event: Event)] = []

        mutating func latency() -> Duration { .milliseconds(Int.random(in: 1...400, using: &random)) }

        mutating func serve(at now: Duration) -> [ServerRateLimit] {
            if now >= start + window { (start, count) = (now, 0) }
            if count < limit { (count, accepted) = (count + 1, accepted + 1) } else { refused += 1 }
            let left = ((start + window - now) / .seconds(1)).rounded(.up)
            return [ServerQuotaTests.limit(limit - count, resetsIn: left)]
        }
    }

    @Test(
        "A server with a fixed window refuses no request, in whatever order responses arrive",
        arguments: 0..<50 as Range<UInt64>)
    func simulation(seed: UInt64) {
        var random = SeededNumbers(seed)
        let total = 120
        var simulation = Simulation(
            random: SeededNumbers(seed &+ 1000), limit: Int.random(in: 1...20, using: &random),
            window: .seconds(Int.random(in: 1...5, using: &random)))
        var quota = ServerQuota()
        var sent = 0
        var now = Duration.zero
        simulation.events.append((.zero, .wakes))
        while !simulation.events.isEmpty {
            simulation.events.sort { $0.at > $1.at }
            let next = simulation.events.removeLast()
            now = next.at
            switch next.event {
            case .wakes: break
            case .arrives(let number):
                let limits = simulation.serve(at: now)
                simulation.events.append((now + simulation.latency(), .returns(number, limits)))
            case .returns(let number, let limits):
                quota.answered(limits, to: number, now: now, date: Self.date, longest: .seconds(3600))
            }
            while sent < total {
                guard case .wait(let wait, _, _) = quota.turn(now: now) else {
                    let number = quota.sent(now: now)
                    sent += 1
                    simulation.events.append((now + simulation.latency(), .arrives(number)))
                    continue
                }
                simulation.events.append((now + wait, .wakes))
                break
            }
        }
        #expect(simulation.refused == 0, "seed \(seed)")
        #expect(simulation.accepted == total, "seed \(seed)")
        // The quota is used: no more than two windows and a second for each.
        let windows = Double((total + simulation.limit - 1) / simulation.limit)
        #expect(now <= (simulation.window + .seconds(3)) * (windows + 1), "seed \(seed): \(now)")
    }
}
