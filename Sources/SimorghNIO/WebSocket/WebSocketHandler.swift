// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOFoundationEssentialsCompat
import SimorghCore
import SimorghRealtime
import SimorghSupport

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
    // What is unchecked changes by methods of values that know nothing of this handler: no two accesses can overlap.
    @exclusivity(unchecked) var machine: WebSocketMachine
    @exclusivity(unchecked) var unread = ByteBuffer()
    @exclusivity(unchecked) var current: Current?
    var control: [UInt8] = []
    var assembly: WebSocketAssembly?
    /// Messages that are complete and not in the inbox yet.
    @exclusivity(unchecked) var batch = WebSocketBatch()
    /// Nobody takes what comes: no more is read.
    var isPaused = false
    /// A message is too large to be taken whole, and nobody has said how it is wanted.
    var isUndecided = false
    var nextInParts = false
    /// Nothing of messages is wanted any more: this side has said goodbye, and some of what came was dropped.
    var isDiscarding = false
    /// How many bytes were given to the channel, or to the system.
    var handed = 0
    /// Gives small frames to the socket, past the channel.
    @exclusivity(unchecked) var direct = DirectWriter()
    /// Whether this has the channel write what it was given; one that cannot reads first what is left to be read.
    var isFlushing = false
    private var isReadWanted = false
    private var hasEnded = false
    private var cause: (any Error)?
    private(set) var context: ChannelHandlerContext?
    private let alarm: LoopClock
    private let executor: LoopExecutor?
    private var alarmPlace: LoopClock.Place?
    private var alarmTime: Int64 = .max

    init(
        _ options: WebSocketLinkOptions, _ compression: WebSocketCompression?, inbox: WebSocketInbox,
        outbox: WebSocketOutbox, pings: PendingPings, alarm: LoopClock, executor: LoopExecutor?, at now: NIODeadline
    ) throws {
        self.executor = executor
        self.options = options
        self.inbox = inbox
        self.outbox = outbox
        self.pings = pings
        self.alarm = alarm
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
        // Of the request, where a server has answered before it had all of it.
        direct = DirectWriter(of: context.channel, isInChannel: waiting > 0)
        arm()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        gone()
        self.context = nil
        direct = DirectWriter()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        heard()
        direct.received()
        guard machine.isListening else { return }
        let bytes = unwrapInboundIn(data)
        if unread.readableBytes == 0 { unread = bytes } else { join(bytes) }
        guard let executor, !isFlushing else { return process() }
        // A task of this loop that waits goes on before the channel sees to anything else, and what it sends goes out.
        executor.runningWhatCameOf { process() }
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
        gone()
        context.fireChannelInactive()
    }

    /// The connection ended; what came may still be looked at.
    private func gone() {
        hasEnded = true
        arm()
        guard isPaused || isUndecided else { return ended() }
        // Whoever sends need not wait for whoever receives to find out.
        let error = WebSocketError(
            .connectionLost, message: loss, closeCode: .abnormalClosure, underlying: cause)
        outbox.end(error, goodbye: nil)
        outbox.discard()
        pings.end(error)
    }

    private var loss: String {
        cause.map { "the connection ended: \(SystemErrors.text(of: $0))" } ?? "the connection ended without a goodbye"
    }

    /// The connection ended, and all that came was looked at.
    private func ended() {
        perform(machine.ended(loss, underlying: cause))
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
        guard isPaused else { return }
        isPaused = false
        goOn()
    }

    /// The server lives.
    private func heard() {
        // The next ping may be due before the deadline of the last one.
        arm(for: machine.heard(at: now))
    }

    /// Looks at what has come meanwhile, and reads on.
    private func goOn() {
        // Who had no room to answer in is given time to do so now; of others the kernel knows what came meanwhile.
        if pulse?.hasRoom != true { heard() }
        process()
        guard !isPaused, !isUndecided else { return }
        if hasEnded { return ended() }
        if isReadWanted {
            isReadWanted = false
            context?.read()
        }
    }

    /// Somebody waits, for a message in parts or for the one that is too large to be taken whole; or has left already.
    func decide() {
        // Whoever waits has found the inbox empty.
        isPaused = false
        if isUndecided {
            isUndecided = false
            overflowed()
        } else if inbox.wantsParts {
            goInParts()
        }
        goOn()
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
        // What came before is taken before.
        deliver()
        guard machine.isOpen else { return discard() }
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
        if isUndecided, !machine.isOpen {
            isUndecided = false
            discard()
        }
        isPaused = false
        goOn()
    }

    /// This side has said goodbye, and the message that comes is too large: it is skipped, and so is what follows it.
    private func discard() {
        isDiscarding = true
        assembly = nil
        inbox.drop(because: WebSocketFault.tooLarge(limit: options.maximumMessageSize).error)
    }

    func drop() { perform(machine.drop()) }

    /// Nobody uses it any more.
    func abandon() { perform(machine.abandon(at: now)) }

    func fail(_ fault: WebSocketFault) {
        deliver()
        perform(machine.failed(fault, isTaken: inbox.isTaken(), at: now))
        // Where nobody takes what came before, its deadline decides.
        arm()
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
            isDiscarding = true
            assembly = nil
        }
    }

    func perform(_ actions: [WebSocketMachine.Action]) {
        for action in actions { perform(action) }
        if !actions.isEmpty { arm() }
    }

    private func perform(_ action: WebSocketMachine.Action) {
        switch action {
        case .sendPong(let payload): outbox.pong(payload)
        case .sendPing:
            // It has been quiet for a while.
            outbox.forgetSpares()
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

    /// How far what was sent has gone out.
    private var progress: WebSocketMachine.Progress {
        let waiting = self.waiting
        return WebSocketMachine.Progress(written: handed - waiting, waiting: waiting, pulse)
    }

    /// How many bytes the channel has not written.
    private var waiting: Int {
        context.flatMap { try? $0.channel.syncOptions?.getOption(.bufferedWritableBytes) } ?? 0
    }

    private var pulse: WebSocketPulse? { context.flatMap { WebSocketPulse(of: $0.channel) } }

    /// Sees to it that it is woken no later than it has to be.
    private func arm() { arm(for: machine.wakeTime) }

    private func arm(for time: Int64?) {
        guard let time, context != nil, !hasEnded else {
            alarm.forget(alarmPlace)
            alarmPlace = nil
            alarmTime = .max
            return
        }
        // Who is woken too early asks again; who would be woken too late asks anew.
        guard time < alarmTime else { return }
        alarmTime = time
        alarmPlace = alarm.wake(self, at: .uptimeNanoseconds(UInt64(clamping: time)), insteadOf: alarmPlace)
    }
}

extension WebSocketHandler: Sleeper {
    func woken() {
        alarmPlace = nil
        alarmTime = .max
        // Another one that was woken just before may have ended this one.
        guard !hasEnded else { return }
        perform(machine.tick(at: now, isReading: !isPaused && !isUndecided, progress))
        flushIfNeeded()
        arm()
    }
}

extension NIODeadline {
    /// As the machines count.
    var nanoseconds: Int64 { Int64(clamping: uptimeNanoseconds) }
}

extension WebSocketError {
    static let closing = WebSocketError(.closed, message: "the connection is closed, or about to be")
}
