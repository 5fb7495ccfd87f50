// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghNetwork
import SimorghRealtime
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("Network.framework connections: the parts that decide", .timeLimit(.minutes(5)))
struct NetworkConnectionTests {
    private typealias Machine = NetworkConnectionStateMachine

    private static let refused = NetworkConnectionError(.posix, code: Int(ECONNREFUSED), description: "refused")
    private static let offline = NetworkConnectionError(.posix, code: Int(ENETUNREACH), description: "no route")
    private static let noName = NetworkConnectionError(.dns, code: -65554, description: "NoSuchRecord")
    private static let late = NetworkConnectionError(.posix, code: Int(ETIMEDOUT), description: "timed out")
    private static let tls = NetworkConnectionError(.tls, code: -9807, description: "bad certificate")

    @Test("A waiting connection fails at the time limit with the last error, or becomes ready")
    func waiting() {
        var machine = Machine()
        #expect(machine.handle(.preparing) == .none)
        #expect(machine.handle(.waiting(Self.offline, hasNoPath: true)) == .none)
        #expect(machine.handle(.limitPassed) == .fail(.timedOut(Self.offline, hasNoPath: true)))
        #expect(machine.handle(.cancelled) == .none)
        // The network is back, and the server does not respond.
        machine = Machine()
        #expect(machine.handle(.waiting(Self.offline, hasNoPath: true)) == .none)
        #expect(machine.handle(.preparing) == .none)
        #expect(machine.handle(.limitPassed) == .fail(.timedOut(nil, hasNoPath: false)))
        machine = Machine()
        #expect(machine.handle(.waiting(Self.noName, hasNoPath: true)) == .none)
        #expect(machine.handle(.ready) == .open)
        #expect(machine.handle(.failed(Self.offline)) == .none)
    }

    @Test("A server that refuses, or a missing name, fails the connection at once, though the system would wait")
    func answers() {
        for error in [Self.refused, Self.tls, Self.noName] {
            var machine = Machine()
            #expect(machine.handle(.waiting(error, hasNoPath: false)) == .fail(.failed(error)))
        }
    }

    @Test("A rule that forbids the network fails a connection without a path, and nothing else does")
    func forbidden() {
        var machine = Machine(hasAccessRules: true)
        #expect(machine.handle(.waiting(Self.late, hasNoPath: false)) == .none)
        #expect(machine.handle(.waiting(Self.offline, hasNoPath: true)) == .checkAccess)
        // One check at a time.
        #expect(machine.handle(.waiting(Self.offline, hasNoPath: true)) == .none)
        #expect(machine.handle(.accessChecked(nil)) == .none)
        #expect(machine.handle(.waiting(Self.offline, hasNoPath: true)) == .checkAccess)
        #expect(machine.handle(.accessChecked(.cellular)) == .fail(.forbidden(.cellular)))
        #expect(machine.handle(.waiting(Self.offline, hasNoPath: true)) == .none)
        // An allowed network appears during the check.
        for event in [Machine.Event.preparing, .waiting(Self.late, hasNoPath: false)] {
            machine = Machine(hasAccessRules: true)
            #expect(machine.handle(.waiting(Self.offline, hasNoPath: true)) == .checkAccess)
            #expect(machine.handle(event) == .none)
            #expect(machine.handle(.accessChecked(.expensive)) == .none)
            #expect(machine.handle(.ready) == .open)
        }
        machine = Machine()
        #expect(machine.handle(.waiting(Self.offline, hasNoPath: true)) == .none)
    }

    @Test("Random events: exactly one of them opens or fails", arguments: 1...200 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SeededNumbers(seed)
        let events: [Machine.Event] = [
            .preparing, .waiting(Self.offline, hasNoPath: true), .waiting(Self.refused, hasNoPath: false), .ready,
            .failed(Self.tls), .cancelled,
            .limitPassed, .taskCancelled, .accessChecked(nil), .accessChecked(.cellular),
        ]
        var machine = Machine(hasAccessRules: true)
        var outcomes = 0
        for event in (0..<30).map({ _ in events.randomElement(using: &random) ?? .ready }) + [.limitPassed] {
            let isFirst = outcomes == 0
            let action = machine.handle(event)
            if action != .none, action != .checkAccess { outcomes += 1 }
            #expect(isFirst || action == .none)
        }
        #expect(outcomes == 1)
    }

