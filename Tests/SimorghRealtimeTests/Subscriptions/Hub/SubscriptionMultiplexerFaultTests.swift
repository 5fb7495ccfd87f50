// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import TestSupport
import Testing

/// What goes slow or wrong, told to the machine: deadlines, postponements, completions, goodbyes.
@Suite(.timeLimit(.minutes(5)))
struct SubscriptionHubFaultTests {
    private typealias Machine = SubscriptionStateMachine<PlainProtocol.Session>
    private typealias Tests = SubscriptionHubMachineTests

    private static func id(_ number: Int) -> SubscriptionID { SubscriptionID(number) }

    /// A machine with subscriptions that the server was asked for.
    private static func asked(
        _ count: Int, confirms: Bool = true, prepares: Bool = false,
        _ change: (inout SubscriptionOptions) -> Void = { _ in }
    ) -> Machine {
        var machine = Tests.machine(prepares: prepares, change)
        for number in 1...max(1, count) { _ = machine.subscribe("t\(number)", id: id(number), isOneShot: false) }
        _ = Tests.ready(&machine, confirms: confirms)
        return machine
    }

    @Test("The server's time for its word begins when it was asked, not when that waits to be sent")
    func begins() {
        var machine = Tests.machine()
        _ = machine.subscribe("a", id: Self.id(1), isOneShot: false)
        let words = Tests.words(Tests.ready(&machine))
        #expect(words.suffix(2) == ["send sub 1 a", "mark 1"])
        #expect(!words.contains { $0.hasPrefix("start subscribe") })
        #expect(Tests.words(machine.written(1, Self.id(1))) == ["start subscribe-1 10"])
        #expect(machine.written(1, Self.id(1)).isEmpty && machine.written(0, Self.id(1)).isEmpty)
        #expect(Tests.words(machine.received(1, .text("ok 1"), now: .zero)) == ["stop subscribe-1", "subscribed 1"])
        #expect(machine.written(1, Self.id(1)).isEmpty, "the word came first")
    }

    @Test("What is asked once has its time for the answer, be it accepted or not", arguments: [true, false])
    func answers(confirms: Bool) {
        var machine = Tests.machine { $0.answerTimeout = .seconds(30) }
        _ = machine.subscribe("a", id: Self.id(1), isOneShot: true)
        _ = machine.connect()
        #expect(Tests.words(Tests.ready(&machine, confirms: confirms)).last == "mark 1")
        #expect(Tests.words(machine.written(1, Self.id(1))) == ["start subscribe-1 30"])
        if confirms { #expect(Tests.words(machine.received(1, .text("ok 1"), now: .zero)) == ["subscribed 1"]) }
        #expect(
            Tests.what(machine.elapsed(.subscribe(Self.id(1)), now: .seconds(30))) == ["send bye 1", "end 1 timedOut"])
    }

