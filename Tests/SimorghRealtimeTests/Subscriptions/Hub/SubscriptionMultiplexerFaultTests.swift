// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import TestSupport
import Testing

/// Slow and failing parts, as events of the state machine: deadlines, postponements, completions, closing.
@Suite(.timeLimit(.minutes(5)))
struct SubscriptionMultiplexerFaultTests {
    private typealias Machine = SubscriptionStateMachine<PlainProtocol.Session>
    private typealias Tests = SubscriptionStateMachineTests

    private static func id(_ number: Int) -> SubscriptionID { SubscriptionID(number) }

    /// Returns a machine whose subscriptions were sent to the server.
    private static func asked(
        _ count: Int, confirms: Bool = true, prepares: Bool = false,
        _ change: (inout SubscriptionOptions) -> Void = { _ in }
    ) -> Machine {
        var machine = Tests.machine(prepares: prepares, change)
        for number in 1...max(1, count) { _ = machine.subscribe("t\(number)", id: id(number), isOneShot: false) }
        _ = Tests.ready(&machine, confirms: confirms)
        return machine
    }

    @Test("The timeout of a subscribe message starts when it is written, not while it waits to be written")
    func begins() {
        var machine = Tests.machine()
        _ = machine.subscribe("a", id: Self.id(1), isOneShot: false)
        let words = Tests.words(Tests.ready(&machine))
        #expect(words.suffix(2) == ["send sub 1 a", "mark 1"])
        #expect(!words.contains { $0.hasPrefix("start subscribe") })
        #expect(Tests.words(machine.written(1, id: Self.id(1))) == ["start subscribe-1 10"])
        #expect(machine.written(1, id: Self.id(1)).isEmpty && machine.written(0, id: Self.id(1)).isEmpty)
        #expect(
            Tests.words(machine.received(1, message: .text("ok 1"), now: .zero)) == [
                "stop subscribe-1", "subscribed 1",
            ])
        #expect(machine.written(1, id: Self.id(1)).isEmpty, "the response came first")
    }

    @Test("answerTimeout applies to a one-shot request, accepted or not", arguments: [true, false])
    func answers(confirms: Bool) {
        var machine = Tests.machine { $0.answerTimeout = .seconds(30) }
        _ = machine.subscribe("a", id: Self.id(1), isOneShot: true)
        _ = machine.connect()
        #expect(Tests.words(Tests.ready(&machine, confirms: confirms)).last == "mark 1")
        #expect(Tests.words(machine.written(1, id: Self.id(1))) == ["start subscribe-1 30"])
        if confirms {
            #expect(Tests.words(machine.received(1, message: .text("ok 1"), now: .zero)) == ["subscribed 1"])
        }
        #expect(
            Tests.what(machine.elapsed(.subscribe(Self.id(1)), now: .seconds(30))) == ["send bye 1", "end 1 timedOut"])
    }

    @Test("A postponed subscription is sent again after growing delays, then fails")
    func postpones() {
        var machine = Self.asked(2)
        _ = machine.received(1, message: .text("ok 1"), now: .zero)
        _ = machine.received(1, message: .text("ok 2"), now: .zero)
        for wait in [1, 2, 4] {
            #expect(
                Tests.words(machine.received(1, message: .text("later 1 crashed"), now: .zero)) == [
                    "interrupted 1 \(wait)", "start again-1 \(wait)",
                ])
            #expect(machine.received(1, message: .text("event 1 late"), now: .zero).isEmpty)
            #expect(Tests.what(machine.elapsed(.again(Self.id(1)), now: .zero)) == ["send sub 1 t1"])
            #expect(Tests.words(machine.received(1, message: .text("ok 1"), now: .zero)) == ["resumed 1"])
        }
        #expect(Tests.what(machine.received(1, message: .text("later 1 crashed"), now: .zero)) == ["end 1 failed"])
        #expect(machine.entries[Self.id(2)]?.stage == .live, "the other continues")
        #expect(
            Tests.words(machine.received(1, message: .text("later 2 crashed"), now: .seconds(11))).first
                == "interrupted 2 1")
        _ = machine.elapsed(.again(Self.id(2)), now: .seconds(12))
        _ = machine.written(1, id: Self.id(2))
        #expect(
            Tests.what(machine.elapsed(.subscribe(Self.id(2)), now: .seconds(22))).contains("end 2 timedOut"),
            "a missing response ends it")
    }

    @Test("A long-lived subscription restarts the count; unsubscribing ends a postponed one; a one-shot request fails")
    func postponesAnew() {
        var machine = Self.asked(1)
        for number in 1...5 {
            _ = machine.received(1, message: .text("ok 1"), now: .seconds(number * 100))
            #expect(
                Tests.words(machine.received(1, message: .text("later 1 x"), now: .seconds(number * 100 + 50))).first
                    == "interrupted 1 1")
            _ = machine.elapsed(.again(Self.id(1)), now: .seconds(number * 100 + 51))
        }
        _ = machine.received(1, message: .text("later 1 x"), now: .seconds(600))
        #expect(Tests.what(machine.unsubscribe(Self.id(1))) == ["end 1 well", "send farewell", "close 1 1000"])

        var once = Tests.machine()
        _ = once.subscribe("a", id: Self.id(1), isOneShot: true)
        _ = Tests.ready(&once)
        #expect(Tests.what(once.received(1, message: .text("later 1 x"), now: .zero)).first == "end 1 refused")
    }

    @Test(
        "Further messages about a postponed subscription do not end it",
        arguments: ["done 1", "no 1 why", "gone 1", "ok 1", "later 1 crashed"])
    func saysTwice(word: String) {
        var machine = Self.asked(1)
        #expect(Tests.what(machine.received(1, message: .text("later 1 crashed"), now: .zero)) == ["interrupted 1 1"])
        #expect(machine.received(1, message: .text(word), now: .zero).isEmpty)
        #expect(Tests.what(machine.elapsed(.again(Self.id(1)), now: .seconds(1))) == ["send sub 1 t1"])
    }

    @Test("Messages about a subscription that was not sent on that connection do not affect it")
    func unasked() {
        var machine = Self.asked(1)
        _ = machine.received(1, message: .text("ok 1"), now: .zero)
        _ = machine.disconnect()
        _ = machine.subscribe("b", id: Self.id(2), isOneShot: false)
        for word in ["done 2", "no 2 why", "ok 2", "event 2 x", "gone 2"] {
            #expect(machine.received(1, message: .text(word), now: .zero).isEmpty)
        }
        #expect(Tests.what(machine.received(1, message: .text("gone 1"), now: .zero)).last == "open 2 1")
        #expect(Tests.what(Tests.ready(&machine)).last == "send sub 2 b")
    }

    @Test("A completion that fails with a transient error is retried, with another it ends; each has a timeout")
    func completions() {
        var machine = Self.asked(3, prepares: true)
        let passing: Result<String, any Error> = .failure(TransportError(.timedOut, phase: .total, message: "late"))
        #expect(
            Tests.words(machine.prepared(1, id: Self.id(1), outcome: passing)) == [
                "stop subscribe-1", "interrupted 1 1", "start again-1 1",
            ])
        #expect(
            Tests.words(machine.elapsed(.again(Self.id(1)), now: .seconds(1))) == [
                "prepare 1 1", "start subscribe-1 10",
            ])
        let final: Result<String, any Error> = .failure(PlainProtocol.Refusal(why: "no"))
        #expect(Tests.what(machine.prepared(1, id: Self.id(2), outcome: final)) == ["end 2 invalidRequest"])
        #expect(
            Tests.what(machine.elapsed(.subscribe(Self.id(3)), now: .seconds(10))) == ["cancel 3", "interrupted 3 1"])
        #expect(machine.prepared(1, id: Self.id(3), outcome: .success("late")).isEmpty)
        #expect(Tests.what(machine.unsubscribe(Self.id(1))) == ["end 1 well", "cancel 1"])
    }

    @Test("Completed operations are sent in order, but wait at most one second for a late one")
    func passesBy() {
        var machine = Self.asked(4, prepares: true)
        #expect(Tests.what(machine.prepared(1, id: Self.id(2), outcome: .success("b"))).isEmpty, "1 is sent first")
        #expect(
            Tests.what(machine.prepared(1, id: Self.id(1), outcome: .success("a"))) == ["send sub 1 a", "send sub 2 b"])
        #expect(Tests.what(machine.prepared(1, id: Self.id(4), outcome: .success("d"))).isEmpty)
        #expect(Tests.what(machine.elapsed(.preparation, now: .seconds(1))) == ["send sub 4 d"])
        #expect(Tests.what(machine.prepared(1, id: Self.id(3), outcome: .success("c"))) == ["send sub 3 c"])
    }

    @Test("At most 32 operations are completed at once, and one that ends makes room for the next")
    func manyCompletions() {
        var machine = Tests.machine(prepares: true)
        for number in 1...40 { _ = machine.subscribe("t", id: Self.id(number), isOneShot: false) }
        #expect(Tests.what(Tests.ready(&machine)).count { $0.hasPrefix("prepare") } == 32)
        #expect(Tests.what(machine.unsubscribe(Self.id(1))) == ["end 1 well", "cancel 1", "prepare 1 33"])
        #expect(
            Tests.what(machine.prepared(1, id: Self.id(2), outcome: .success("b"))) == ["send sub 2 b", "prepare 1 34"])
        let lost = Tests.what(machine.lost(1, loss: Tests.loss(), now: .zero))
        #expect(lost.count { $0.hasPrefix("cancel") } == 32)
    }

    @Test("While a slow listener suspends the reader, silence and server deadlines do not time out")
    func suspends() {
        var machine = Self.asked(2)
        _ = machine.received(1, message: .text("ok 1"), now: .zero)
        _ = machine.written(1, id: Self.id(2))
        _ = machine.received(1, message: .text("tick 5"), now: .zero)
        _ = machine.received(1, message: .text("alarm 7"), now: .zero)
        _ = machine.suspended(1)
        #expect(Tests.words(machine.elapsed(.silence, now: .seconds(5))) == ["start silence 5"])
        #expect(Tests.words(machine.elapsed(.session("alarm"), now: .seconds(7))) == ["start alarm 7"])
        #expect(
            Tests.words(machine.elapsed(.subscribe(Self.id(2)), now: .seconds(10))) == ["start subscribe-2 10"])
        _ = machine.resumed(1, now: .seconds(12))
        #expect(Tests.words(machine.elapsed(.silence, now: .seconds(13))) == ["start silence 4"])
        #expect(Tests.words(machine.elapsed(.session("alarm"), now: .seconds(14))) == ["start alarm 7"])
        #expect(Tests.what(machine.elapsed(.silence, now: .seconds(17))).first == "drop 1", "now the silence counts")
    }

    @Test("Subscribing while the connection closes is not affected by how that ends", arguments: 0..<3)
    func subscribingWhileClosing(ending: Int) {
        var machine = Self.asked(1)
        _ = machine.received(1, message: .text("ok 1"), now: .zero)
        _ = machine.disconnect()
        _ = machine.subscribe("b", id: Self.id(2), isOneShot: false)
        let actions: [SubscriptionMachineAction] =
            switch ending {
            case 0: machine.lost(1, loss: Tests.loss(), now: .zero)
            case 1: machine.received(1, message: .text("end"), now: .zero)
            default: machine.received(1, message: .text("leave"), now: .zero)
            }
        let words = Tests.what(actions)
        #expect(words.contains("end 1 well") && words.last == "open 2 1" && !words.contains { $0.hasPrefix("end 2") })
        #expect(Tests.what(Tests.ready(&machine)).last == "send sub 2 b")
    }

    @Test("maximumSubscriptions does not count subscriptions whose unsubscription is unconfirmed")
    func bound() {
        var machine = Self.asked(1) { $0.maximumSubscriptions = 1 }
        _ = machine.received(1, message: .text("ok 1"), now: .zero)
        #expect(
            Tests.what(machine.subscribe("b", id: Self.id(2), isOneShot: false)) == ["end 2 tooManySubscriptions"])
        #expect(Tests.what(machine.unsubscribe(Self.id(1))) == ["send bye 1"])
        #expect(Tests.what(machine.subscribe("c", id: Self.id(3), isOneShot: false)) == ["send sub 3 c"])
        #expect(
            Tests.what(machine.subscribe("d", id: Self.id(4), isOneShot: false)) == ["end 4 tooManySubscriptions"])
        #expect(Tests.what(machine.received(1, message: .text("gone 1"), now: .zero)) == ["end 1 well"])
        #expect(
            Tests.what(machine.subscribe("e", id: Self.id(5), isOneShot: false)) == ["end 5 tooManySubscriptions"])
    }

    @Test("A subscription with an ID that is in use is ignored; the first one continues")
    func duplicate() {
        var machine = Self.asked(1) { $0.maximumSubscriptions = 1 }
        #expect(Tests.what(machine.subscribe("b", id: Self.id(1), isOneShot: false)).isEmpty)
        #expect(machine.entries[Self.id(1)]?.operation == "t1")
    }

    @Test("maximumSubscriptions does not count the subscriptions of a connection that is closing")
    func boundWhileClosing() {
        var machine = Self.asked(1) { $0.maximumSubscriptions = 1 }
        _ = machine.received(1, message: .text("ok 1"), now: .zero)
        #expect(Tests.what(machine.disconnect(after: Self.id(1))) == ["send bye 1"])
        #expect(Tests.what(machine.subscribe("b", id: Self.id(2), isOneShot: false)).isEmpty)
        #expect(Tests.what(machine.received(1, message: .text("gone 1"), now: .zero)).last == "open 2 1")
        #expect(Tests.what(Tests.ready(&machine)).last == "send sub 2 b")
    }

    @Test("Unsubscribing in reverse order closes the connection after both, without lingering")
    func crossing() {
        var machine = Self.asked(2) { $0.linger = .seconds(5) }
        for number in 1...2 { _ = machine.received(1, message: .text("ok \(number)"), now: .zero) }
        #expect(Tests.what(machine.disconnect(after: Self.id(2))) == ["send bye 2"])
        #expect(Tests.what(machine.disconnect(after: Self.id(1))) == ["send bye 1"])
        #expect(Tests.what(machine.received(1, message: .text("gone 1"), now: .zero)) == ["end 1 well"])
        #expect(
            Tests.what(machine.received(1, message: .text("gone 2"), now: .zero)) == [
                "end 2 well", "send farewell", "close 1 1000",
            ])
    }

    @Test(
        "reconnect() during the last unsubscription opens a connection only if it is held", arguments: [true, false])
    func reconnectsEmpty(holdsIfEmpty: Bool) {
        var machine = Self.asked(1)
        _ = machine.received(1, message: .text("ok 1"), now: .zero)
        #expect(Tests.what(machine.unsubscribe(Self.id(1))) == ["send bye 1"])
        #expect(
            Tests.what(machine.reconnect(holdsIfEmpty: holdsIfEmpty))
                == ["end 1 well", "close 1 1001"] + (holdsIfEmpty ? ["open 2 1"] : []))
        #expect(machine.phase == (holdsIfEmpty ? .opening : .idle))
    }

    @Test("connect() while the connection closes opens the next one")
    func heldAgain() {
        var machine = Self.asked(1)
        _ = machine.received(1, message: .text("ok 1"), now: .zero)
        _ = machine.disconnect()
        _ = machine.connect()
        #expect(Tests.what(machine.received(1, message: .text("gone 1"), now: .zero)).last == "open 2 1")
    }

    @Test("A subscription that ends at once does not keep the connection", arguments: ["done", "impossible"])
    func overAtOnce(topic: String) {
        var machine = Self.asked(1, confirms: false) { $0.linger = .seconds(5) }
        _ = machine.received(1, message: .text("done 1"), now: .zero)
        let words = Tests.words(machine.subscribe(topic, id: Self.id(2), isOneShot: false))
        #expect(words.first == "stop linger" && words.last == "start linger 5")
    }

    @Test("A session that drops the connection while subscribing leaves no other subscription half sent")
    func leavesWhileAsking() {
        var machine = Tests.machine()
        for (number, topic) in ["a", "leave", "c"].enumerated() {
            _ = machine.subscribe(topic, id: Self.id(number + 1), isOneShot: false)
        }
        let words = Tests.what(Tests.ready(&machine))
        #expect(words.contains("drop 1") && !words.contains("send sub 3 c"))
        #expect(machine.entries.values.allSatisfy { $0.stage == .unsent })
        _ = machine.unsubscribe(Self.id(2))
        _ = machine.elapsed(.reconnect, now: .seconds(1))
        #expect(Tests.what(Tests.ready(&machine)).suffix(2) == ["send sub 1 a", "send sub 3 c"])
    }

    @Test("Describing a connection has a timeout, too")
    func describes() {
        var machine = Tests.machine()
        #expect(
            Tests.words(machine.subscribe("a", id: Self.id(1), isOneShot: false)).suffix(2) == [
                "open 1 1", "start ready 10",
            ])
        #expect(Tests.what(machine.elapsed(.ready, now: .seconds(10))) == ["drop 1", "interrupted 1 1"])
        _ = machine.elapsed(.reconnect, now: .seconds(11))
        #expect(Tests.words(machine.requestCreated(2)) == ["stop ready"], "connecting has its own timeout")
    }
}