    @Test("An opening resumes its task once, and cancels the connection if it fails")
    func opening() async throws {
        let clock = TestClock()
        let aborts = LockedValue(0)
        let opening = NetworkConnectionOpening { aborts.change { $0 += 1 } }
        async let result: Void = opening.wait(atMost: .seconds(3), time: clock.timeSource)
        try await clock.sleeping(for: .seconds(3))
        opening.handle(.waiting(Self.offline, hasNoPath: true))
        clock.advance(by: .seconds(3))
        do {
            try await result
            Issue.record("the connection is open")
        } catch {
            #expect(error as? Machine.Failure == .timedOut(Self.offline, hasNoPath: true))
        }
        opening.handle(.cancelled)
        #expect(aborts.value == 1)
        let early = NetworkConnectionOpening { aborts.change { $0 += 1 } }
        early.handle(.ready)
        try await early.wait(atMost: .seconds(3), time: clock.timeSource)
        let cancelled = NetworkConnectionOpening { aborts.change { $0 += 1 } }
        let task = Task { try await cancelled.wait(atMost: .seconds(3), time: clock.timeSource) }
        task.cancel()
        await #expect(throws: Machine.Failure.cancelled) { try await task.value }
        #expect(aborts.value == 2)
    }

    /// The outcome of a read in words.
    private static func shown(_ result: Result<Data?, any Error>?) -> String {
        switch result {
        case nil: "receive again"
        case .success(nil): "end"
        case .success(let bytes?): "\(Array(bytes))"
        case .failure(let error): "\(error)"
        }
    }

    @Test("Bytes that are reported with the end or an error are read first")
    func reception() {
        var machine = StreamReceptionStateMachine()
        #expect(Self.shown(machine.ended) == "receive again")
        #expect(Self.shown(machine.received(Data([1]), isComplete: false, error: nil)) == "[1]")
        #expect(Self.shown(machine.received(nil, isComplete: false, error: nil)) == "receive again")
        #expect(Self.shown(machine.received(Data([2]), isComplete: true, error: nil)) == "[2]")
        #expect(Self.shown(machine.ended) == "end")
        #expect(Self.shown(machine.received(Data([3]), isComplete: false, error: nil)) == "end")
        var failing = StreamReceptionStateMachine()
        #expect(Self.shown(failing.received(Data([4]), isComplete: true, error: Self.tls)) == "[4]")
        #expect(Self.shown(failing.ended) == "bad certificate")
        var empty = StreamReceptionStateMachine()
        #expect(Self.shown(empty.received(Data(), isComplete: true, error: nil)) == "end")
    }

    @Test("Errors are told apart by code and phase")
    func errors() {
        func code(_ error: NetworkConnectionError) -> TransportError.Code {
            error.connecting(to: "a.example", port: 443).code
        }
        #expect(code(Self.refused) == .cannotConnectToHost && code(Self.offline) == .notConnectedToInternet)
        #expect(code(Self.noName) == .cannotFindHost && code(Self.tls) == .serverCertificateUntrusted)
        #expect(code(NetworkConnectionError(.tls, code: -9814, description: "")) == .serverCertificateHasBadDate)
        #expect(code(NetworkConnectionError(.tls, code: -9824, description: "")) == .secureConnectionFailed)
        #expect(code(NetworkConnectionError(.dns, code: -65563, description: "")) == .dnsLookupFailed)
        for (last, hasNoPath) in [(Self.offline, true), (Self.offline, false), (Self.late, true), (Self.noName, true)] {
            let error = Machine.Failure.timedOut(last, hasNoPath: hasNoPath).connecting(
                to: "a", port: 1, limit: .seconds(2))
            #expect(error.code == .notConnectedToInternet && !error.requestMayHaveBeenSent)
        }
        let late = Machine.Failure.timedOut(Self.late, hasNoPath: false).connecting(
            to: "a", port: 1, limit: .seconds(2))
        #expect(late.code == .timedOut && late.limit == .seconds(2) && late.underlying is NetworkConnectionError)
        #expect(
            Machine.Failure.timedOut(nil, hasNoPath: false).connecting(to: "a", port: 1, limit: .zero).code == .timedOut
        )
        let unreachable = NetworkConnectionError(.posix, code: Int(EHOSTUNREACH), description: "no route to host")
        let local = unreachable.connecting(to: "192.168.1.4", port: 80, on: .iOS)
        #expect(local.code == .cannotConnectToHost && local.message.contains("NSLocalNetworkUsageDescription"))
        #expect(Self.offline.connecting(to: "a.example", port: 80, on: .watchOS).message.contains("TN3135"))
        #expect(!Self.tls.connecting(to: "192.168.1.4", port: 80, on: .iOS).message.contains("NSLocalNetwork"))
        let forbidden = Machine.Failure.forbidden(.constrained).connecting(to: "a", port: 1, limit: .zero)
        #expect(forbidden.code == .notConnectedToInternet && !forbidden.requestMayHaveBeenSent)
        #expect((forbidden.underlying as? NetworkAccessError)?.rule == .constrained)
        #expect(Machine.Failure.cancelled.connecting(to: "a", port: 1, limit: .zero).code == .cancelled)
    }
}
