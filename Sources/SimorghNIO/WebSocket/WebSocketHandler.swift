// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOFoundationEssentialsCompat
import SimorghCore
import SimorghRealtime
import SimorghSupport

/// The channel handler of a WebSocket connection: passes received bytes to ``WebSocketConnectionCore``, and writes the
/// outbox.
///
/// It is used on the event loop only.
final class WebSocketHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let inbox: InboundMessageQueue
    let outbox: OutboundFrameQueue
    // Unchecked: only methods of values that do not refer to this handler change these, so no two accesses can overlap.
    @exclusivity(unchecked) private var core: WebSocketConnectionCore
    @exclusivity(unchecked) private var unread = ByteBuffer()
    /// The number of bytes passed to the channel or the socket.
    var sentBytes = 0
    /// Writes small frames directly to the socket, bypassing the channel.
    @exclusivity(unchecked) var direct = DirectWriter()
    /// True while this handler flushes the channel.
    ///
    /// A failed write makes the channel read remaining bytes within the flush.
    var isFlushing = false
    private var isReadWanted = false
    private var cause: (any Error)?
    private(set) var context: ChannelHandlerContext?
    private let timerWheel: EventLoopTimerWheel
    private let executor: EventLoopTaskExecutor?
    private var timerHandle: EventLoopTimerWheel.Handle?
    private var timerTime: Int64 = .max

    init(
        _ options: WebSocketChannelOptions, compression: WebSocketCompression?, inbox: InboundMessageQueue,
        outbox: OutboundFrameQueue, pings: PendingPings, timerWheel: EventLoopTimerWheel,
        executor: EventLoopTaskExecutor?, at now: NIODeadline
    ) throws {
        self.executor = executor
        self.inbox = inbox
        self.outbox = outbox
        self.timerWheel = timerWheel
        core = try WebSocketConnectionCore(
            options, compression: compression, inbox: inbox, outbox: outbox, pings: pings, at: now.nanoseconds)
    }

    private var now: Int64 { NIODeadline.now().nanoseconds }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // The channel may still have bytes of the request if the server answered before it had received all of them.
        direct = DirectWriter(of: context.channel, isInChannel: waiting > 0)
        arm()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        connectionClosed()
        self.context = nil
        direct = DirectWriter()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        core.didReceiveBytes(at: now)
        // The next ping may be due before the deadline of the last one.
        arm()
        direct.received()
        guard core.isListening else { return }
        let bytes = unwrapInboundIn(data)
        if unread.readableBytes == 0 { unread = bytes } else { join(bytes) }
        guard let executor, !isFlushing else { return process() }
        // A waiting task of this event loop continues before the channel does anything else, so that its reply goes
        // out.
        executor.runAndDrainJobs { process() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flushIfNeeded()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if core.isReading { context.read() } else { isReadWanted = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { flush() }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        cause = error
        // Only some errors close the channel by themselves.
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connectionClosed()
        context.fireChannelInactive()
    }

    /// Handles the end of the connection; received bytes may still be unprocessed.
    private func connectionClosed() {
        core.connectionClosed(loss, underlying: cause)
        settle()
    }

    private var loss: String {
        cause.map { "the connection ended: \(SystemErrors.text(of: $0))" } ?? "connection ended without a close frame"
    }

    /// Appends received bytes to the unread ones, which are usually the beginning of a frame head.
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

    /// Processes the unread bytes.
    private func process() {
        let now = now
        let count = unread.withUnsafeReadableBytes { core.process($0, at: now) }
        unread.moveReaderIndex(forwardBy: count)
        // Releases the memory, so that the channel can read into it again.
        if unread.readableBytes == 0 { unread = ByteBuffer() }
        settle()
    }

    /// Does what the core has requested.
    private func settle() {
        let requests = core.takeRequests()
        if !core.isListening { unread = ByteBuffer() }
        if requests.contains(.flush) { flush() }
        if requests.contains(.disconnect) { context?.close(promise: nil) }
        arm()
        guard isReadWanted, core.isReading, !core.hasEnded else { return }
        isReadWanted = false
        context?.read()
    }

    // MARK: The caller's demand

    /// Resumes reading, because the inbox has room.
    func resume() {
        if core.resume() { continueReading() }
    }

    /// Processes the unread bytes and resumes reading.
    private func continueReading() {
        // A server that could not answer because the receive buffer was full gets time now. Otherwise TCP info tells
        // what arrived.
        if tcpInfo?.hasRoom != true { core.didReceiveBytes(at: now) }
        process()
        core.endIfProcessed()
        settle()
    }

    /// Applies the decision of a caller that waits for a fragmented message, or for a message that is too large to be
    /// received whole.
    func decide() {
        core.decide(at: now)
        continueReading()
    }

    /// Notes that all messages before a protocol violation were taken.
    func taken() {
        core.taken(at: now)
        settle()
    }

    func close(_ code: WebSocketCloseCode, reason: String) {
        core.close(code, reason: reason, at: now)
        continueReading()
    }

    func drop() {
        core.drop()
        settle()
    }

    /// Closes the connection because its last reference is gone.
    func abandon() {
        core.abandon(at: now)
        settle()
    }

    func fail(_ fault: WebSocketProtocolError) {
        core.fail(fault, at: now)
        settle()
    }

    /// The write progress.
    private var progress: WebSocketProtocolStateMachine.Progress {
        let waiting = self.waiting
        return WebSocketProtocolStateMachine.Progress(written: sentBytes - waiting, waiting: waiting, tcpInfo)
    }

    /// The number of bytes that the channel has not written.
    private var waiting: Int {
        context.flatMap { try? $0.channel.syncOptions?.getOption(.bufferedWritableBytes) } ?? 0
    }

    private var tcpInfo: TCPInfo? { context.flatMap { TCPInfo(of: $0.channel) } }

    /// Makes sure that the timer fires no later than needed.
    private func arm() {
        guard let time = core.wakeTime, context != nil, !core.hasEnded else {
            timerWheel.cancel(timerHandle)
            timerHandle = nil
            timerTime = .max
            return
        }
        // If the timer fires too early, it is set again. If it would fire too late, it is replaced.
        guard time < timerTime else { return }
        timerTime = time
        timerHandle = timerWheel.wake(self, at: .uptimeNanoseconds(UInt64(clamping: time)), insteadOf: timerHandle)
    }
}

extension WebSocketHandler: TimerTarget {
    func timerFired() {
        timerHandle = nil
        timerTime = .max
        // Another connection's timer that fired just before may have ended this one.
        guard !core.hasEnded else { return }
        core.timerFired(at: now, progress)
        settle()
        flushIfNeeded()
        arm()
    }
}

extension NIODeadline {
    /// The time in nanoseconds, as the state machines use it.
    var nanoseconds: Int64 { Int64(clamping: uptimeNanoseconds) }
}
