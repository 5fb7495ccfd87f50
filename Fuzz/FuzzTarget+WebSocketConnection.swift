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
    /// A whole connection of a WebSocket: whatever comes and whoever takes it, it writes frames of a client with nothing
    /// behind a goodbye, and says how it ended.
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
            // The link was let go, which the loop is told of: it may not keep what it is told.
            turns.settle(channel.embeddedEventLoop)
            var written: [UInt8] = []
            while let part = try channel.readOutbound(as: ByteBuffer.self) { written += part.readableBytesView }
            check(written)
            _ = try channel.finish(acceptAlreadyClosed: true)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Uses a connection until it has ended, and lets go of it.
    private static func use(
        _ channel: EmbeddedChannel, _ turns: Turns, _ options: WebSocketChannelOptions,
        _ compression: WebSocketCompression?, _ bytes: [UInt8], _ reads: [WebSocketUse.Read]
    ) throws {
        var use = try WebSocketUse(channel, turns, options, compression)
        try use.run(bytes, reads)
    }

    /// Looks at the frames that were written.
    private static func check(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            var head = Array(rest.prefix(WebSocketFrame.maximumHeaderSize))
            precondition(head.count > 1 && head[1] & 0x80 != 0, "a frame without a mask")
            // Else a frame is written as it is read.
            head[1] &= 0x7F
            let read = head.withUnsafeBytes { try? WebSocketFrame.read($0, mayBeCompressed: false) }
            guard let (frame, size) = read, frame.length <= rest.count - size - 4 else {
                preconditionFailure("no frame, or half of one")
            }
            let mask = Array(rest.dropFirst(size).prefix(4))
            let payload = rest.dropFirst(size + 4).prefix(frame.length).enumerated().map { $1 ^ mask[$0 % 4] }
            rest = rest.dropFirst(size + 4 + frame.length)
            switch frame.opcode {
            case .continuation: preconditionFailure("a message in parts, which nobody has sent")
            case .text: precondition(isText(payload), "a text that is none")
            case .close:
                precondition(rest.isEmpty, "something behind a goodbye")
                guard !payload.isEmpty else { continue }
                precondition(payload.count > 1, "a goodbye with half a code")
                let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
                precondition(code.isSendable && isText(Array(payload[2...])), "a goodbye that may not be sent")
            case .binary, .ping, .pong: break
            }
            precondition(frame.isFinal, "half a message")
        }
    }

    private static func isText(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }
}

/// A connection and whoever uses it, all on the thread of the one who calls.
private struct WebSocketUse {
    /// What is done after something was read.
    enum Act: CaseIterable {
        case nothing
        case take
        case echo
        /// From then on, somebody waits for each message.
        case receive
        case receiveParts
        case close
        case drop
    }

    /// So much is read at once, and that is done behind it.
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
        guard let link = opened as? any EventLoopWebSocketChannel else { preconditionFailure("a link of no loop") }
        (self.channel, self.turns, self.link, limit) = (channel, turns, link, options.maximumMessageSize)
    }

    mutating func run(_ bytes: [UInt8], _ reads: [Read]) throws {
        var rest = bytes[...]
        var count = 0
        while !rest.isEmpty, channel.isActive {
            let read = reads[count % reads.count]
            count += 1
            // It may come while no more is wanted, too, as what TLS has undone already does.
            try channel.writeInbound(ByteBuffer(bytes: rest.prefix(read.size)))
            rest = rest.dropFirst(read.size)
            channel.read()
            perform(read)
            turns.settle(channel.embeddedEventLoop)
        }
        channel.close(mode: .all, promise: nil)
        turns.settle(channel.embeddedEventLoop)
        // What came before the end is there still, and the end behind it.
        receive()
        turns.settle(channel.embeddedEventLoop)
        precondition(!channel.isActive && link.closure != nil, "no end")
        precondition(turns.areDone, "somebody waits for what never comes")
    }

    private mutating func perform(_ read: Read) {
        switch read.act {
        case .nothing: break
        case .take: _ = take()
        case .echo: if let message = take() { _ = link.sendImmediately(message) }
        case .receive: receive()
        case .receiveParts: receiveParts()
        case .close:
            // Some of these codes may not be sent, and some of the reasons are too long.
            let code = WebSocketCloseCode(rawValue: 1000 + UInt16(read.size % 20))
            let reason = String(repeating: "é", count: read.size * 2)
            turns.start { [link] in _ = await link.close(code: code, reason: reason) }
        case .drop: link.drop()
        }
    }

    private func take() -> WebSocketMessage? {
        let message = link.takeBufferedMessage(upTo: .max)
        precondition((message?.byteCount ?? 0) <= limit, "a message that is too large")
        return message
    }

    private mutating func receive() {
        guard !isReading else { return }
        isReading = true
        turns.start { [link, limit] in
            while let message = try? await link.receive() {
                precondition(message.byteCount <= limit, "a message that is too large")
            }
        }
    }

    private mutating func receiveParts() {
        guard !isReading else { return }
        isReading = true
        turns.start { [link] in
            while let parts = try? await link.receiveParts() {
                do {
                    for try await part in parts { precondition(!part.isEmpty, "a part with nothing in it") }
                } catch {
                    // The next one to be asked for says so, too.
                }
            }
        }
    }
}

/// Runs tasks on the thread that asks for it: the loop of an `EmbeddedChannel` has only one.
private final class Turns: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let tasks = Mutex(0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Whether all tasks have come to their end.
    var areDone: Bool { tasks.withLock { $0 == 0 } }

    func start(_ work: @escaping @Sendable () async -> Void) {
        tasks.withLock { $0 += 1 }
        Task(executorPreference: self) {
            await work()
            self.tasks.withLock { $0 -= 1 }
        }
    }

    /// Goes on until there is nothing left to do; no time passes.
    func settle(_ loop: EmbeddedEventLoop) {
        repeat { loop.run() } while runJobs()
    }

    /// - Returns: Whether there were any.
    private func runJobs() -> Bool {
        let ready = jobs.withLock { jobs -> [UnownedJob] in
            defer { jobs = [] }
            return jobs
        }
        for job in ready { job.runSynchronously(on: asUnownedTaskExecutor()) }
        return !ready.isEmpty
    }
}
