// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EventSourceStateMachineTests {
    private typealias Ending = EventSourceStateMachine.Ending

    private static let lost = NetworkError.urlError(
        TransportError(.networkConnectionLost, phase: .body, message: "lost"))

    /// Returns the delay after a connection.
    private static func wait(
        _ machine: inout EventSourceStateMachine, opens: Bool = true, _ ending: Ending = Ending(), fraction: Double = 0
    ) -> Duration? {
        machine.willConnect(after: .zero)
        if opens { machine.didOpen() }
        guard case .reconnect(let delay, _) = machine.didEnd(ending, fraction: fraction) else { return nil }
        return delay
    }

    @Test(
        "A reconnection time of 0 or 10 ms becomes half a second, and more after a connection without events",
        arguments: [0, 10])
    func floor(milliseconds: Int) {
        var machine = EventSourceStateMachine(EventSourceOptions())
        machine.willConnect(after: .zero)
        machine.didOpen()
        machine.didDeliverEvent()
        machine.didReceive(lastEventID: "", reconnectionTime: .milliseconds(milliseconds))
        guard case .reconnect(let first, _) = machine.didEnd(Ending(), fraction: 0) else {
            Issue.record("the machine does not reconnect")
            return
        }
        #expect(first == .milliseconds(500))
        let waits = (0..<5).map { _ in Self.wait(&machine) }
        #expect(waits == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    }

    @Test("retry: 0 with one event per connection keeps a delay of half a second")
    func oneEvent() {
        var machine = EventSourceStateMachine(EventSourceOptions())
        for _ in 0..<100 {
            machine.willConnect(after: .zero)
            machine.didOpen()
            machine.didDeliverEvent()
            machine.didReceive(lastEventID: "", reconnectionTime: .zero)
            guard case .reconnect(let delay, let earliest) = machine.didEnd(Ending(), fraction: 0) else {
                Issue.record("the machine does not reconnect")
                return
            }
            #expect(delay == .milliseconds(500) && earliest == .milliseconds(500))
        }
    }

    @Test("Attempts without a network do not count until the waits reach the limit; then they count like others")
    func offline() {
        var options = EventSourceOptions()
        (options.maximumReconnects, options.maximumOfflineWait) = (1, .seconds(150))
        var machine = EventSourceStateMachine(options)
        let error = NetworkError.urlError(
            TransportError(.notConnectedToInternet, phase: .connect, message: "", requestMayHaveBeenSent: false))
        var wait = Duration.zero
        /// The time that each wait takes; `nil` for the planned time.
        var waited: Duration?
        func end(isOffline: Bool) -> Duration? {
            machine.willConnect(after: waited ?? wait)
            let decision = machine.didEnd(Ending(error, isOffline: isOffline), fraction: 0)
            guard case .reconnect(let delay, _) = decision else { return nil }
            wait = delay
            return delay
        }
        // Before the first stream, they count.
        #expect(end(isOffline: true) == .seconds(3) && end(isOffline: true) == nil)
        machine.willConnect(after: .zero)
        machine.didOpen()
        machine.didDeliverEvent()
        _ = machine.didEnd(Ending(), fraction: 0)
        for _ in 0..<2 {
            let waits = (0..<3).map { _ in end(isOffline: true) }
            #expect(waits == [.seconds(60), .seconds(60), .seconds(30)])
            machine.willConnect(after: .zero)
            machine.didOpen()
            machine.didDeliverEvent()
            _ = machine.didEnd(Ending(), fraction: 0)
        }
        for _ in 0..<3 { _ = end(isOffline: true) }
        #expect(end(isOffline: true) == .seconds(3) && end(isOffline: true) == nil)
        // The time that was waited counts, at most the planned time: 150 waits of a second, or three of an hour.
        for (time, count) in [(Duration.seconds(1), 150), (.seconds(3600), 3)] {
            machine.willConnect(after: .zero)
            machine.didOpen()
            machine.didDeliverEvent()
            _ = machine.didEnd(Ending(), fraction: 0)
            waited = time
            for _ in 0..<count { #expect((end(isOffline: true) ?? .zero) <= .seconds(60)) }
            #expect(end(isOffline: true) == .seconds(3) && end(isOffline: true) == nil)
        }
    }

    @Test("The first reconnection waits for the documented 3 s, the second twice as long", arguments: [true, false])
    func first(opens: Bool) {
        var machine = EventSourceStateMachine(EventSourceOptions())
        let waits = (0..<3).map { _ in Self.wait(&machine, opens: opens, Ending(Self.lost)) }
        #expect(waits == [.seconds(3), .seconds(6), .seconds(12)])
    }

    @Test("Retry-After: 1 replaces the reconnection time, and doubles from a second when repeated")
    func retryAfter() {
        var machine = EventSourceStateMachine(EventSourceOptions())
        let ending = Ending(Self.lost, minimumWait: .seconds(1))
        let waits = (0..<4).map { _ in Self.wait(&machine, opens: false, ending) }
        #expect(waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(Self.wait(&machine, opens: false, Ending(Self.lost, minimumWait: .seconds(30))) == .seconds(30))
    }

    @Test("Jitter adds up to a half, and the delay never exceeds an hour", arguments: [0, 0.5, 1])
    func jitter(fraction: Double) {
        var machine = EventSourceStateMachine(EventSourceOptions())
        machine.didReceive(lastEventID: "", reconnectionTime: .seconds(3600))
        #expect(Self.wait(&machine, fraction: fraction) == .seconds(3600))
        machine.didReceive(lastEventID: "", reconnectionTime: .seconds(10))
        let delay = Self.wait(&machine, Ending(lasted: .seconds(100)), fraction: fraction)
        #expect(delay == .seconds(10) + .seconds(10) * (fraction / 2))
        #expect(Self.wait(&machine, Ending(minimumWait: .seconds(9999)), fraction: fraction) == .seconds(3600))
    }

    @Test("A quiet feed reconnects forever, and its delay does not grow if its connections last")
    func quiet() {
        var options = EventSourceOptions()
        options.maximumReconnects = 2
        var machine = EventSourceStateMachine(options)
        for _ in 0..<1000 { #expect(Self.wait(&machine, Ending(lasted: .seconds(60))) == .seconds(3)) }
        for _ in 0..<1000 { #expect(Self.wait(&machine) != nil) }
        #expect(Self.wait(&machine, Ending(Self.lost)) == .seconds(60))
    }

    @Test("Consecutive failed attempts are counted, and an opened stream resets the count")
    func count() {
        var options = EventSourceOptions()
        options.maximumReconnects = 2
        var machine = EventSourceStateMachine(options)
        for _ in 0..<3 {
            #expect(Self.wait(&machine, opens: false, Ending(Self.lost)) != nil)
            #expect(Self.wait(&machine, opens: false, Ending(Self.lost)) != nil)
            #expect(Self.wait(&machine, Ending(Self.lost)) != nil)
        }
        #expect(Self.wait(&machine, opens: false, Ending(Self.lost)) != nil)
        #expect(Self.wait(&machine, opens: false, Ending(Self.lost)) != nil)
        #expect(Self.wait(&machine, opens: false, Ending(Self.lost)) == nil)
    }

    @Test("With maximumReconnects 0 there is no reconnection, even after an event", arguments: [true, false])
    func none(breaks: Bool) {
        var options = EventSourceOptions()
        options.maximumReconnects = 0
        var machine = EventSourceStateMachine(options)
        machine.willConnect(after: .zero)
        machine.didOpen()
        machine.didDeliverEvent()
        switch machine.didEnd(Ending(breaks ? Self.lost : nil), fraction: 0) {
        case .reconnect: Issue.record("the machine reconnects")
        case .end: #expect(!breaks)
        case .fail: #expect(breaks)
        }
    }

    @Test("A network that returns ends a delay early, but not before its minimum or the server's Retry-After")
    func least() {
        func earliest(_ machine: inout EventSourceStateMachine, _ ending: Ending = Ending()) -> Duration? {
            machine.willConnect(after: .zero)
            machine.didOpen()
            guard case .reconnect(_, let earliest) = machine.didEnd(ending, fraction: 0) else { return nil }
            return earliest
        }
        var machine = EventSourceStateMachine(EventSourceOptions())
        let first = (0..<3).map { _ in earliest(&machine) }
        #expect(first == [.milliseconds(500), .seconds(1), .milliseconds(1500)])
        #expect(earliest(&machine, Ending(minimumWait: .seconds(90))) == .seconds(90))
        #expect(earliest(&machine, Ending(minimumWait: .seconds(9999))) == .seconds(3600))
        // Never longer than the delay itself.
        var hasty = EventSourceStateMachine(EventSourceOptions())
        hasty.willConnect(after: .zero)
        hasty.didOpen()
        hasty.didDeliverEvent()
        hasty.didReceive(lastEventID: "", reconnectionTime: .milliseconds(10))
        guard case .reconnect(let delay, let least) = hasty.didEnd(Ending(), fraction: 0) else {
            Issue.record("the machine does not reconnect")
            return
        }
        #expect(delay == .milliseconds(500) && least == .milliseconds(500))
    }
}
