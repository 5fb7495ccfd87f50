// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghRealtime
import TestSupport
import Testing

/// Runs the tests of the engine's WebSockets over byte streams, so that both behave alike.
@Suite("ByteStreamWebSocketChannel: the tests of the engine's channel", .timeLimit(.minutes(5)))
struct ByteStreamSameTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable () async throws -> Void

        init(_ name: String, _ run: @escaping @Sendable () async throws -> Void) {
            testDescription = name
            self.run = run
        }
    }

    private static func pass(_ test: Case) async throws {
        try await WebSocketPeer.$usesByteStreams.withValue(true) { try await test.run() }
    }

    @Test(
        "Messages, fragments, pings and the close handshake",
        arguments: [
            Case("echo") { try await WebSocketChannelTests().echo() },
            Case("early") { try await WebSocketChannelTests().early() },
            Case("pieces") { for size in [1, 2, 3, 7, 64] { try await WebSocketChannelTests().pieces(size: size) } },
            Case("subprotocol") { try await WebSocketChannelTests().subprotocol() },
            Case("limit") { for both in [true, false] { try await WebSocketChannelTests().limit(inFragments: both) } },
            Case("manyFragments") { try await WebSocketChannelTests().manyFragments() },
            Case("sendsParts") { try await WebSocketChannelTests().sendsParts() },
            Case("badParts") { try await WebSocketChannelTests().badParts() },
            Case("receivesParts") {
                for both in [true, false] { try await WebSocketChannelTests().receivesParts(isEarly: both) }
            },
            Case("partsAndWhole") { try await WebSocketChannelTests().partsAndWhole() },
            Case("pings") { try await WebSocketChannelTests().pings() },
            Case("closes") { for both in [true, false] { try await WebSocketChannelTests().closes(isOurs: both) } },
            Case("twoReaders") { try await WebSocketChannelTests().twoReaders() },
            Case("manySenders") { try await WebSocketChannelTests().manySenders() },
            Case("wholeMessage") {
                for both in [true, false] { try await WebSocketChannelTests().wholeMessage(isCompressed: both) }
            },
        ])
    func messages(test: Case) async throws { try await Self.pass(test) }

    @Test(
        "A protocol violation closes the connection with its code",
        arguments: [
            ([0x91, 0x00], 1002), ([0x83, 0x00], 1002), ([0x81, 0x81, 1, 2, 3, 4, 5], 1002), ([0x80, 0x00], 1002),
            ([0x09, 0x00], 1002), ([0xC1, 0x00], 1002), ([0x89, 0x7E, 0x00, 0x7E], 1002), ([0x88, 0x01, 0x03], 1002),
            ([0x81, 0x01, 0xFF], 1007), ([0x81, 0x7E, 0x04, 0x01], 1009), ([0x81, 0x7E, 0x03, 0xE8, 0x61, 0xF8], 1007),
        ] as [([UInt8], UInt16)])
    func faults(bytes: [UInt8], code: UInt16) async throws {
        try await Self.pass(Case("fault") { try await WebSocketChannelTests().faults(bytes: bytes, code: code) })
    }

    @Test(
        "Limits",
        arguments: [
            Case("extremes") {
                for value in [.max, .min, 0, -1, 1 << 33] as [Int] {
                    for both in [true, false] {
                        try await WebSocketBoundTests().extremes(value: value, isCompressed: both)
                    }
                }
            },
            Case("backPressure") { try await WebSocketBoundTests().backPressure() },
            Case("behindFullInbox") {
                for both in [true, false] { try await WebSocketBoundTests().behindFullInbox(isCompressed: both) }
            },
            Case("leftBeforeParts") {
                for round in 0..<20 { try await WebSocketBoundTests().leftBeforeParts(round: round) }
            },
            Case("begunAndLeft") {
                for both in [true, false] { try await WebSocketBoundTests().begunAndLeft(inParts: both) }
            },
            Case("beforeOverflow") { try await WebSocketBoundTests().beforeOverflow() },
            Case("closeWhileUndecided") { try await WebSocketBoundTests().closeWhileUndecided() },
            Case("closeBehindEnd") { try await WebSocketBoundTests().closeBehindEnd() },
            Case("cutBehindGoodbye") { try await WebSocketBoundTests().cutBehindGoodbye() },
            Case("faultUntaken") { try await WebSocketBoundTests().faultUntaken() },
            Case("reasonArrives") { try await WebSocketBoundTests().reasonArrives() },
            Case("goodbyeIsAnswered") { try await WebSocketBoundTests().goodbyeIsAnswered() },
            Case("compressedAfterCancellation") { try await WebSocketBoundTests().compressedAfterCancellation() },
        ])
    func limits(test: Case) async throws { try await Self.pass(test) }

    @Test(
        "The end of connections and of tasks",
        arguments: [
            Case("lost") {
                for isReset in [true, false] {
                    for both in [true, false] {
                        try await WebSocketDeathTests().lost(isReset: isReset, isInFrame: both)
                    }
                }
            },
            Case("silentClose") { try await WebSocketDeathTests().silentClose() },
            Case("lingering") { try await WebSocketDeathTests().lingering() },
            Case("cancelled") {
                for what in ["receive", "parts", "ping", "send"] {
                    try await WebSocketDeathTests().cancelled(what: what)
                }
            },
            Case("cancelledPing") { try await WebSocketDeathTests().cancelledPing() },
            Case("letGo") { try await WebSocketDeathTests().letGo() },
            Case("cancelledClose") { try await WebSocketDeathTests().cancelledClose() },
            Case("pingFlood") { try await WebSocketDeathTests().pingFlood() },
            Case("closeWhilePaused") { try await WebSocketDeathTests().closeWhilePaused() },
            Case("endWhilePaused") { try await WebSocketDeathTests().endWhilePaused() },
            Case("endWhileBothAreFull") { try await WebSocketDeathTests().endWhileBothAreFull() },
        ])
    func ends(test: Case) async throws { try await Self.pass(test) }

    @Test("Random messages and readers", arguments: 1...30 as ClosedRange<UInt64>)
    func random(seed: UInt64) async throws {
        try await Self.pass(
            Case("random") { try await WebSocketRandomTests().messages(seed: seed, isHandedOn: false) })
    }
}
