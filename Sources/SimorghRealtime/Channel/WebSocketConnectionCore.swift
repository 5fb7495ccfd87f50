// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The part of an open WebSocket connection that all transports share: parses frames, answers control frames, and
/// passes messages to the inbox.
///
/// ``WebSocketProtocolStateMachine`` makes the protocol decisions. The owner moves the bytes: after each call it performs
/// ``takeRequests()``, discards unread bytes unless ``isListening``, and reads on while ``isReading``. Times are in
/// nanoseconds of any monotonic clock. Used on one event loop or by one actor.
package struct WebSocketConnectionCore {
    /// The actions for the owner.
    package struct Requests: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Write the outbox now: a close frame was added.
        package static let flush = Requests(rawValue: 1)
        /// Close the underlying connection immediately.
        package static let disconnect = Requests(rawValue: 2)
    }

    /// The frame whose payload is being received.
    struct Current {
        let frame: WebSocketFrame
        let part: WebSocketProtocolStateMachine.FrameRole
        /// The number of payload bytes that have not arrived yet.
        var missing: Int
    }

    let options: WebSocketChannelOptions
    let inbox: InboundMessageQueue
    private let outbox: any WebSocketOutbox
    private let pings: PendingPings
    let inflater: MessageInflater?
    let mayBeCompressed: Bool
    var machine: WebSocketProtocolStateMachine
    /// The unparsed bytes; empty outside of ``process(_:at:)``.
    var input = UnsafeRawBufferPointer(start: nil, count: 0)
    var current: Current?
    var control: [UInt8] = []
    var assembly: MessageAssembler?
    /// The complete messages that are not in the inbox yet.
    var batch = InboundMessageBatch()
    /// True while the inbox is full: reading is suspended.
    var isPaused = false
    /// The way in which messages are received.
    var reception = MessageReceptionStateMachine()
    /// The time of the current call.
    var now: Int64
    private var requests: Requests = []
    /// True after the underlying connection has ended; received bytes may still be unprocessed.
    package private(set) var hasEnded = false
    private var loss = ""
    private var cause: (any Error)?

    /// Creates the core of a connection whose handshake is complete.
    ///
    /// - Parameters:
    ///   - options: The options of the connection.
    ///   - compression: The agreed compression.
    ///   - inbox: The received messages.
    ///   - outbox: The frames to send.
    ///   - pings: The pings whose callers wait.
    ///   - now: The time.
    /// - Throws: `WebSocketProtocolError` if there is no memory for the decompression.
    package init(
        _ options: WebSocketChannelOptions, compression: WebSocketCompression?, inbox: InboundMessageQueue,
        outbox: any WebSocketOutbox, pings: PendingPings, at now: Int64
    ) throws(WebSocketProtocolError) {
        self.options = options
        self.inbox = inbox
        self.outbox = outbox
        self.pings = pings
        self.now = now
        mayBeCompressed = compression != nil
        if let agreed = compression {
            guard
                let inflater = MessageInflater(
                    windowBits: agreed.serverMaximumWindowBits, forgetsContext: agreed.serverNoContextTakeover)
            else { throw WebSocketProtocolError.invalidData("there is no memory to decompress messages") }
            self.inflater = inflater
        } else {
            inflater = nil
        }
        machine = WebSocketProtocolStateMachine(options, at: now)
    }

    /// True if incoming frames are processed: not after the server's close frame or a fault.
    package var isListening: Bool { machine.isListening }

    /// True if more bytes can be processed.
    package var isReading: Bool { !isPaused && !reception.isUndecided }

    /// The time at which ``timerFired(at:_:)`` must be called; `nil` if no timer is needed.
    package var wakeTime: Int64? { machine.wakeTime }

    /// Removes and returns the actions for the owner.
    package mutating func takeRequests() -> Requests {
        defer { requests = [] }
        return requests
    }

    // MARK: The connection

    /// Notes that the server has sent something.
    package mutating func didReceiveBytes(at now: Int64) { machine.didReceiveBytes(at: now) }

    /// Handles the end of the connection; received bytes may still be unprocessed.
    ///
    /// - Parameters:
    ///   - loss: The reason in words.
    ///   - cause: The underlying error.
    package mutating func connectionClosed(_ loss: String, underlying cause: (any Error)? = nil) {
        guard !hasEnded else { return }
        hasEnded = true
        (self.loss, self.cause) = (loss, cause)
        guard !isReading else { return endIfProcessed() }
        // Senders fail at once, without waiting for the receiver to reach the end.
        stopSending(loss, underlying: cause)
    }

    /// Fails the senders, because nothing can be written anymore.
    ///
    /// - Parameters:
    ///   - loss: The reason in words.
    ///   - cause: The underlying error.
    package mutating func stopSending(_ loss: String, underlying cause: (any Error)?) {
        let error = WebSocketError(.connectionLost, message: loss, closeCode: .abnormalClosure, underlying: cause)
        outbox.end(error, closeFrame: nil)
        outbox.discard()
        pings.end(error)
    }

    /// Ends the state machine, after the connection has ended and all received bytes were processed.
    package mutating func endIfProcessed() {
        guard hasEnded, isReading else { return }
        perform(machine.connectionClosed(loss, underlying: cause))
        assembly = nil
    }

    /// Handles the passing of time.
    package mutating func timerFired(at now: Int64, _ progress: WebSocketProtocolStateMachine.Progress) {
        self.now = now
        perform(machine.timerFired(at: now, isReading: isReading, progress))
    }

    // MARK: The caller's demand

    /// Resumes reading, because the inbox has room.
    ///
    /// - Returns: True if reading was suspended; the owner processes its unread bytes then.
    package mutating func resume() -> Bool {
        defer { isPaused = false }
        return isPaused
    }

    /// Applies the decision of a caller that waits for a fragmented message, or for a message that is too large to be
    /// received whole; the owner processes its unread bytes afterwards.
    ///
    /// The caller may already have left.
    package mutating func decide(at now: Int64) {
        self.now = now
        // A waiting caller has found the inbox empty.
        isPaused = false
        let choice: MessageReceptionStateMachine.Choice = inbox.wantsParts ? .fragments : .whole
        perform(reception.callerArrived(choice: choice, isInMessage: assembly != nil))
    }

    /// Notes that all messages before a protocol violation were taken.
    package mutating func taken(at now: Int64) {
        self.now = now
        perform(machine.messagesTaken(at: now))
    }

    /// Starts the close handshake; the owner processes its unread bytes afterwards.
    package mutating func close(_ code: WebSocketCloseCode, reason: String, at now: Int64) {
        self.now = now
        perform(machine.close(code, reason: reason, at: now))
        // The message can be dropped now; the server's close frame may follow it.
        if !machine.isOpen { perform(reception.closeFrameSent()) }
        isPaused = false
    }

    /// Ends the connection immediately.
    package mutating func drop() { perform(machine.drop()) }

    /// Closes the connection because its last reference is gone.
    package mutating func abandon(at now: Int64) {
        self.now = now
        perform(machine.abandon(at: now))
    }

    /// Fails the connection because of a violation by the server.
    package mutating func fail(_ fault: WebSocketProtocolError, at now: Int64) {
        self.now = now
        fail(fault)
    }

    mutating func fail(_ fault: WebSocketProtocolError) {
        deliver()
        perform(machine.didDetectViolation(fault, allMessagesTaken: inbox.isTaken(), at: now))
        stopListening()
    }

    /// Discards received bytes; only the end of the connection still matters.
    mutating func stopListening() {
        input = UnsafeRawBufferPointer(start: nil, count: 0)
        assembly = nil
        isPaused = false
        reception.stopped()
    }

    // MARK: Actions

    private mutating func goInParts() {
        guard var assembly, !assembly.isInParts else { return }
        assembly.isInParts = true
        batch.append(.beginning(assembly.kind))
        if let part = assembly.takePart() { batch.append(.part(part)) }
        self.assembly = assembly
        deliver()
    }

    /// Handles a message that is too large to be received whole.
    mutating func overflowed() {
        // Earlier messages are delivered first.
        deliver()
        let isOpen = machine.isOpen
        perform(reception.limitExceeded(choice: isOpen ? inbox.chooseReception() : .none, isOpen: isOpen))
    }

    /// Skips a message that is too large, and all messages after it, because this side has sent a close frame.
    private mutating func discardMessages() {
        assembly = nil
        inbox.drop(because: WebSocketProtocolError.tooLarge(limit: options.maximumMessageSize).error)
    }

    private mutating func perform(_ action: MessageReceptionStateMachine.Action) {
        switch action {
        case .none: break
        case .deliverFragments: goInParts()
        case .fail: fail(.tooLarge(limit: options.maximumMessageSize))
        case .discard: discardMessages()
        case .checkLimit: overflowed()
        }
    }

    /// Delivers the complete messages to the inbox.
    mutating func deliver() {
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

    mutating func perform(_ actions: [WebSocketProtocolStateMachine.Action]) {
        for action in actions { perform(action) }
    }

    private mutating func perform(_ action: WebSocketProtocolStateMachine.Action) {
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
            requests.insert(.flush)
        case .finish(let closure):
            deliver()
            let error = closure.isClean ? WebSocketError.closing : closure.failure ?? .closing
            outbox.end(error, closeFrame: nil)
            pings.end(error)
            inbox.finish(closure)
        case .disconnect:
            outbox.discard()
            requests.insert(.disconnect)
        }
    }
}
