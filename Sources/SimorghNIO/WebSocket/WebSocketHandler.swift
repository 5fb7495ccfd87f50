// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOFoundationEssentialsCompat
import SimorghCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Speaks WebSocket on one connection: reads frames, answers control frames, writes what is in the outbox.
///
/// What may come and what answers it is said by ``WebSocketMachine``; here bytes are moved. On the event loop alone.
final class WebSocketHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The frame whose payload is coming.
    struct Current {
        let frame: WebSocketFrame
        let part: WebSocketMachine.Part
        /// How many bytes are still to come.
        var missing: Int
    }

    let options: WebSocketLinkOptions
    let inbox: WebSocketInbox
    let outbox: WebSocketOutbox
    let pings: PendingPings
    let inflater: MessageInflater?
    let mayBeCompressed: Bool
    var machine: WebSocketMachine
    var unread = ByteBuffer()
    var current: Current?
    var control: [UInt8] = []
    var assembly: WebSocketAssembly?
    /// Messages that are complete and not in the inbox yet.
    var batch: [WebSocketInbox.Item] = []
    /// Nobody takes what comes: no more is read.
    var isPaused = false
    /// A message is too large to be taken whole, and nobody has said how it is wanted.
    var isUndecided = false
    var nextInParts = false
    private var isReadWanted = false
    private var hasEnded = false
    private var cause: (any Error)?
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    private var timerTime: Int64 = .max

    init(
        _ options: WebSocketLinkOptions, _ compression: WebSocketCompression?, inbox: WebSocketInbox,
        outbox: WebSocketOutbox, pings: PendingPings, at now: NIODeadline
    ) throws {
        self.options = options
        self.inbox = inbox
        self.outbox = outbox
        self.pings = pings
        mayBeCompressed = compression != nil
        inflater = try compression.map { agreed in
            guard
                let inflater = MessageInflater(
                    windowBits: agreed.serverMaximumWindowBits, forgetsContext: agreed.serverForgetsContext)
            else { throw WebSocketFault.invalidData("there is no memory to decompress messages") }
            return inflater
        }
        machine = WebSocketMachine(options, at: now.nanoseconds)
    }

    var now: Int64 { NIODeadline.now().nanoseconds }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        armTimer()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        hasEnded = true
        if !isPaused && !isUndecided { ended() }
        timer?.cancel()
        timer = nil
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        machine.heard(at: now)
        guard machine.isListening else { return }
        let bytes = unwrapInboundIn(data)
        if unread.readableBytes == 0 { unread = bytes } else { join(bytes) }
        process()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flushIfNeeded()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if isPaused || isUndecided { isReadWanted = true } else { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { flush() }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        cause = error
        // The end of the channel follows of itself after some errors only.
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        hasEnded = true
        if !isPaused && !isUndecided { ended() }
        context.fireChannelInactive()
    }

    /// The connection ended, and all that came was looked at.
    private func ended() {
        let text = cause.map { "the connection ended: \($0)" } ?? "the connection ended without a goodbye"
        perform(machine.ended(text, underlying: cause))
        unread = ByteBuffer()
        assembly = nil
    }

    /// Puts what came behind what is there, mostly the beginning of a head.
    private func join(_ bytes: ByteBuffer) {
        var bytes = bytes
        if unread.readableBytes < 16 {
            var joined = ByteBufferAllocator().buffer(capacity: unread.readableBytes + bytes.readableBytes)
            joined.writeBuffer(&unread)
            joined.writeBuffer(&bytes)
            unread = joined
        } else {
            unread.discardReadBytes()
            unread.writeBuffer(&bytes)
        }
    }

    // MARK: What is wanted

    /// There is room for more.
    func resume() {
        guard isPaused || isUndecided else { return }
        isPaused = false
        isUndecided = false
        machine.heard(at: now)
        process()
        guard !isPaused, !isUndecided else { return }
        if hasEnded { return ended() }
        if isReadWanted {
            isReadWanted = false
            context?.read()
        }
    }

    /// Somebody waits for a message in parts.
    func beginParts() {
        if inbox.wantsParts { goInParts() }
        resume()
    }

    private func goInParts() {
        guard var assembly, !assembly.isInParts else {
            nextInParts = assembly == nil
            return
        }
        assembly.isInParts = true
        batch.append(.beginning(assembly.kind))
        if let part = assembly.takePart() { batch.append(.part(part)) }
        self.assembly = assembly
        deliver()
    }

    /// A message is too large to be taken whole.
    func overflowed() {
        switch inbox.overflows() {
        case .parts: goInParts()
        case .overflow: fail(.tooLarge(limit: options.maximumMessageSize))
        case .none, .resume, .fault: isUndecided = true
        }
    }

    /// All that came before a fault was taken.
    func taken() { perform(machine.taken(at: now)) }

    func close(_ code: WebSocketCloseCode, _ reason: String) {
        perform(machine.close(code, reason, at: now))
        // What comes now can be dropped, and the goodbye may be behind it.
        resume()
    }

    func drop() { perform(machine.drop()) }

    /// Somebody wants the message whole that is too large for that.
    func refuseOverflow() {
        guard isUndecided else { return }
        isUndecided = false
        fail(.tooLarge(limit: options.maximumMessageSize))
        resume()
    }

    func fail(_ fault: WebSocketFault) {
        deliver()
        perform(machine.failed(fault, isTaken: inbox.isTaken(), at: now))
        stopListening()
    }

    /// Nothing that comes is of interest but the end.
    func stopListening() {
        unread = ByteBuffer()
        assembly = nil
        isPaused = false
        isUndecided = false
        guard isReadWanted else { return }
        isReadWanted = false
        context?.read()
    }

    // MARK: What is done

    /// Puts what is complete into the inbox.
    func deliver() {
        guard !batch.isEmpty else { return }
        let isClosing = !machine.isOpen
        if !inbox.deliver(batch, isClosing: isClosing) { isPaused = true }
        batch.removeAll(keepingCapacity: batch.count <= 64)
    }

    /// Writes what is in the outbox.
    func flush() {
        guard let context else { return }
        let channel = context.channel
        let frames = outbox.take(isWritable: channel.isWritable)
        guard !frames.isEmpty else { return outbox.wrote(isWritable: channel.isWritable) }
        for frame in frames { context.write(wrapOutboundOut(frame), promise: nil) }
        context.flush()
        outbox.wrote(isWritable: channel.isWritable)
    }

    /// Writes what came of something that was asked for.
    func flushIfNeeded() {
        if !outbox.isEmpty { flush() }
    }

    func perform(_ actions: [WebSocketMachine.Action]) {
        for action in actions { perform(action) }
        if !actions.isEmpty { armTimer() }
    }

    private func perform(_ action: WebSocketMachine.Action) {
        switch action {
        case .sendPong(let payload): outbox.pong(payload)
        case .sendPing:
            _ = try? outbox.ping(pings.nextPayload())
        case .answered(let payload):
            pings.answered(payload)
            options.onPong?(Data(payload))
        case .sendClose(let code, let reason):
            outbox.end(.closing, goodbye: (code, reason))
            flush()
        case .finish(let closure):
            deliver()
            let error = closure.isClean ? WebSocketError.closing : closure.failure ?? .closing
            outbox.end(error, goodbye: nil)
            pings.end(error)
            inbox.finish(closure)
        case .disconnect:
            outbox.discard()
            context?.close(promise: nil)
        }
    }

    private func armTimer() {
        guard let time = machine.wakeTime, let context, !hasEnded else {
            timer?.cancel()
            timer = nil
            timerTime = .max
            return
        }
        // One that rings too early asks again; one that would ring too late is set anew.
        guard timer == nil || time < timerTime else { return }
        timer?.cancel()
        timerTime = time
        timer = context.eventLoop.assumeIsolated().scheduleTask(
            in: .nanoseconds(max(0, time - now))
        ) { [weak self] () -> Void in
            guard let self else { return }
            timer = nil
            timerTime = .max
            perform(machine.tick(at: now, isReading: !isPaused && !isUndecided))
            flushIfNeeded()
            armTimer()
        }
    }
}

extension NIODeadline {
    /// As the machines count.
    var nanoseconds: Int64 { Int64(clamping: uptimeNanoseconds) }
}

extension WebSocketError {
    static let closing = WebSocketError(.closed, message: "the connection is closed, or about to be")
}
