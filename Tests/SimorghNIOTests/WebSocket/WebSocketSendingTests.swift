// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghNIO
import SimorghRealtime
import TestSupport
import Testing

/// Small messages are written to the socket directly; large ones, and bytes that the socket does not accept, use the
/// channel.
@Suite("WebSocketChannel: sending to a server that stops and resumes reading", .timeLimit(.minutes(5)))
struct WebSocketSendingTests {
    /// More than the kernels buffer between two processes.
    private static let senders = 4
    private static let each = 6000

    /// Returns a sender's message: mostly small, so that many are written together, sometimes large.
    private static func text(_ sender: Int, _ number: Int) -> String {
        let length = number % 97 == 96 ? 20_000 : number * 31 % 600
        return "\(sender) \(number) " + String(repeating: "x", count: length)
    }

    @Test("Messages arrive whole, and in order per sender", arguments: [16 * 1024, 16 * 1024 * 1024])
    func order(bufferSize: Int) async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.sendBufferSize = bufferSize }
        try await peer.setReading(false)
        let all = Self.senders * Self.each
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<Self.senders {
                group.addTask {
                    for number in 0..<Self.each { try await webSocket.send(.text(Self.text(sender, number))) }
                }
            }
            // The server resumes and stops reading repeatedly; each time it usually stops until the socket is full.
            for part in [10, 2, 1] {
                await yieldToOthers(turns: 1000)
                try await peer.setReading(true)
                try await eventually { peer.frameCount >= all / part }
                if part > 1 { try await peer.setReading(false) }
            }
            try await group.waitForAll()
        }
        var next = [Int](repeating: 0, count: Self.senders)
        for _ in 0..<all {
            let text = try #require(await peer.next()).text
            let sender = try #require(text.split(separator: " ").first.flatMap { Int($0) })
            #expect(text == Self.text(sender, next[sender]))
            next[sender] += 1
        }
        #expect(next == [Int](repeating: Self.each, count: Self.senders))
        #expect(webSocket.closure == nil)
    }

    @Test("A connection reset by the server is detected by send")
    func gone() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        peer.reset()
        let failure = await webSocketFailure {
            while true { try await webSocket.send(.text("is anybody there?")) }
        }
        #expect(failure?.code == .connectionLost)
        try await eventually { webSocket.closure?.isClean == false }
    }
}
