// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import SimorghRealtime
import Testing

@Suite("ExchangeStateMachine", .timeLimit(.minutes(5)))
struct ExchangeStateMachineTests {
    private static func began(
        hasUpload: Bool = false, isIdleConnection: Bool = false, wantsClose: Bool = false
    ) -> ExchangeStateMachine {
        var machine = ExchangeStateMachine()
        machine.began(hasUpload: hasUpload, isIdleConnection: isIdleConnection, wantsClose: wantsClose)
        return machine
    }

    private static func shape(
        _ status: Int = 200, keepsAlive: Bool = true, isUntilClose: Bool = false
    ) -> ExchangeStateMachine.Shape {
        .init(status: status, keepsAlive: keepsAlive, isUntilClose: isUntilClose)
    }

    @Test(
        "A complete exchange keeps the connection, unless either side wants it closed",
        arguments: [
            (shape(), false, true), (shape(keepsAlive: false), false, false), (shape(isUntilClose: true), false, false),
            (shape(), true, false),
        ])
    func reuse(_ shape: ExchangeStateMachine.Shape, _ wantsClose: Bool, _ isReused: Bool) {
        var machine = Self.began(wantsClose: wantsClose)
        machine.receivedBytes()
        let head = machine.received(head: shape)
        #expect(head == .deliver(stopsUpload: false))
        let end = machine.receivedEnd()
        #expect(end == .complete(reuse: isReused))
        #expect(!machine.isRunning)
        let loss = machine.lost()
        #expect(loss == .none)
    }

    @Test("An early error response stops the upload, and the connection is not reused")
    func early() {
        var machine = Self.began(hasUpload: true)
        let head = machine.received(head: Self.shape(413))
        #expect(head == .deliver(stopsUpload: true))
        let end = machine.receivedEnd()
        #expect(end == .complete(reuse: false))
    }

    @Test("An early success does not stop the upload before the response ends", arguments: [true, false])
    func echo(_ isUploaded: Bool) {
        var machine = Self.began(hasUpload: true)
        let head = machine.received(head: Self.shape(200))
        #expect(head == .deliver(stopsUpload: false))
        if isUploaded { machine.uploaded() }
        let end = machine.receivedEnd()
        #expect(end == .complete(reuse: isUploaded))
    }

    @Test("Interim responses are skipped up to mostInterim")
    func interim() {
        var machine = Self.began()
        for _ in 0..<ExchangeStateMachine.maximumInterimResponses {
            let action = machine.received(head: Self.shape(103))
            #expect(action == .skip)
        }
        let last = machine.received(head: Self.shape(103))
        guard case .refuse = last else { return #expect(last == .skip, "refused") }
    }

    @Test("An invalid status is refused", arguments: [101, 99, 0, 1000])
    func refused(_ status: Int) {
        var machine = Self.began()
        let action = machine.received(head: Self.shape(status))
        if case .refuse = action {} else { Issue.record("\(action)") }
    }

    @Test("A close before any response byte is stale only on a connection that had idled", arguments: [true, false])
    func stale(_ isIdle: Bool) {
        var machine = Self.began(isIdleConnection: isIdle)
        let loss = machine.lost()
        #expect(loss == (isIdle ? .stale : .withoutHead(anyByte: false)))
        var begun = Self.began(isIdleConnection: isIdle)
        begun.receivedBytes()
        let later = begun.lost()
        #expect(later == .withoutHead(anyByte: true))
    }

    @Test("A connection that ends inside the body is a truncation")
    func truncated() {
        var machine = Self.began()
        _ = machine.received(head: Self.shape())
        let loss = machine.lost()
        #expect(loss == .truncated)
    }

    @Test("A TLS truncation truncates only a body delimited by the connection's end", arguments: [true, false])
    func cut(_ isUntilClose: Bool) {
        var machine = Self.began()
        _ = machine.received(head: Self.shape(isUntilClose: isUntilClose))
        machine.tlsTruncated()
        let end = machine.receivedEnd()
        #expect(end == (isUntilClose ? .truncated : .complete(reuse: false)))
    }

    @Test("Events after abandoned() are ignored")
    func abandoned() {
        var machine = Self.began()
        machine.abandoned()
        let end = machine.receivedEnd()
        let loss = machine.lost()
        #expect(end == .ignore)
        #expect(loss == .none)
    }
}
