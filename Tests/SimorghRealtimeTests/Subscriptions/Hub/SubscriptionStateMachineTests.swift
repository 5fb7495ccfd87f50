// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SubscriptionStateMachineTests {
    typealias Machine = SubscriptionStateMachine<PlainProtocol.Session>

    static func machine(
        prepares: Bool = false, _ change: (inout SubscriptionOptions) -> Void = { _ in }
    ) -> Machine {
        var options = SubscriptionOptions(
            webSocket: WebSocketOptions(
                reconnectPolicy: WebSocketReconnectPolicy(maximumAttempts: 3, initialDelay: 1)))
        change(&options)
        return Machine(options, preparesOperations: prepares, random: RandomSource { 0 })
    }

    /// Renders the parts of actions that the tests compare, one line for each action.
    static func words(_ actions: [SubscriptionMachineAction]) -> [String] {
        actions.map { action in
            switch action {
            case .open(let number, let attempt): "open \(number) \(attempt)"
            case .prepare(let number, let id): "prepare \(number) \(id)"
            case .cancelPreparation(let id): "cancel \(id)"
            case .sendLatest(let message): "send latest \(String(decoding: message.bytes, as: UTF8.self))"
            case .mark(let id): "mark \(id)"
            case .send(let message): "send \(String(decoding: message.bytes, as: UTF8.self))"
            case .startTimer(let timer, let duration): "start \(name(timer)) \(Int(duration / .seconds(1)))"
            case .stopTimer(let timer): "stop \(name(timer))"
            case .stopTimers: "stop all"
            case .deliver(let id, let payload): "event \(id) \(String(decoding: payload.message.bytes, as: UTF8.self))"
            case .notify(let id, .subscribed(let isResumed)): "\(isResumed ? "resumed" : "subscribed") \(id)"
            case .notify(let id, .interrupted(_, let wait)): "interrupted \(id) \(Int(wait / .seconds(1)))"
            case .end(let id, let error): "end \(id) \(error?.code.description ?? "well")"
            case .close(let number, let code): "close \(number) \(code)"
            case .drop(let number): "drop \(number)"
            case .state(let state): "state \(state)"
            case .reportUnknownID: "stray"
            }
        }
    }

    private static func name(_ timer: SubscriptionMachineTimer) -> String {
        switch timer {
        case .ready: "ready"
        case .subscribe(let id): "subscribe-\(id)"
        case .again(let id): "again-\(id)"
        case .preparation: "completion"
        case .release(let id): "release-\(id)"
        case .linger: "linger"
        case .silence: "silence"
        case .reconnect: "reconnect"
        case .session(let timer): timer.name
        }
    }

    static func what(_ actions: [SubscriptionMachineAction]) -> [String] {
        words(actions).filter { word in !["start", "stop", "state", "mark"].contains { word.hasPrefix($0) } }
    }

    static func session(confirms: Bool = true) -> PlainProtocol.Session {
        PlainProtocol.Session(greets: true, confirms: confirms)
    }

    static func loss(_ code: WebSocketCloseCode = 1006) -> ConnectionLoss {
        ConnectionLoss(
            SubscriptionError(
                .connectionLost, message: "lost",
                closure: WebSocketCloseInfo(code: code, isClean: code != 1006, initiator: .remote)))
    }

    /// Completes the handshake of a machine, and returns its actions.
    static func ready(
        _ machine: inout Machine, confirms: Bool = true, now: Duration = .zero
    ) -> [SubscriptionMachineAction] {
        machine.connectionOpened(machine.generation)
            + machine.sessionStarted(
                machine.generation, session: session(confirms: confirms), subprotocol: nil, now: now)
            + machine.received(machine.generation, message: .text("welcome"), now: now)
    }

    @Test("The first subscription connects; subscriptions are sent after the handshake, in order")
    func lazily() {
        var machine = Self.machine()
        #expect(machine.phase == .idle)
        #expect(
            Self.what(machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)) == ["open 1 1"])
        #expect(Self.what(machine.subscribe("b", id: SubscriptionID(2), isOneShot: false)).isEmpty)
        #expect(Self.what(machine.connectionOpened(1)).isEmpty)
        #expect(
            Self.what(machine.sessionStarted(1, session: Self.session(), subprotocol: nil, now: .zero))
                == ["send hello"])
        #expect(
            Self.what(machine.received(1, message: .text("welcome"), now: .zero)) == ["send sub 1 a", "send sub 2 b"])
        #expect(Self.what(machine.received(1, message: .text("ok 1"), now: .zero)) == ["subscribed 1"])
        #expect(Self.what(machine.received(1, message: .text("event 1 x"), now: .zero)) == ["event 1 x"])
        #expect(
            Self.what(machine.received(1, message: .text("event 2 y"), now: .zero)) == ["subscribed 2", "event 2 y"],
            "an event also means that it was accepted")
    }

    @Test("After a lost connection each subscription is sent again, once and in order, and its listener is notified")
    func resubscribes() {
        var machine = Self.machine()
        for id in 1...3 { _ = machine.subscribe("t\(id)", id: SubscriptionID(id), isOneShot: false) }
        _ = Self.ready(&machine, confirms: false)
        let lost = Self.words(machine.lost(1, loss: Self.loss(), now: .seconds(1)))
        #expect(
            lost.filter { $0.hasPrefix("interrupted") } == ["interrupted 1 1", "interrupted 2 1", "interrupted 3 1"])
        #expect(lost.suffix(1) == ["start reconnect 1"])
        #expect(Self.what(machine.elapsed(.reconnect, now: .seconds(2))) == ["open 2 1"])
        #expect(
            Self.what(Self.ready(&machine, confirms: false)) == [
                "send hello", "send sub 1 t1", "resumed 1", "send sub 2 t2", "resumed 2", "send sub 3 t3", "resumed 3",
            ])
        #expect(machine.received(1, message: .text("event 1 late"), now: .zero).isEmpty, "of the previous connection")
    }

    /// Returns the loss of a connection that the server closed with 4401.
    static var expiry: ConnectionLoss {
        var loss = loss(4401)
        loss.decision = .giveUp
        loss.mayHaveExpired = true
        return loss
    }

    @Test("4401 on a connection that worked requests new credentials once, then gives up")
    func expires() {
        var machine = Self.machine()
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        _ = Self.ready(&machine)
        #expect(Self.what(machine.lost(1, loss: Self.expiry, now: .seconds(1))) == ["interrupted 1 1"])
        #expect(Self.what(machine.elapsed(.reconnect, now: .seconds(2))) == ["open 2 1"])
        _ = Self.ready(&machine, now: .seconds(2))
        #expect(Self.what(machine.lost(2, loss: Self.expiry, now: .seconds(3))) == ["end 1 connectionLost"])
    }

    @Test("4401 before the end of the handshake gives up at once: its credentials were new")
    func refusesFreshCredentials() {
        var machine = Self.machine()
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        _ = machine.connectionOpened(1)
        _ = machine.sessionStarted(1, session: Self.session(), subprotocol: nil, now: .zero)
        #expect(Self.what(machine.lost(1, loss: Self.expiry, now: .seconds(1))) == ["end 1 connectionLost"])
    }

    @Test("A token that expires each hour is requested again each time")
    func expiresAgain() {
        var machine = Self.machine()
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        for hour in 0..<5 {
            let start = Duration.seconds(3600 * hour)
            _ = Self.ready(&machine, now: start)
            #expect(
                Self.what(machine.lost(machine.generation, loss: Self.expiry, now: start + .seconds(3500))).count == 1)
            let next = Self.what(machine.elapsed(.reconnect, now: start + .seconds(3501)))
            #expect(next.first?.hasPrefix("open") == true)
        }
    }

    @Test("A message for an unknown subscription is logged once per connection; a late one is not")
    func strays() {
        var machine = Self.machine()
        _ = machine.subscribe("a", id: SubscriptionID(5), isOneShot: false)
        _ = Self.ready(&machine, confirms: false)
        #expect(Self.words(machine.received(1, message: .text("event 6 x"), now: .zero)) == ["stray"])
        #expect(machine.received(1, message: .text("event 9 x"), now: .zero).isEmpty)
        #expect(machine.received(1, message: .text("event 3 x"), now: .zero).isEmpty)
        _ = machine.lost(1, loss: Self.loss(), now: .seconds(1))
        _ = machine.elapsed(.reconnect, now: .seconds(2))
        _ = Self.ready(&machine, confirms: false)
        #expect(Self.words(machine.received(2, message: .text("event 6 x"), now: .zero)) == ["stray"])
    }

    @Test("A confirmed unsubscription is waited for, then the connection closes")
    func unsubscribes() {
        var machine = Self.machine()
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        _ = Self.ready(&machine)
        _ = machine.received(1, message: .text("ok 1"), now: .zero)
        #expect(Self.words(machine.unsubscribe(SubscriptionID(1))) == ["send bye 1", "start release-1 2"])
        #expect(machine.received(1, message: .text("event 1 late"), now: .zero).isEmpty)
        #expect(
            Self.words(machine.received(1, message: .text("gone 1"), now: .zero)) == [
                "stop release-1", "end 1 well", "send farewell", "close 1 1000", "stop all", "state disconnected",
            ])
        #expect(machine.phase == .idle)
    }

    @Test("A missing confirmation ends the wait at the deadline")
    func unconfirmed() {
        var machine = Self.machine()
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        _ = Self.ready(&machine)
        _ = machine.received(1, message: .text("ok 1"), now: .zero)
        _ = machine.unsubscribe(SubscriptionID(1))
        #expect(
            Self.what(machine.elapsed(.release(SubscriptionID(1)), now: .seconds(2))) == [
                "end 1 well", "send farewell", "close 1 1000",
            ])
    }

    @Test("A subscription that is not accepted in time ends alone, and the server is sent an unsubscription")
    func late() {
        var machine = Self.machine()
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        _ = machine.subscribe("b", id: SubscriptionID(2), isOneShot: false)
        _ = Self.ready(&machine)
        _ = machine.received(1, message: .text("ok 2"), now: .zero)
        #expect(
            Self.what(machine.elapsed(.subscribe(SubscriptionID(1)), now: .seconds(10))) == [
                "send bye 1", "end 1 timedOut",
            ])
        #expect(machine.received(1, message: .text("event 1 late"), now: .zero).isEmpty)
        #expect(machine.entries.count == 1 && machine.phase == .ready)
    }

    @Test("An error before acceptance is refused, an error after it is failed; each ends one subscription")
    func refusals() {
        var machine = Self.machine { $0.linger = .seconds(5) }
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        _ = machine.subscribe("b", id: SubscriptionID(2), isOneShot: false)
        _ = machine.subscribe("impossible", id: SubscriptionID(3), isOneShot: false)
        #expect(Self.what(Self.ready(&machine)).last == "end 3 invalidRequest")
        #expect(Self.what(machine.received(1, message: .text("no 1 why"), now: .zero)) == ["end 1 refused"])
        _ = machine.received(1, message: .text("ok 2"), now: .zero)
        #expect(Self.what(machine.received(1, message: .text("no 2 why"), now: .zero)) == ["end 2 failed"])
        #expect(machine.phase == .ready)
    }

    @Test("Without subscriptions the connection lingers, until the next one or its end")
    func lingers() {
        var machine = Self.machine { $0.linger = .seconds(5) }
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        _ = Self.ready(&machine, confirms: false)
        #expect(
            Self.words(machine.received(1, message: .text("done 1"), now: .zero)) == ["end 1 well", "start linger 5"])
        #expect(machine.received(1, message: .text("alarm 3"), now: .zero).count == 1, "the timer does not restart")
        #expect(
            Self.what(machine.subscribe("b", id: SubscriptionID(2), isOneShot: false)) == [
                "send sub 2 b", "subscribed 2",
            ])
        #expect(machine.elapsed(.linger, now: .seconds(5)).isEmpty, "a late timer")
        _ = machine.received(1, message: .text("done 2"), now: .zero)
        #expect(Self.what(machine.elapsed(.linger, now: .seconds(9))) == ["send farewell", "close 1 1000"])
    }

    @Test("The handshake and silence of the server have timeouts")
    func deadlines() {
        var machine = Self.machine()
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        #expect(Self.words(machine.connectionOpened(1)) == ["start ready 10"])
        #expect(Self.what(machine.elapsed(.ready, now: .seconds(10))) == ["drop 1", "interrupted 1 1"])
        _ = machine.elapsed(.reconnect, now: .seconds(11))
        _ = Self.ready(&machine, confirms: false, now: .seconds(11))
        #expect(Self.words(machine.received(2, message: .text("tick 5"), now: .seconds(20))) == ["start silence 5"])
        _ = machine.received(2, message: .text("event 1 x"), now: .seconds(23))
        #expect(Self.words(machine.elapsed(.silence, now: .seconds(25))) == ["start silence 3"])
        #expect(Self.what(machine.elapsed(.silence, now: .seconds(28))).first == "drop 2")
    }

    @Test("A one-shot request that was sent ends with its connection; one that was not sent waits for the next")
    func oneShots() {
        var machine = Self.machine()
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: true)
        _ = machine.lost(1, loss: ConnectionLoss(SubscriptionError(.connectionFailed, message: "no")), now: .zero)
        #expect(machine.entries.count == 1)
        _ = machine.elapsed(.reconnect, now: .zero)
        _ = Self.ready(&machine)
        #expect(
            Self.what(machine.lost(2, loss: Self.loss(), now: .zero)) == ["end 1 connectionLost"]
        )
    }

    @Test(
        "ReconnectDecision overrides the policy's close codes, and finalCloseCodes overrides both",
        arguments: [
            (WebSocketCloseCode(1006), ReconnectDecision?.none, true), (1002, nil, false), (1000, nil, true),
            (4444, .giveUp, false), (1002, .reconnect, true), (4100, .reconnect, false),
            (4200, .reconnectImmediately, true),
        ])
    func verdicts(code: WebSocketCloseCode, decision: ReconnectDecision?, comesBack: Bool) {
        var machine = Self.machine {
            var policy = WebSocketReconnectPolicy(maximumAttempts: 3)
            policy.finalCloseCodes = [4100]
            $0.webSocket = WebSocketOptions(reconnectPolicy: policy)
        }
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        _ = Self.ready(&machine, confirms: false)
        var loss = Self.loss(code)
        loss.decision = decision
        let words = Self.words(machine.lost(1, loss: loss, now: .zero))
        #expect(
            words.contains { $0.hasPrefix("start reconnect \(decision == .reconnectImmediately ? 0 : 1)") } == comesBack
        )
        #expect(words.contains("end 1 connectionLost") == !comesBack)
    }

    @Test("Attempts are counted until a connection was ready, then the reason of the last failure is reported")
    func exhausted() {
        var machine = Self.machine()
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        var waits: [String] = []
        for number in 1...4 {
            let loss = ConnectionLoss(SubscriptionError(.connectionFailed, message: "no"))
            waits += Self.words(machine.lost(number, loss: loss, now: .zero)).filter {
                $0.hasPrefix("start reconnect") || $0.hasPrefix("end")
            }
            _ = machine.elapsed(.reconnect, now: .zero)
        }
        #expect(waits == ["start reconnect 1", "start reconnect 2", "start reconnect 4", "end 1 connectionFailed"])
        #expect(machine.phase == .idle)
        #expect(
            Self.what(machine.subscribe("b", id: SubscriptionID(2), isOneShot: false)) == ["open 5 1"],
            "subscribing again connects again")
    }

    @Test("A timer of zero duration is clamped to 1 ms, so that it cannot busy-loop")
    func shortTimer() {
        var machine = Self.machine()
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        _ = Self.ready(&machine, confirms: false)
        let waits = machine.received(1, message: .text("alarm 0"), now: .zero).compactMap { action -> Duration? in
            if case .startTimer(.session("alarm"), let wait) = action { wait } else { nil }
        }
        #expect(waits == [.milliseconds(1)])
    }

    @Test("A session can drop a connection, end it for good, and set its own timers")
    func sessionActions() {
        var machine = Self.machine()
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        _ = Self.ready(&machine, confirms: false)
        #expect(Self.words(machine.received(1, message: .text("alarm 7"), now: .zero)) == ["start alarm 7"])
        #expect(Self.words(machine.elapsed(.session("alarm"), now: .zero)) == ["send alarm"])
        #expect(Self.what(machine.received(1, message: .text("leave"), now: .zero)) == ["drop 1", "interrupted 1 1"])
        _ = machine.elapsed(.reconnect, now: .zero)
        _ = Self.ready(&machine, confirms: false)
        #expect(
            Self.what(machine.received(2, message: .text("end"), now: .zero)) == [
                "close 2 4001", "end 1 connectionLost",
            ])
        _ = machine.subscribe("b", id: SubscriptionID(2), isOneShot: false)
        _ = Self.ready(&machine, confirms: false)
        #expect(
            Self.what(machine.received(3, message: .text("what?"), now: .zero)) == [
                "close 3 1002", "end 2 invalidMessage",
            ])
    }

    @Test("disconnect() ends all subscriptions, and a subscription made meanwhile gets the next connection")
    func disconnects() {
        var machine = Self.machine()
        _ = machine.connect()
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        _ = Self.ready(&machine)
        _ = machine.received(1, message: .text("ok 1"), now: .zero)
        #expect(Self.what(machine.disconnect()) == ["send bye 1"])
        #expect(Self.what(machine.subscribe("b", id: SubscriptionID(2), isOneShot: false)).isEmpty)
        #expect(
            Self.what(machine.received(1, message: .text("gone 1"), now: .zero)) == [
                "end 1 well", "send farewell", "close 1 1000", "open 2 1",
            ])
        #expect(Self.what(Self.ready(&machine)).last == "send sub 2 b")
    }

    @Test("reconnect() replaces the connection or the backoff, and restarts the count")
    func reconnects() {
        var machine = Self.machine()
        _ = machine.subscribe("a", id: SubscriptionID(1), isOneShot: false)
        #expect(Self.what(machine.reconnect()) == ["interrupted 1 0", "drop 1", "open 2 1"])
        _ = Self.ready(&machine, confirms: false)
        #expect(Self.what(machine.reconnect()) == ["interrupted 1 0", "close 2 1001", "open 3 1"])
        _ = machine.lost(3, loss: Self.loss(), now: .zero)
        #expect(Self.what(machine.reconnect()) == ["open 4 1"])
        #expect(Self.what(Self.ready(&machine, confirms: false)).suffix(2) == ["send sub 1 a", "resumed 1"])
    }
}