    @Test("What the server does not have for now is asked for again, each wait longer, then it fails")
    func postpones() {
        var machine = Self.asked(2)
        _ = machine.received(1, .text("ok 1"), now: .zero)
        _ = machine.received(1, .text("ok 2"), now: .zero)
        for wait in [1, 2, 4] {
            #expect(
                Tests.words(machine.received(1, .text("later 1 crashed"), now: .zero)) == [
                    "interrupted 1 \(wait)", "start again-1 \(wait)",
                ])
            #expect(machine.received(1, .text("event 1 late"), now: .zero).isEmpty)
            #expect(Tests.what(machine.elapsed(.again(Self.id(1)), now: .zero)) == ["send sub 1 t1"])
            #expect(Tests.words(machine.received(1, .text("ok 1"), now: .zero)) == ["resumed 1"])
        }
        #expect(Tests.what(machine.received(1, .text("later 1 crashed"), now: .zero)) == ["end 1 failed"])
        #expect(machine.entries[Self.id(2)]?.stage == .live, "the other goes on")
        #expect(
            Tests.words(machine.received(1, .text("later 2 crashed"), now: .seconds(11))).first == "interrupted 2 1")
        _ = machine.elapsed(.again(Self.id(2)), now: .seconds(12))
        _ = machine.written(1, Self.id(2))
        #expect(
            Tests.what(machine.elapsed(.subscribe(Self.id(2)), now: .seconds(22))).contains("end 2 timedOut"),
            "no word is an end")
    }

    @Test("One that has stood for long counts anew; one that is left while it waits is over; what is asked once fails")
    func postponesAnew() {
        var machine = Self.asked(1)
        for number in 1...5 {
            _ = machine.received(1, .text("ok 1"), now: .seconds(number * 100))
            #expect(
                Tests.words(machine.received(1, .text("later 1 x"), now: .seconds(number * 100 + 50))).first
                    == "interrupted 1 1")
            _ = machine.elapsed(.again(Self.id(1)), now: .seconds(number * 100 + 51))
        }
        _ = machine.received(1, .text("later 1 x"), now: .seconds(600))
        #expect(Tests.what(machine.unsubscribe(Self.id(1))) == ["end 1 well", "send farewell", "close 1 1000"])

        var once = Tests.machine()
        _ = once.subscribe("a", id: Self.id(1), isOneShot: true)
        _ = Tests.ready(&once)
        #expect(Tests.what(once.received(1, .text("later 1 x"), now: .zero)).first == "end 1 refused")
    }

    @Test(
        "What the server says once more of one that it does not have for now does not end that",
        arguments: ["done 1", "no 1 why", "gone 1", "ok 1", "later 1 crashed"])
    func saysTwice(word: String) {
        var machine = Self.asked(1)
        #expect(Tests.what(machine.received(1, .text("later 1 crashed"), now: .zero)) == ["interrupted 1 1"])
        #expect(machine.received(1, .text(word), now: .zero).isEmpty)
        #expect(Tests.what(machine.elapsed(.again(Self.id(1)), now: .seconds(1))) == ["send sub 1 t1"])
    }

    @Test("What the server of a connection says of one that it was never asked for is nothing to the next connection")
    func unasked() {
        var machine = Self.asked(1)
        _ = machine.received(1, .text("ok 1"), now: .zero)
        _ = machine.disconnect()
        _ = machine.subscribe("b", id: Self.id(2), isOneShot: false)
        for word in ["done 2", "no 2 why", "ok 2", "event 2 x", "gone 2"] {
            #expect(machine.received(1, .text(word), now: .zero).isEmpty)
        }
        #expect(Tests.what(machine.received(1, .text("gone 1"), now: .zero)).last == "open 2 1")
        #expect(Tests.what(Tests.ready(&machine)).last == "send sub 2 b")
    }

    @Test("A completion that fails in what may pass is tried again, another is final; each has its time")
    func completions() {
        var machine = Self.asked(3, prepares: true)
        let passing: Result<String, any Error> = .failure(TransportError(.timedOut, phase: .total, message: "late"))
        #expect(
            Tests.words(machine.prepared(1, Self.id(1), passing)) == [
                "stop subscribe-1", "interrupted 1 1", "start again-1 1",
            ])
        #expect(
            Tests.words(machine.elapsed(.again(Self.id(1)), now: .seconds(1))) == [
                "prepare 1 1", "start subscribe-1 10",
            ])
        let final: Result<String, any Error> = .failure(PlainProtocol.Refusal(why: "no"))
        #expect(Tests.what(machine.prepared(1, Self.id(2), final)) == ["end 2 invalidRequest"])
        #expect(
            Tests.what(machine.elapsed(.subscribe(Self.id(3)), now: .seconds(10))) == ["cancel 3", "interrupted 3 1"])
        #expect(machine.prepared(1, Self.id(3), .success("late")).isEmpty)
        #expect(Tests.what(machine.unsubscribe(Self.id(1))) == ["end 1 well", "cancel 1"])
    }

    @Test("What is complete goes out in order, but nobody waits long for one that is late")
    func passesBy() {
        var machine = Self.asked(4, prepares: true)
        #expect(Tests.what(machine.prepared(1, Self.id(2), .success("b"))).isEmpty, "1 comes first")
        #expect(Tests.what(machine.prepared(1, Self.id(1), .success("a"))) == ["send sub 1 a", "send sub 2 b"])
        #expect(Tests.what(machine.prepared(1, Self.id(4), .success("d"))).isEmpty)
        #expect(Tests.what(machine.elapsed(.completion, now: .seconds(1))) == ["send sub 4 d"])
        #expect(Tests.what(machine.prepared(1, Self.id(3), .success("c"))) == ["send sub 3 c"])
    }

    @Test("No more than so many are completed at once, and one that is left makes room")
    func manyCompletions() {
        var machine = Tests.machine(prepares: true)
        for number in 1...40 { _ = machine.subscribe("t", id: Self.id(number), isOneShot: false) }
        #expect(Tests.what(Tests.ready(&machine)).count { $0.hasPrefix("prepare") } == 32)
        #expect(Tests.what(machine.unsubscribe(Self.id(1))) == ["end 1 well", "cancel 1", "prepare 1 33"])
        #expect(Tests.what(machine.prepared(1, Self.id(2), .success("b"))) == ["send sub 2 b", "prepare 1 34"])
        let lost = Tests.what(machine.lost(1, Tests.loss(), now: .zero))
        #expect(lost.count { $0.hasPrefix("cancel") } == 32)
    }

    @Test("While a slow listener holds the reader back, silence is none, and no deadline of the server's runs out")
    func suspends() {
        var machine = Self.asked(2)
        _ = machine.received(1, .text("ok 1"), now: .zero)
        _ = machine.written(1, Self.id(2))
        _ = machine.received(1, .text("tick 5"), now: .zero)
        _ = machine.received(1, .text("alarm 7"), now: .zero)
        _ = machine.suspended(1)
        #expect(Tests.words(machine.elapsed(.silence, now: .seconds(5))) == ["start silence 5"])
        #expect(Tests.words(machine.elapsed(.session("alarm"), now: .seconds(7))) == ["start alarm 7"])
        #expect(
            Tests.words(machine.elapsed(.subscribe(Self.id(2)), now: .seconds(10))) == ["start subscribe-2 10"])
        _ = machine.resumed(1, now: .seconds(12))
        #expect(Tests.words(machine.elapsed(.silence, now: .seconds(13))) == ["start silence 4"])
        #expect(Tests.words(machine.elapsed(.session("alarm"), now: .seconds(14))) == ["start alarm 7"])
        #expect(Tests.what(machine.elapsed(.silence, now: .seconds(17))).first == "drop 1", "now it is one")
    }

    @Test("Who subscribes during a goodbye has nothing to do with how that ends", arguments: 0..<3)
    func goodbyes(ending: Int) {
        var machine = Self.asked(1)
        _ = machine.received(1, .text("ok 1"), now: .zero)
        _ = machine.disconnect()
        _ = machine.subscribe("b", id: Self.id(2), isOneShot: false)
        let actions: [SubscriptionMachineAction] =
            switch ending {
            case 0: machine.lost(1, Tests.loss(), now: .zero)
            case 1: machine.received(1, .text("end"), now: .zero)
            default: machine.received(1, .text("leave"), now: .zero)
            }
        let words = Tests.what(actions)
        #expect(words.contains("end 1 well") && words.last == "open 2 1" && !words.contains { $0.hasPrefix("end 2") })
        #expect(Tests.what(Tests.ready(&machine)).last == "send sub 2 b")
    }

    @Test("One whose end is awaited takes no place from another")
    func bound() {
        var machine = Self.asked(1) { $0.maximumSubscriptions = 1 }
        _ = machine.received(1, .text("ok 1"), now: .zero)
        #expect(
            Tests.what(machine.subscribe("b", id: Self.id(2), isOneShot: false)) == ["end 2 tooManySubscriptions"])
        #expect(Tests.what(machine.unsubscribe(Self.id(1))) == ["send bye 1"])
        #expect(Tests.what(machine.subscribe("c", id: Self.id(3), isOneShot: false)) == ["send sub 3 c"])
        #expect(
            Tests.what(machine.subscribe("d", id: Self.id(4), isOneShot: false)) == ["end 4 tooManySubscriptions"])
        #expect(Tests.what(machine.received(1, .text("gone 1"), now: .zero)) == ["end 1 well"])
        #expect(
            Tests.what(machine.subscribe("e", id: Self.id(5), isOneShot: false)) == ["end 5 tooManySubscriptions"])
    }

    @Test("Of those that there may be at once, the next connection has as many as the one that says goodbye")
    func boundAfterGoodbye() {
        var machine = Self.asked(1) { $0.maximumSubscriptions = 1 }
        _ = machine.received(1, .text("ok 1"), now: .zero)
        #expect(Tests.what(machine.disconnect(after: Self.id(1))) == ["send bye 1"])
        #expect(Tests.what(machine.subscribe("b", id: Self.id(2), isOneShot: false)).isEmpty)
        #expect(Tests.what(machine.received(1, .text("gone 1"), now: .zero)).last == "open 2 1")
        #expect(Tests.what(Tests.ready(&machine)).last == "send sub 2 b")
    }

    @Test("Where the ends of two are told the other way round, the connection goes with them and does not linger")
    func crossing() {
        var machine = Self.asked(2) { $0.linger = .seconds(5) }
        for number in 1...2 { _ = machine.received(1, .text("ok \(number)"), now: .zero) }
        #expect(Tests.what(machine.disconnect(after: Self.id(2))) == ["send bye 2"])
        #expect(Tests.what(machine.disconnect(after: Self.id(1))) == ["send bye 1"])
        #expect(Tests.what(machine.received(1, .text("gone 1"), now: .zero)) == ["end 1 well"])
        #expect(
            Tests.what(machine.received(1, .text("gone 2"), now: .zero)) == [
                "end 2 well", "send farewell", "close 1 1000",
            ])
    }

    @Test(
        "Reconnecting while the last is being left opens a connection to keep, or none", arguments: [true, false])
    func reconnectsEmpty(isHeld: Bool) {
        var machine = Self.asked(1)
        _ = machine.received(1, .text("ok 1"), now: .zero)
        #expect(Tests.what(machine.unsubscribe(Self.id(1))) == ["send bye 1"])
        #expect(
            Tests.what(machine.reconnect(isHeld: isHeld))
                == ["end 1 well", "close 1 1001"] + (isHeld ? ["open 2 1"] : []))
        #expect(machine.phase == (isHeld ? .opening : .idle))
    }

    @Test("Who wants the connection during its goodbye gets the next")
    func heldAgain() {
        var machine = Self.asked(1)
        _ = machine.received(1, .text("ok 1"), now: .zero)
        _ = machine.disconnect()
        _ = machine.connect()
        #expect(Tests.what(machine.received(1, .text("gone 1"), now: .zero)).last == "open 2 1")
    }

    @Test("What is over as soon as it is asked for does not keep the connection", arguments: ["done", "impossible"])
    func overAtOnce(topic: String) {
        var machine = Self.asked(1, confirms: false) { $0.linger = .seconds(5) }
        _ = machine.received(1, .text("done 1"), now: .zero)
        let words = Tests.words(machine.subscribe(topic, id: Self.id(2), isOneShot: false))
        #expect(words.first == "stop linger" && words.last == "start linger 5")
    }

    @Test("A session that leaves the connection when one is asked for leaves none of the others half asked")
    func leavesWhileAsking() {
        var machine = Tests.machine()
        for (number, topic) in ["a", "leave", "c"].enumerated() {
            _ = machine.subscribe(topic, id: Self.id(number + 1), isOneShot: false)
        }
        let words = Tests.what(Tests.ready(&machine))
        #expect(words.contains("drop 1") && !words.contains("send sub 3 c"))
        #expect(machine.entries.values.allSatisfy { $0.stage == .unasked })
        _ = machine.unsubscribe(Self.id(2))
        _ = machine.elapsed(.reconnect, now: .seconds(1))
        #expect(Tests.what(Tests.ready(&machine)).suffix(2) == ["send sub 1 a", "send sub 3 c"])
    }

    @Test("The description of a connection has its time, too")
    func describes() {
        var machine = Tests.machine()
        #expect(
            Tests.words(machine.subscribe("a", id: Self.id(1), isOneShot: false)).suffix(2) == [
                "open 1 1", "start ready 10",
            ])
        #expect(Tests.what(machine.elapsed(.ready, now: .seconds(10))) == ["drop 1", "interrupted 1 1"])
        _ = machine.elapsed(.reconnect, now: .seconds(11))
        #expect(Tests.words(machine.described(2)) == ["stop ready"], "how long it connects is said elsewhere")
    }
}
