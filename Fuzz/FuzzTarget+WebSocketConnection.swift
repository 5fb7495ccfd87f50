// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOEmbedded
import SimorghCore
import SimorghNIO
import SimorghRealtime
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
    /// A whole WebSocket connection: whatever arrives and whatever reads it, it writes valid client frames, none behind
    /// a close frame, and reports how it ended.
    static let webSocketConnection = FuzzTarget(name: "websocket-connection") { bytes in
        let compression = bytes.below(2) == 1 ? WebSocketCompression.deflate : nil
        var options = WebSocketChannelOptions()
        options.maximumMessageSize = bytes.below(256)
        options.receiveBufferSize = 1 + bytes.below(256)
        var reads: [WebSocketUse.Read] = []
        for _ in 0..<4 { reads.append(WebSocketUse.Read(&bytes)) }
        let channel = EmbeddedChannel()
        let turns = Turns()
        do {
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80), promise: nil)
            try use(channel, turns, options, compression, bytes.rest, reads)
            // The link was released, which the event loop still has to process: it must not retain the link.
            turns.settle(channel.embeddedEventLoop)
            var written: [UInt8] = []
            while let part = try channel.readOutbound(as: ByteBuffer.self) { written += part.readableBytesView }
            check(written)
            _ = try channel.finish(acceptAlreadyClosed: true)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Uses a connection until it has ended, and releases it.
    private static func use(
        _ channel: EmbeddedChannel, _ turns: Turns, _ options: WebSocketChannelOptions,
        _ compression: WebSocketCompression?, _ bytes: [UInt8], _ reads: [WebSocketUse.Read]
    ) throws {
        var use = try WebSocketUse(channel, turns, options, compression)
        try use.run(bytes, reads)
    }

    /// Checks the written frames.
    private static func check(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            var head = Array(rest.prefix(WebSocketFrame.maximumHeaderSize))
            precondition(head.count > 1 && head[1] & 0x80 != 0, "a frame without a mask")
            // Otherwise client and server frames have the same format.
            head[1] &= 0x7F
            let read = head.withUnsafeBytes { try? WebSocketFrame.read($0, mayBeCompressed: false) }
            guard let (frame, size) = read, frame.length <= rest.count - size - 4 else {
                preconditionFailure("an invalid or incomplete frame")
            }
            let mask = Array(rest.dropFirst(size).prefix(4))
            let payload = rest.dropFirst(size + 4).prefix(frame.length).enumerated().map { $1 ^ mask[$0 % 4] }
            rest = rest.dropFirst(size + 4 + frame.length)
            switch frame.opcode {
            case .continuation: preconditionFailure("a fragmented message that was never sent")
            case .text: precondition(isText(payload), "invalid UTF-8 in a text frame")
            case .close:
                precondition(rest.isEmpty, "a frame behind the close frame")
                guard !payload.isEmpty else { continue }
                precondition(payload.count > 1, "a close frame with half a code")
                let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
                precondition(code.isSendable && isText(Array(payload[2...])), "a close frame that must not be sent")
            case .binary, .ping, .pong: break
            }
            precondition(frame.isFinal, "an incomplete message")
        }
    }

    private static func isText(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }
}

/// A connection and its user, both on the calling thread.
private struct WebSocketUse {
    /// An action after a read.
    enum Act: CaseIterable {
        case nothing
        case take
        case echo
        /// From then on a task waits for each message.
        case receive
        case receiveParts
        case close
        case drop
    }

    /// The number of bytes to read at once, and the action afterwards.
    struct Read {
        let size: Int
        let act: Act

        init(_ bytes: inout FuzzBytes) {
            size = 1 + bytes.below(64)
            act = Act.allCases[bytes.below(Act.allCases.count)]
        }
    }

    private let channel: EmbeddedChannel
    private let turns: Turns
    private let link: any EventLoopWebSocketChannel
    private let limit: Int
    private var isReading = false

    init(
        _ channel: EmbeddedChannel, _ turns: Turns, _ options: WebSocketChannelOptions,
        _ compression: WebSocketCompression?
    ) throws {
        let opened = try NIOTransport.webSocket(over: channel, options, compression: compression)
        guard let link = opened as? any EventLoopWebSocketChannel else {
            preconditionFailure("a link without an event loop")
        }
        (self.channel, self.turns, self.link, limit) = (channel, turns, link, options.maximumMessageSize)
    }

    mutating func run(_ bytes: [UInt8], _ reads: [Read]) throws {
        var rest = bytes[...]
        var count = 0
        while !rest.isEmpty, channel.isActive {
            let read = reads[count % reads.count]
            count += 1
            // Bytes may arrive although no read was requested, as data that TLS has already decrypted does.
            try channel.writeInbound(ByteBuffer(bytes: rest.prefix(read.size)))
            rest = rest.dropFirst(read.size)
            channel.read()
            perform(read)
            turns.settle(channel.embeddedEventLoop)
        }
        channel.close(mode: .all, promise: nil)
        turns.settle(channel.embeddedEventLoop)
        // Messages from before the end are still there, and the end follows them.
        receive()
        turns.settle(channel.embeddedEventLoop)
        precondition(!channel.isActive && link.closure != nil, "the connection has not ended")
        precondition(turns.areDone, "a task still waits")
    }

    private mutating func perform(_ read: Read) {
        switch read.act {
        case .nothing: break
        case .take: _ = take()
        case .echo: if let message = take() { _ = link.sendImmediately(message) }
        case .receive: receive()
        case .receiveParts: receiveParts()
        case .close:
            // Some of these codes must not be sent, and some of the reasons are too long.
            let code = WebSocketCloseCode(rawValue: 1000 + UInt16(read.size % 20))
            let reason = String(repeating: "é", count: read.size * 2)
            turns.start { [link] in _ = await link.close(code: code, reason: reason) }
        case .drop: link.drop()
        }
    }

    private func take() -> WebSocketMessage? {
        let message = link.takeBufferedMessage(upTo: .max)
        precondition((message?.byteCount ?? 0) <= limit, "a message above the limit")
        return message
    }

    private mutating func receive() {
        guard !isReading else { return }
        isReading = true
        turns.start { [link, limit] in
            while let message = try? await link.receive() {
                precondition(message.byteCount <= limit, "a message above the limit")
            }
        }
    }

    private mutating func receiveParts() {
        guard !isReading else { return }
        isReading = true
        turns.start { [link] in
            while let parts = try? await link.receiveParts() {
                do {
                    for try await part in parts { precondition(!part.isEmpty, "an empty part") }
                } catch {
                    // The next call throws as well.
                }
            }
        }
    }
}

/// Runs tasks on the calling thread: the loop of an `EmbeddedChannel` has only one.
private final class Turns: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let tasks = Mutex(0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// True if all tasks have ended.
    var areDone: Bool { tasks.withLock { $0 == 0 } }

    func start(_ work: @escaping @Sendable () async -> Void) {
        tasks.withLock { $0 += 1 }
        Task(executorPreference: self) {
            await work()
            self.tasks.withLock { $0 -= 1 }
        }
    }

    /// Runs until no work is left; no time passes.
    func settle(_ loop: EmbeddedEventLoop) {
        repeat { loop.run() } while runJobs()
    }

    /// Runs the queued jobs.
    ///
    /// - Returns: True if there were jobs to run.
    private func runJobs() -> Bool {
        let ready = jobs.withLock { jobs -> [UnownedJob] in
            defer { jobs = [] }
            return jobs
        }
        for job in ready { job.runSynchronously(on: asUnownedTaskExecutor()) }
        return !ready.isEmpty
    }
}
