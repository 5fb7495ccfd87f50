// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghInspector
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct InspectorStateTests {
    private let date = Date(timeIntervalSince1970: 0)

    private func state(_ change: (inout InspectorState.Limits) -> Void = { _ in }) -> InspectorState {
        var limits = InspectorState.Limits()
        change(&limits)
        return InspectorState(limits)
    }

    private static func attempt(_ number: Int) -> InspectedAttempt {
        InspectedAttempt(number: number, start: .zero, exchange: FileExchange.empty)
    }

    private func begin(_ state: inout InspectorState, id: CallContext.ID = .next(), url: String = "https://a/") {
        state.begin(
            id, client: "c", method: "GET", url: url, at: .milliseconds(state.total), date: date,
            replay: .impossible("a test"))
    }

    @Test("Ten thousand calls keep the last thousand, within the bytes")
    func bounded() {
        var state = state()
        for index in 0..<10_000 { begin(&state, url: "https://example.com/\(index)") }
        #expect(state.calls.count == 1000 && state.total == 10_000 && state.firstNumber == 9001)
        #expect(state.calls.first?.number == 9001 && state.calls.last?.number == 10_000)
        #expect(state.bytes == state.calls.reduce(0) { $0 + $1.cost })
        #expect(state.call(9000) == nil && state.call(9001)?.url == "https://example.com/9000")
    }

    @Test("The oldest calls are dropped above the limit of bytes, and the newest one is kept")
    func bytes() {
        var state = state { $0.bytes = 10_000 }
        let ids = (0..<3).map { _ in CallContext.ID.next() }
        for id in ids { begin(&state, id: id) }
        for id in ids.dropFirst() { _ = state.append(Self.attempt(1), to: id, cost: 0) }
        state.update(ids[1]) { $0.grow(by: 8600, attempt: 1) }
        #expect(state.calls.map(\.number) == [2, 3])
        state.update(ids[2]) { $0.grow(by: 50_000, attempt: 1) }
        #expect(state.calls.map(\.number) == [3])
        // Later changes of a dropped call are ignored.
        state.update(ids[0]) { $0.grow(by: 1, attempt: 1) }
        #expect(state.bytes == state.calls[0].cost)
    }

    @Test("An attempt that is no longer kept costs nothing, and neither do its later bytes")
    func attemptCost() {
        var state = state()
        let id = CallContext.ID.next()
        begin(&state, id: id)
        let cost = state.bytes
        for number in 1...200 {
            _ = state.append(Self.attempt(number), to: id, cost: 100)
            state.update(id) { $0.grow(by: 1000, attempt: number) }
        }
        state.update(id) { $0.grow(by: 1_000_000, attempt: 1) }
        #expect(state.bytes == cost + InspectedCall.maximumAttempts * 1100)
        #expect(state.bytes == state.calls[0].cost)
    }

    @Test(
        "Neither a WebSocket nor an event stream is sent again",
        arguments: [
            (InspectedCall.Kind.http, nil), (.socket, "a WebSocket is not sent again"),
            (.events, "an event stream is not sent again"),
        ] as [(InspectedCall.Kind, String?)])
    func refusal(kind: InspectedCall.Kind, reason: String?) {
        var call = InspectedCall(
            number: 1, id: nil, client: "", start: .zero, date: date, method: "GET", url: "https://a/",
            replay: .request(TransportRequest(head: .get)))
        call.kind = kind
        #expect(call.replayRefusal == reason)
    }

    @Test("A dropped call releases the bodies of its attempts")
    func released() {
        var state = state { $0.calls = 1 }
        let (id, forgotten) = (CallContext.ID.next(), LockedValue(0))
        begin(&state, id: id)
        let exchange = CountingExchange(forgotten: forgotten)
        let first = state.append(InspectedAttempt(number: 1, start: .zero, exchange: exchange), to: id, cost: 1)
        #expect(first)
        begin(&state)
        for exchange in state.takeDiscarded() { exchange.forget() }
        let discarded = state.takeDiscarded()
        #expect(forgotten.value == 1 && discarded.isEmpty)
        let second = state.append(InspectedAttempt(number: 2, start: .zero, exchange: exchange), to: id, cost: 1)
        #expect(!second)
    }

    @Test("Attempts, steps and messages of a call are bounded")
    func parts() {
        var state = state { $0.messages = 10 }
        let id = CallContext.ID.next()
        begin(&state, id: id)
        let limit = state.limits.messages
        for number in 1...200 {
            _ = state.append(
                InspectedAttempt(number: number, start: .zero, exchange: FileExchange.empty), to: id, cost: 1)
            state.update(id) { call in
                call.append(InspectedStep(.retry, at: .zero, text: "again"))
                call.append(
                    InspectedMessage(.text, isSent: true, at: .zero, size: 1, text: "\(number)"), keeping: limit)
            }
        }
        for _ in 0..<200 { state.update(id) { $0.append(InspectedStep(.wait, at: .zero, text: "for a turn")) } }
        let call = state.calls[0]
        #expect(call.attempts.count == 64 && call.attemptCount == 200 && call.attempts.last?.number == 200)
        #expect(call.steps.count == 256)
        #expect(call.messages.count == 10 && call.messageCount == 200 && call.messages.first?.number == 191)
        #expect(state.takeDiscarded().count == 136)
    }

    @Test("A wait that the end of its call interrupts ends with the call")
    func interruptedWait() {
        var state = state()
        let id = CallContext.ID.next()
        begin(&state, id: id)
        state.update(id) { call in
            call.append(InspectedStep(.wait, at: .seconds(1), text: "for the network"))
            call.append(InspectedStep(.wait, at: .seconds(2), lasting: .seconds(1), text: "for a turn"))
        }
        let request = RequestContext(method: "GET", url: "https://a/", id: id, showing: .none)
        let end = CompletedEvent(
            request: request, outcome: .left(statusCode: 200, byteCount: 0), duration: .seconds(5), metrics: nil)
        state.apply(.completed(end), client: "c", at: .seconds(5), date: date)
        #expect(state.calls[0].steps.map(\.duration) == [.seconds(4), .seconds(1)])
    }

    @Test("While paused, running calls change and new ones are not recorded")
    func paused() {
        var state = state()
        let id = CallContext.ID.next()
        begin(&state, id: id)
        state.setPaused(true)
        begin(&state)
        state.update(id) { $0.redirects = 1 }
        #expect(state.calls.count == 1 && state.calls[0].redirects == 1)
        state.setPaused(false)
        begin(&state)
        #expect(state.calls.count == 2)
    }

    @Test("After removing all calls, numbers continue")
    func cleared() {
        var state = state()
        for _ in 0..<3 { begin(&state) }
        state.removeAll()
        #expect(state.calls.isEmpty && state.bytes == 0 && state.firstNumber == 4)
        begin(&state)
        #expect(state.calls[0].number == 4)
    }

    @Test("A page gets each call once per change, in parts")
    func changes() throws {
        var state = state()
        let ids = (0..<450).map { _ in CallContext.ID.next() }
        for id in ids { begin(&state, id: id) }
        var version = -1
        var numbers: [Int] = []
        var parts = 0
        while let changes = state.changes(since: version) {
            #expect(changes.version > version && changes.calls.count <= 200)
            version = changes.version
            numbers += changes.calls.map(\.number)
            parts += 1
        }
        #expect(numbers == Array(1...450) && parts == 3)
        state.update(ids[6]) { $0.redirects = 2 }
        let changes = try #require(state.changes(since: version))
        #expect(changes.calls.map(\.number) == [7] && changes.downloads == nil)
        #expect(state.changes(since: changes.version) == nil)
    }

    @Test("A page gets many calls in the order of their changes, not of their numbers")
    func order() {
        var state = state { $0.calls = 5000 }
        let ids = (0..<5000).map { _ in CallContext.ID.next() }
        for id in ids { begin(&state, id: id) }
        for id in ids.reversed() { state.update(id) { $0.redirects = 1 } }
        var version = -1
        var numbers: [Int] = []
        while let changes = state.changes(since: version) {
            version = changes.version
            numbers += changes.calls.map(\.number)
        }
        #expect(numbers == Array((1...5000).reversed()))
    }

    @Test("Impossible limits of a configuration are replaced", arguments: [(Int.max, 100_000), (-1, 1), (5, 5)])
    func limits(configured: Int, valid: Int) {
        var configuration = Inspector.Configuration()
        configuration.maximumCalls = configured
        configuration.maximumMessages = configured
        let limits = InspectorState.Limits(configuration)
        #expect(limits.calls == valid && limits.messages == valid)
    }

    @Test("Downloads are bounded, and change as one list")
    func downloads() throws {
        var state = state { $0.downloads = 2 }
        let ids = (0..<3).map { _ in UUID() }
        for id in ids {
            state.update(InspectedDownload(id: id, manager: "", name: "a", url: "https://a/", state: "queued"))
        }
        #expect(state.downloads.map(\.id) == Array(ids.dropFirst()))
        let version = state.version
        state.updateDownload(ids[2]) { $0.state = "downloading" }
        #expect(try #require(state.changes(since: version)).downloads?.count == 2)
        state.updateDownload(ids[0]) { $0.state = "downloading" }
        state.removeDownload(ids[1])
        #expect(state.downloads.map(\.id) == [ids[2]])
    }
}

/// An exchange that counts its releases.
private struct CountingExchange: InspectedExchange {
    let forgotten: LockedValue<Int>
    var entry: HARDocument.Entry { FileExchange.empty.entry }

    func forget() { forgotten.change { $0 += 1 } }
}
