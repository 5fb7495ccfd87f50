// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOFoundationEssentialsCompat
import SimorghCore
import SimorghRealtime
import SimorghSupport

/// The channel handler of a WebSocket connection: reads frames, answers control frames, and writes the outbox.
///
/// ``WebSocketProtocolStateMachine`` makes the protocol decisions; this handler moves the bytes. It is used on the
/// event loop only.
final class WebSocketHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The frame whose payload is being received.
    struct Current {
        let frame: WebSocketFrame
        let part: WebSocketProtocolStateMachine.FrameRole
        /// The number of payload bytes that have not arrived yet.
        var missing: Int
    }

    let options: WebSocketChannelOptions
    let inbox: InboundMessageQueue
    let outbox: OutboundFrameQueue
    let pings: PendingPings
    let inflater: MessageInflater?
    let mayBeCompressed: Bool
    // Unchecked: only methods of values that do not refer to this handler change these, so no two accesses can overlap.
    @exclusivity(unchecked) var machine: WebSocketProtocolStateMachine
    @exclusivity(unchecked) var unread = ByteBuffer()
    @exclusivity(unchecked) var current: Current?
    var control: [UInt8] = []
    var assembly: MessageAssembler?
    /// The complete messages that are not in the inbox yet.
    @exclusivity(unchecked) var batch = InboundMessageBatch()
    /// True while the inbox is full: reading is suspended.
    var isPaused = false
    /// The way in which messages are received.
    @exclusivity(unchecked) var reception = MessageReceptionStateMachine()
    /// The number of bytes passed to the channel or the socket.
    var sentBytes = 0
    /// Writes small frames directly to the socket, bypassing the channel.
    @exclusivity(unchecked) var direct = DirectWriter()
    /// True while this handler flushes the channel.
    ///
    /// A failed write makes the channel read remaining bytes within the flush.
    var isFlushing = false
    private var isReadWanted = false
    private var hasEnded = false
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
        self.options = options
        self.inbox = inbox
        self.outbox = outbox
        self.pings = pings
        self.timerWheel = timerWheel
        mayBeCompressed = compression != nil
        inflater = try compression.map { agreed in
            guard
                let inflater = MessageInflater(
                    windowBits: agreed.serverMaximumWindowBits, forgetsContext: agreed.serverNoContextTakeover)
            else { throw WebSocketProtocolError.invalidData("there is no memory to decompress messages") }
            return inflater
        }
        machine = WebSocketProtocolStateMachine(options, at: now.nanoseconds)
    }

    var now: Int64 { NIODeadline.now().nanoseconds }

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
        didReceiveBytes()
        direct.received()
        guard machine.isListening else { return }
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
        if isPaused || reception.isUndecided { isReadWanted = true } else { context.read() }
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
        hasEnded = true
        arm()
        guard isPaused || reception.isUndecided else { return ended() }
        // Senders fail at once, without waiting for the receiver to reach the end.
        let error = WebSocketError(
            .connectionLost, message: loss, closeCode: .abnormalClosure, underlying: cause)
        outbox.end(error, closeFrame: nil)
        outbox.discard()
        pings.end(error)
    }

    private var loss: String {
        cause.map { "the connection ended: \(SystemErrors.text(of: $0))" } ?? "connection ended without a close frame"
    }

    /// Ends the state machine, after the connection has ended and all received bytes were processed.
    private func ended() {
        perform(machine.connectionClosed(loss, underlying: cause))
        unread = ByteBuffer()
        assembly = nil
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

    // MARK: The caller's demand

    /// Resumes reading, because the inbox has room.
    func resume() {
        guard isPaused else { return }
        isPaused = false
        continueReading()
    }

    /// Notes that the server has sent something.
    private func didReceiveBytes() {
        // The next ping may be due before the deadline of the last one.
        arm(for: machine.didReceiveBytes(at: now))
    }

    /// Processes the unread bytes and resumes reading.
    private func continueReading() {
        // A server that could not answer because the receive buffer was full gets time now. Otherwise TCP info tells
        // what arrived.
        if tcpInfo?.hasRoom != true { didReceiveBytes() }
        process()
        guard !isPaused, !reception.isUndecided else { return }
        if hasEnded { return ended() }
        if isReadWanted {
            isReadWanted = false
            context?.read()
        }
    }

    /// Applies the decision of a caller that waits for a fragmented message, or for a message that is too large to be
    /// received whole.
    ///
    /// The caller may already have left.
    func decide() {
        // A waiting caller has found the inbox empty.
        isPaused = false
        let choice: MessageReceptionStateMachine.Choice = inbox.wantsParts ? .fragments : .whole
        perform(reception.callerArrived(choice: choice, isInMessage: assembly != nil))
        continueReading()
    }

    private func goInParts() {
        guard var assembly, !assembly.isInParts else { return }
        assembly.isInParts = true
        batch.append(.beginning(assembly.kind))
        if let part = assembly.takePart() { batch.append(.part(part)) }
        self.assembly = assembly
        deliver()
    }

    /// Handles a message that is too large to be received whole.
    func overflowed() {
        // Earlier messages are delivered first.
        deliver()
        let isOpen = machine.isOpen
        perform(reception.limitExceeded(choice: isOpen ? inbox.chooseReception() : .none, isOpen: isOpen))
    }

    /// Notes that all messages before a protocol violation were taken.
    func taken() { perform(machine.messagesTaken(at: now)) }

    func close(_ code: WebSocketCloseCode, reason: String) {
        perform(machine.close(code, reason: reason, at: now))
        // The message can be dropped now; the server's close frame may follow it.
        if !machine.isOpen { perform(reception.closeFrameSent()) }
        isPaused = false
        continueReading()
    }

    /// Skips a message that is too large, and all messages after it, because this side has sent a close frame.
    private func discardMessages() {
        assembly = nil
        inbox.drop(because: WebSocketProtocolError.tooLarge(limit: options.maximumMessageSize).error)
    }

    func drop() { perform(machine.drop()) }

    /// Closes the connection because its last reference is gone.
    func abandon() { perform(machine.abandon(at: now)) }

    func fail(_ fault: WebSocketProtocolError) {
        deliver()
        perform(machine.didDetectViolation(fault, allMessagesTaken: inbox.isTaken(), at: now))
        // If earlier messages are not taken, their deadline ends the wait.
        arm()
        stopListening()
    }

    /// Discards received bytes; only the end of the connection still matters.
    func stopListening() {
        unread = ByteBuffer()
        assembly = nil
        isPaused = false
        reception.stopped()
        guard isReadWanted else { return }
        isReadWanted = false
        context?.read()
    }

    // MARK: Actions

    private func perform(_ action: MessageReceptionStateMachine.Action) {
        switch action {
        case .none: break
        case .deliverFragments: goInParts()
        case .fail: fail(.tooLarge(limit: options.maximumMessageSize))
        case .discard: discardMessages()
        case .checkLimit: overflowed()
        }
    }

    /// Delivers the complete messages to the inbox.
    func deliver() {
        guard !batch.isEmpty else { return }
        let isClosing = !machine.isOpen
        let room =
            if let only = batch.only {
                inbox.deliver(only, isClosing: isClosing)
            } else {
                inbox.deliver(batch.items, isClosing: isClosing)
            }
        batch.removeAll()
        switch room {
        case .more: break
        case .full: isPaused = true
        case .dropping:
            reception.discard()
            assembly = nil
        }
    }

    func perform(_ actions: [WebSocketProtocolStateMachine.Action]) {
        for action in actions { perform(action) }
        if !actions.isEmpty { arm() }
    }

    private func perform(_ action: WebSocketProtocolStateMachine.Action) {
        switch action {
        case .sendPong(let payload): outbox.pong(payload)
        case .sendPing:
            // The connection has been idle for a while.
            outbox.freeSpareBuffers()
            _ = try? outbox.ping(pings.nextPayload())
        case .answered(let payload):
            pings.answered(payload)
            options.onPong?(Data(payload))
        case .sendClose(let code, let reason):
            outbox.end(.closing, closeFrame: (code, reason))
            flush()
        case .finish(let closure):
            deliver()
            let error = closure.isClean ? WebSocketError.closing : closure.failure ?? .closing
            outbox.end(error, closeFrame: nil)
            pings.end(error)
            inbox.finish(closure)
        case .disconnect:
            outbox.discard()
            context?.close(promise: nil)
        }
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
    private func arm() { arm(for: machine.wakeTime) }

    private func arm(for time: Int64?) {
        guard let time, context != nil, !hasEnded else {
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
        guard !hasEnded else { return }
        perform(machine.timerFired(at: now, isReading: !isPaused && !reception.isUndecided, progress))
        flushIfNeeded()
        arm()
    }
}

extension NIODeadline {
    /// The time in nanoseconds, as the state machines use it.
    var nanoseconds: Int64 { Int64(clamping: uptimeNanoseconds) }
}

extension WebSocketError {
    static let closing = WebSocketError(.closed, message: "the connection is closed, or about to be")
}
