// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("CircuitBreaker", .timeLimit(.minutes(10)))
struct CircuitBreakerTests {
    /// The state machine as an object, so that `#expect` can call mutating functions.
    private final class Breaker {
        struct Refused: Error {}

        private var machine: CircuitBreakerStateMachine

        init(_ settings: CircuitBreaker = CircuitBreaker()) { machine = CircuitBreakerStateMachine(settings) }

        var isOpen: Bool { machine.isOpen }

        func admit(now: Duration) -> CircuitBreakerStateMachine.Admission { machine.admit(now: now) }

        func ended(
            _ ticket: CircuitBreakerStateMachine.Ticket, outcome: CircuitBreakerStateMachine.Outcome, now: Duration
        ) -> CircuitBreakerStateMachine.Change { machine.ended(ticket, outcome: outcome, now: now) }

        func ticket(_ now: Duration) throws -> CircuitBreakerStateMachine.Ticket {
            guard case .allowed(let ticket) = machine.admit(now: now) else { throw Refused() }
            return ticket
        }
    }

    @Test("The circuit opens at the threshold, refuses for openDuration, admits a probe, and closes if that succeeds")
    func life() throws {
        let machine = Breaker()
        for number in 1...5 {
            let ticket = try machine.ticket(.seconds(1))
            let change = machine.ended(ticket, outcome: .failure, now: .seconds(1))
            #expect(change == (number == 5 ? .opened : .none))
        }
        #expect(machine.admit(now: .seconds(1)) == .refused(for: .seconds(30)))
        #expect(machine.admit(now: .seconds(21)) == .refused(for: .seconds(10)))
        let probe = try machine.ticket(.seconds(31))
        #expect(machine.admit(now: .seconds(31)) == .refused(for: .zero))
        #expect(machine.ended(probe, outcome: .success, now: .seconds(32)) == .closed)
        // Earlier failures no longer count.
        let next = try machine.ticket(.seconds(32))
        #expect(machine.ended(next, outcome: .failure, now: .seconds(32)) == .none)
    }

    @Test("A failed probe opens the circuit again; a cancelled one admits another")
    func probes() throws {
        var settings = CircuitBreaker()
        (settings.failureThreshold, settings.probes) = (1, 2)
        let machine = Breaker(settings)
        let first = try machine.ticket(.zero)
        let late = try machine.ticket(.zero)
        #expect(machine.ended(first, outcome: .failure, now: .zero) == .opened)
        let one = try machine.ticket(.seconds(30))
        let two = try machine.ticket(.seconds(30))
        #expect(machine.admit(now: .seconds(30)) == .refused(for: .zero))
        // The outcome of a request that began before the circuit opened is ignored.
        #expect(machine.ended(late, outcome: .failure, now: .seconds(30)) == .none)
        #expect(machine.ended(one, outcome: .neither, now: .seconds(30)) == .none)
        let three = try machine.ticket(.seconds(30))
        #expect(machine.ended(two, outcome: .success, now: .seconds(30)) == .none)
        #expect(machine.ended(three, outcome: .failure, now: .seconds(31)) == .opened)
        #expect(machine.admit(now: .seconds(60)) == .refused(for: .seconds(1)))
    }

    @Test("Failures below the ratio, or spread beyond the window, do not open the circuit")
    func ratio() throws {
        let machine = Breaker()
        for number in 0..<300 {
            let ticket = try machine.ticket(.seconds(1))
            #expect(machine.ended(ticket, outcome: number % 3 == 2 ? .failure : .success, now: .seconds(1)) == .none)
        }
        let slow = Breaker()
        for number in 0..<100 {
            let now = Duration.seconds(number * 8)
            let ticket = try slow.ticket(now)
            #expect(slow.ended(ticket, outcome: .failure, now: now) == .none)
        }
    }

    @Test(
        "Probes stay within the limit and the circuit opens only after enough failures, in any order of events"
    )
    func randomOrders() {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededNumbers(seed)
            var settings = CircuitBreaker()
            settings.failureThreshold = Int.random(in: 1...6, using: &random)
            settings.probes = Int.random(in: 1...3, using: &random)
            let machine = Breaker(settings)
            var now = Duration.zero
            var running: [CircuitBreakerStateMachine.Ticket] = []
            var stale: [CircuitBreakerStateMachine.Ticket] = []
            var (failures, successes, isProbing) = (0, 0, false)
            var openings = 0
            for _ in 0..<500 {
                now += .milliseconds(Int.random(in: 0...3_000, using: &random))
                if let late = stale.popLast(), Bool.random(using: &random) {
                    #expect(machine.ended(late, outcome: .failure, now: now) == .none)
                }
                if Bool.random(using: &random) {
                    let wasOpen = machine.isOpen
                    guard case .allowed(let ticket) = machine.admit(now: now) else { continue }
                    if wasOpen { isProbing = true }
                    running.append(ticket)
                    if isProbing { #expect(running.count + successes <= settings.probes) }
                } else if let index = running.indices.randomElement(using: &random) {
                    let outcomes: [CircuitBreakerStateMachine.Outcome] = [.success, .failure, .failure, .neither]
                    let outcome = outcomes.randomElement(using: &random) ?? .neither
                    if outcome == .failure { failures += 1 }
                    if outcome == .success { successes += 1 }
                    let change = machine.ended(running.remove(at: index), outcome: outcome, now: now)
                    switch change {
                    case .none: continue
                    case .opened:
                        #expect(isProbing ? outcome == .failure : failures >= settings.failureThreshold)
                        openings += 1
                    case .closed: #expect(isProbing && successes == settings.probes)
                    }
                    stale += running
                    (running, failures, successes, isProbing) = ([], 0, 0, false)
                }
            }
            #expect(openings > 0)
        }
    }

