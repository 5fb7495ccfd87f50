// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghURLSession
import Testing

/// Checks of the limits that come late, because the process was suspended.
@Suite("SessionWebSocketStateMachine: suspension", .timeLimit(.minutes(5)))
struct SessionWebSocketTimeTests {
    private func began(pingInterval: Duration? = nil) -> SessionWebSocketStateMachine {
        var options = WebSocketChannelOptions()
        (options.pingInterval, options.pongTimeout) = (pingInterval, .seconds(10))
        var timeouts = Timeouts()
        timeouts.head = .seconds(5)
        var machine = SessionWebSocketStateMachine(options, timeouts: timeouts)
        _ = machine.begin()
        return machine
    }

    private func opened(pingInterval: Duration? = nil) -> SessionWebSocketStateMachine {
        var machine = began(pingInterval: pingInterval)
        _ = machine.taskOpened(subprotocol: nil, at: .seconds(1))
        return machine
    }

    @Test("An opening whose response waits in the socket after a suspension succeeds")
    func opening() {
        var late = began()
        #expect(late.deadline == .seconds(5))
        #expect(late.timeAdvanced(to: .seconds(700)).isEmpty)
        #expect(late.deadline == .seconds(701))
        var answered = late
        #expect(answered.taskOpened(subprotocol: nil, at: .seconds(700.5)).count == 2)
        // Another check before the end of the second changes nothing.
        #expect(late.timeAdvanced(to: .seconds(700.5)).isEmpty)
        #expect(late.timeAdvanced(to: .seconds(701)).count == 1)
        // Without a suspension, the opening ends at its limit.
        var busy = began()
        #expect(busy.timeAdvanced(to: .seconds(6)).count == 1)
    }

    @Test("A ping in flight at a suspension gets its pong after it", arguments: [true, false])
    func ping(isAnswered: Bool) throws {
        var machine = opened()
        let ping = machine.pingRequested(id: 7, at: .seconds(2))
        guard case .sendPing(number: let number)? = ping.first else { throw CancellationError() }
        #expect(machine.deadline == .seconds(12))
        #expect(machine.timeAdvanced(to: .seconds(700)).isEmpty)
        let end =
            isAnswered
            ? machine.pongReceived(number, error: nil, at: .seconds(700)) : machine.timeAdvanced(to: .seconds(701))
        guard case .completePing(id: 7, let result)? = end.first else { throw CancellationError() }
        #expect(((try? result.get()) != nil) == isAnswered)
    }

    @Test("The second is granted once, until something arrives: if all checks are late, a silent peer is lost")
    func alwaysLate() {
        var machine = opened(pingInterval: .seconds(30))
        #expect(machine.timeAdvanced(to: .seconds(100)).isEmpty)
        // The ping is sent now; its limit passes late again.
        #expect(machine.timeAdvanced(to: .seconds(110)).count == 1)
        var heard = machine
        #expect(machine.timeAdvanced(to: .seconds(200)).contains { if case .ended = $0 { true } else { false } })
        _ = heard.messageReceived(.text("x"), at: .seconds(190))
        #expect(heard.timeAdvanced(to: .seconds(300)).isEmpty)
        #expect(heard.closure == nil)
    }
}
