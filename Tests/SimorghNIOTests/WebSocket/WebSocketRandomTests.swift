// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import SimorghCore
import SimorghNIO
import SimorghRealtime
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("WebSocketChannel: random messages and readers", .timeLimit(.minutes(5)))
struct WebSocketRandomTests {
    /// The messages of a server, and their bytes on the wire.
    private struct Speech {
        var messages: [[UInt8]] = []
        var bytes: [UInt8] = []

        init(_ limit: Int, isCompressed: Bool, using random: inout SeededNumbers) throws {
            let deflater = try #require(MessageDeflater(windowBits: 15, forgetsContext: false))
            for number in 0..<60 {
                let most = number % 9 == 8 ? limit * 3 : limit
                let message = (0..<Int.random(in: 0...most, using: &random)).map { _ in
                    UInt8.random(in: 97...100, using: &random)
                }
                messages.append(message)
                var payload = message
                let isPacked = isCompressed && Bool.random(using: &random)
                if isPacked {
                    var packed = ByteBuffer()
                    message.withUnsafeBytes { deflater.compress($0, to: &packed, endsMessage: true) }
                    payload = Array(packed.readableBytesView)
                }
                add(payload, isPacked, using: &random)
            }
            bytes += WebSocketPeer.frame(8, [0x03, 0xE8])
        }

        private mutating func add(_ payload: [UInt8], _ isPacked: Bool, using random: inout SeededNumbers) {
            var rest = payload[...]
            var opcode = UInt8.random(in: 1...2, using: &random)
            var isFinal = false
            while !isFinal {
                let piece = rest.prefix(Int.random(in: 0...max(rest.count, 1), using: &random))
                rest = rest.dropFirst(piece.count)
                isFinal = rest.isEmpty && Bool.random(using: &random)
                bytes += WebSocketPeer.frame(
                    opcode, Array(piece), isFinal: isFinal, isCompressed: isPacked && opcode != 0)
                opcode = 0
                if Int.random(in: 0..<4, using: &random) == 0 { bytes += WebSocketPeer.frame(9, [1, 2]) }
            }
        }
    }

    /// Takes the next message, in parts or whole.
    private static func take(_ webSocket: any WebSocketChannel, inParts: Bool) async throws -> [UInt8]? {
        guard inParts else { return try await webSocket.receive().map { Array($0.bytes) } }
        guard let parts = try await webSocket.receiveParts() else { return nil }
        // A reader that has begun a message reads it to its end, cancelled or not.
        return try await Task {
            var bytes: [UInt8] = []
            for try await part in parts { bytes += part }
            return bytes
        }.value
    }

    @Test(
        "Randomly split frames and cancelled readers: each message is received whole, or refused for its size",
        arguments: 1...60 as ClosedRange<UInt64>, [false, true])
    func messages(seed: UInt64, isHandedOn: Bool) async throws {
        var random = SeededNumbers(seed)
        let limit = Int.random(in: 1...3000, using: &random)
        let isCompressed = seed % 2 == 0
        let speech = try Speech(limit, isCompressed: isCompressed, using: &random)
        let peer = try await WebSocketPeer(fields: { _ in isCompressed ? WebSocketPeer.deflates : "" })
        let webSocket = try await peer.open {
            $0.maximumMessageSize = limit
            $0.receiveBufferSize = Int.random(in: 1...5000, using: &random)
            $0.compression = isCompressed ? .deflate : nil
        }
        // The messages handed to the sink and the received ones, in common order.
        let heard = Mutex<[[UInt8]]>([])
        let choices = Mutex(SeededNumbers(seed))
        if isHandedOn {
            try #require(webSocket as? any EventLoopWebSocketChannel).deliverMessages { message, more in
                guard choices.withLock({ Bool.random(using: &$0) }) else { return false }
                heard.withLock { $0.append(Array(message.bytes)) }
                while let next = more(choices.withLock { Int.random(in: -limit...limit, using: &$0) }) {
                    heard.withLock { $0.append(Array(next.bytes)) }
                }
                return true
            }
        }
        var rest = speech.bytes[...]
        let most = Int.random(in: 1...20_000, using: &random)
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...most, using: &random))
            rest = rest.dropFirst(piece.count)
            peer.send(Array(piece))
        }
        var isRefused = false
        while !isRefused {
            let inParts = Int.random(in: 0..<3, using: &random) > 0
            let task = Task { try await Self.take(webSocket, inParts: inParts) }
            if Bool.random(using: &random) {
                await yieldToOthers(turns: Int.random(in: 0...20, using: &random))
                task.cancel()
            }
            do {
                guard let message = try await task.value else { break }
                heard.withLock { $0.append(message) }
            } catch {
                let error = try #require(error as? WebSocketError)
                if error.code == .cancelled { continue }
                let next = speech.messages.dropFirst(heard.withLock { $0.count }).first ?? []
                #expect(error.code == .messageTooLarge && next.count > limit, "seed \(seed): \(error)")
                isRefused = true
            }
        }
        let all = heard.withLock { $0 }
        #expect(all == Array(speech.messages.prefix(all.count)), "seed \(seed)")
        #expect(isRefused || all.count == speech.messages.count && webSocket.closure?.isClean == true, "seed \(seed)")
    }
}