    @Test("Extreme settings do not trap")
    func extremes() throws {
        for window in [Duration.zero, .seconds(-1), .seconds(Int64.max), .nanoseconds(1)] {
            var settings = CircuitBreaker()
            settings.window = window
            settings.openDuration = .seconds(-5)
            settings.failureThreshold = 0
            settings.failureRatio = .nan
            let machine = Breaker(settings)
            for second in [0, 1, 1_000_000_000] {
                guard case .allowed(let ticket) = machine.admit(now: .seconds(second)) else { continue }
                _ = machine.ended(ticket, outcome: .failure, now: .seconds(second))
            }
        }
    }

    @Test("Calls to a failing origin fail at once with the remaining time; other origins are not affected")
    func calls() async throws {
        let clock = TestClock(movesItself: true)
        let isUp = Mutex(false)
        let transport = StubServer(precedence: .first)
        transport.on(nil, path: "https://other.test/*", response: .status(.ok))
        transport.on(nil, path: "*") { _ in isUp.withLock { $0 } ? .status(.ok) : .status(.serviceUnavailable) }
        let changes = Mutex<[CircuitChange]>([])
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.resilience.circuitBreaker = CircuitBreaker()
            $0.logging.onEvent = { event in
                if case .circuitChange(let change) = event { changes.withLock { $0.append(change) } }
            }
        }
        for _ in 0..<5 { await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() } }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        let open = try #require(error?.underlyingError as? CircuitOpenError)
        #expect(open.origin == "https://api.test")
        #expect(open.nextAttempt == clock.date.addingTimeInterval(30))
        #expect(error?.context?.attempts == 0)
        #expect(transport.requestCount == 5)
        // The retry policy does not retry a request that was not sent.
        await #expect(throws: NetworkError.self) {
            try await client.call(.get, "x").with { $0.retry = RetryPolicy() }.data()
        }
        #expect(transport.requestCount == 5)
        try await client.with { $0.baseURL = "https://other.test" }.call(.get, "x").void()
        isUp.withLock { $0 = true }
        clock.advance(by: .seconds(30))
        try await client.call(.get, "x").void()
        try await client.call(.get, "x").void()
        #expect(transport.requestCount == 8)
        #expect(changes.withLock { $0 }.map(\.isOpen) == [true, false])
    }

    @Test("Local errors do not count as failures of the origin: an invalid request, or the call's own timeout")
    func ours() async throws {
        for error in [
            TransportError(.badURL, phase: .total, message: "no URL"),
            .timedOut(.total, after: .seconds(1), requestMayHaveBeenSent: true),
        ] {
            let transport = StubServer { _ in .failure(error) }
            let client = APIClient.scripted(transport) { $0.resilience.circuitBreaker = CircuitBreaker() }
            for _ in 0..<20 { await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() } }
            #expect(transport.requestCount == 20)
        }
        let slow = StubServer { _ in .timedOut(.head, after: .seconds(1)) }
        let client = APIClient.scripted(slow) { $0.resilience.circuitBreaker = CircuitBreaker() }
        for _ in 0..<20 { await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() } }
        #expect(slow.requestCount == 5)
    }

    @Test("A cancelled call does not count for the origin")
    func cancelled() async throws {
        let never = Gate()
        let transport = StubServer { _ in .status(.ok).held(by: never) }
        let client = APIClient.scripted(transport) { $0.resilience.circuitBreaker = CircuitBreaker() }
        for number in 0..<10 {
            let call = Task { try await client.call(.get, "x").void() }
            _ = try await transport.request(at: number)
            call.cancel()
            #expect(await call.result.isFailure)
        }
        never.open()
        try await client.call(.get, "x").void()
    }

    @Test("Settings that contain NaN share their state like others")
    func notANumber() {
        let state = PipelineState()
        var configuration = APIClient.Configuration()
        configuration.resilience.circuitBreaker = CircuitBreaker()
        configuration.resilience.circuitBreaker?.failureRatio = .nan
        configuration.retry = RetryPolicy()
        configuration.retry?.budgetRatio = .nan
        let kept = state.value(for: "kept") { InFlightRequests() }
        for _ in 0...(2 * PipelineState.capacity) {
            _ = Interceptor.circuitBreaker(configuration, state: state)
            _ = Interceptor.retry(configuration, state: state)
            _ = state.value(for: Double.nan) { InFlightRequests() }
        }
        #expect(state.value(for: "kept") { InFlightRequests() } === kept)
    }
}
