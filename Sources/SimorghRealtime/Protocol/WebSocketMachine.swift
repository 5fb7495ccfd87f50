// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// One connection of a WebSocket from the handshake to its end: which frames may come, what answers them, and when.
///
/// A value: frames and time in, actions out. It moves no payload of messages; whoever does tells it of each frame. Times
/// are nanoseconds of any clock that only goes forward.
package struct WebSocketMachine: Sendable {
    /// What to do, in the order given.
    package enum Action: Sendable, Hashable {
        /// Answer a ping with its payload.
        case sendPong([UInt8])
        /// Ask whether the server lives.
        case sendPing
        /// A pong came, with this payload.
        case answered([UInt8])
        /// Say goodbye, after all that was sent; nothing goes out after it.
        case sendClose(WebSocketCloseCode?, String)
        /// It is over for whoever uses it; what came before can still be taken.
        case finish(WebSocketClosure)
        /// End the connection below, at once.
        case disconnect
    }

    /// What a frame belongs to.
    package enum Part: Sendable, Hashable {
        /// The first frame of a message.
        case beginning(WebSocketMessage.Kind, isCompressed: Bool)
        /// A further frame of it.
        case middle
        /// A control frame, whose payload goes to ``control(_:_:at:)`` when it is whole.
        case control(WebSocketOpcode)
        /// Nothing that anybody wants any more.
        case ignored
    }

    /// How far what was sent has gone out.
    package struct Progress: Sendable, Hashable {
        /// How many bytes the network has taken so far.
        package var written: Int
        /// How many more it was given.
        package var waiting: Int
        /// What the kernel knows, where it can be asked.
        package var pulse: WebSocketPulse?

        package init(written: Int, waiting: Int, _ pulse: WebSocketPulse? = nil) {
            self.written = written
            self.waiting = waiting
            self.pulse = pulse
        }

        package static let none = Progress(written: 0, waiting: 0)
    }

    private enum Phase: Sendable, Hashable {
        case open
        /// The server sent what it may not, behind what nobody has taken yet.
        case failing(WebSocketFault)
        /// We said goodbye, and wait for the server's.
        case closing(WebSocketCloseCode, String)
        /// All is said; the server ends the connection below, or we do when it takes too long.
        case leaving
        case closed

        var isOpen: Bool {
            switch self {
            case .open, .failing: true
            case .closing, .leaving, .closed: false
            }
        }

        var isListening: Bool {
            switch self {
            case .open, .closing: true
            case .failing, .leaving, .closed: false
            }
        }
    }

    private enum Liveness: Sendable, Hashable {
        case quiet
        /// With what was known then, and when it was looked at last.
        case asked(at: Int64, Progress, seen: Int64)
    }

    private let pingInterval: Int64?
    private let pongTimeout: Int64
    private let closeTimeout: Int64
    private var phase = Phase.open {
        didSet { (isOpen, isListening) = (phase.isOpen, phase.isListening) }
    }
    // Kept, since they are asked for at each frame: to work them out elsewhere takes a copy of the machine.
    /// Whether messages may be sent.
    package private(set) var isOpen = true
    /// Whether what comes is of interest: not after the goodbye of the server, or a fault.
    package private(set) var isListening = true
    private var liveness = Liveness.quiet
    private var lastHeard: Int64
    private var closeDeadline: Int64?
    /// Whether a message was begun and not ended.
    private var isInMessage = false

    package init(_ options: WebSocketLinkOptions, at now: Int64) {
        pingInterval = options.pingInterval.map { max(1, Self.nanoseconds($0)) }
        pongTimeout = max(1, Self.nanoseconds(options.pongTimeout))
        closeTimeout = max(0, Self.nanoseconds(options.closeTimeout))
        lastHeard = now
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        // A hundred years, so that a sum of two does not overflow.
        return min(max(seconds, -3_155_760_000), 3_155_760_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// When ``tick(at:isReading:_:)`` is wanted.
    package var wakeTime: Int64? {
        switch phase {
        case .closed: nil
        case .failing, .closing, .leaving: closeDeadline
        case .open:
            switch liveness {
            case .asked(let time, _, let seen): min(time + pongTimeout, seen + (pingInterval ?? pongTimeout))
            case .quiet: pingInterval.map { lastHeard + $0 }
            }
        }
    }

    // MARK: What comes

    /// Bytes came, whatever they say.
    ///
    /// - Returns: The ``wakeTime`` from now on.
    @discardableResult
    package mutating func heard(at now: Int64) -> Int64? {
        lastHeard = now
        liveness = .quiet
        return wakeTime
    }

    /// The head of a frame came.
    package mutating func begin(_ frame: WebSocketFrame) throws(WebSocketFault) -> Part {
        guard isListening else { return .ignored }
        switch frame.opcode {
        case .close, .ping, .pong: return .control(frame.opcode)
        case .continuation:
            guard isInMessage else { throw .violation("a message goes on that was not begun") }
            isInMessage = !frame.isFinal
            return .middle
        case .text, .binary:
            guard !isInMessage else { throw .violation("a message begins within another") }
            isInMessage = !frame.isFinal
            return .beginning(frame.opcode == .text ? .text : .binary, isCompressed: frame.isCompressed)
        }
    }

    /// A control frame is whole.
    package mutating func control(
        _ opcode: WebSocketOpcode, _ payload: [UInt8], at now: Int64
    ) throws(WebSocketFault) -> [Action] {
        guard isListening else { return [] }
        switch opcode {
        case .ping: return phase == .open ? [.sendPong(payload)] : []
        case .pong: return [.answered(payload)]
        case .close: return try goodbye(payload, at: now)
        case .continuation, .text, .binary: return []
        }
    }

    private mutating func goodbye(_ payload: [UInt8], at now: Int64) throws(WebSocketFault) -> [Action] {
        var code: WebSocketCloseCode?
        var reason = ""
        if !payload.isEmpty {
            guard payload.count >= 2 else { throw .violation("a close frame has half a code") }
            let given = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
            guard given.isSendable else {
                throw .violation("a close frame has the code \(given), which may not be sent")
            }
            guard let text = String(validating: payload[2...], as: UTF8.self) else { throw .invalidText }
            (code, reason) = (given, text)
        }
        var actions: [Action] = []
        var initiator = WebSocketClosure.Side.local
        if phase == .open {
            initiator = .remote
            actions.append(.sendClose(code, ""))
            closeDeadline = now + closeTimeout
        }
        phase = .leaving
        actions.append(
            .finish(
                WebSocketClosure(
                    code: code ?? .noStatusReceived, reason: reason, isClean: true, initiator: initiator)))
        return actions
    }

    /// The server sent what it may not.
    ///
    /// Whoever takes messages finds out behind those that came before, and may still answer these; but no later than the
    /// time for a goodbye from now.
    ///
    /// - Parameters:
    ///   - fault: What is wrong.
    ///   - isTaken: Whether all that came before was taken, and more is waited for.
    ///   - now: The time.
    /// - Returns: What to do.
    package mutating func failed(_ fault: WebSocketFault, isTaken: Bool, at now: Int64) -> [Action] {
        switch phase {
        case .open:
            phase = .failing(fault)
            closeDeadline = now + closeTimeout
            return isTaken ? taken(at: now) : []
        case .closing:
            phase = .leaving
            return [.finish(Self.closure(fault))]
        case .failing, .leaving, .closed: return []
        }
    }

    /// All that came before a fault was taken.
    package mutating func taken(at now: Int64) -> [Action] {
        guard case .failing(let fault) = phase else { return [] }
        phase = .leaving
        closeDeadline = now + closeTimeout
        return [.sendClose(fault.closeCode, Self.shortened(fault.reason)), .finish(Self.closure(fault))]
    }

    private static func closure(_ fault: WebSocketFault) -> WebSocketClosure {
        WebSocketClosure(
            code: fault.closeCode, reason: fault.reason, isClean: false, initiator: .local, failure: fault.error)
    }

    /// The connection below ended.
    ///
    /// - Parameters:
    ///   - cause: Why, in words.
    ///   - underlying: The error that says so.
    /// - Returns: What to do.
    package mutating func ended(_ cause: String, underlying: (any Error)? = nil) -> [Action] {
        let (wasListening, before) = (isListening, phase)
        phase = .closed
        if case .failing(let fault) = before { return [.finish(Self.closure(fault))] }
        guard wasListening else { return [] }
        return [
            .finish(
                WebSocketClosure(
                    code: .abnormalClosure, isClean: false, initiator: .remote,
                    failure: WebSocketError(
                        .connectionLost, message: cause, closeCode: .abnormalClosure, underlying: underlying)))
        ]
    }

    // MARK: What is wanted

    /// Somebody wants it to end in good manners.
    package mutating func close(_ code: WebSocketCloseCode, _ reason: String, at now: Int64) -> [Action] {
        if case .failing = phase { return taken(at: now) }
        guard phase == .open else { return [] }
        let code = code.isSendable ? code : .normal
        let reason = Self.shortened(reason)
        phase = .closing(code, reason)
        closeDeadline = now + closeTimeout
        return [.sendClose(code, reason)]
    }

    /// Somebody wants it to end at once.
    package mutating func drop() -> [Action] {
        let (wasListening, before) = (isListening, phase)
        guard phase != .closed else { return [] }
        phase = .closed
        if case .failing(let fault) = before { return [.finish(Self.closure(fault)), .disconnect] }
        guard wasListening else { return [.disconnect] }
        return [
            .finish(
                WebSocketClosure(
                    code: .abnormalClosure, isClean: false, initiator: .local,
                    failure: WebSocketError(
                        .closed, message: "the connection was dropped by this side", closeCode: .abnormalClosure))),
            .disconnect,
        ]
    }

    /// Nobody uses it any more: what is not said yet is not said, and what is said is let come through.
    package mutating func abandon(at now: Int64) -> [Action] {
        switch phase {
        case .open, .closing: drop()
        case .failing: taken(at: now)
        case .leaving, .closed: []
        }
    }

    /// Time has passed.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - isReading: Whether what the server sends is read; as long as it is not, the kernel knows what came.
    ///   - progress: How far what was sent has gone out.
    /// - Returns: What to do.
    package mutating func tick(at now: Int64, isReading: Bool, _ progress: Progress = .none) -> [Action] {
        guard let time = wakeTime, now >= time else { return [] }
        switch phase {
        case .closed: return []
        case .failing: return taken(at: now)
        case .leaving:
            phase = .closed
            return [.disconnect]
        case .closing(let code, let reason):
            phase = .closed
            return [
                .finish(
                    WebSocketClosure(
                        code: code, reason: reason, isClean: false, initiator: .local,
                        failure: WebSocketError(
                            .closeTimedOut, message: "the server did not say goodbye in return", closeCode: code))),
                .disconnect,
            ]
        case .open:
            return live(at: now, isReading: isReading, progress)
        }
    }

    /// Asks whether the server lives, and judges what came of that.
    private mutating func live(at now: Int64, isReading: Bool, _ progress: Progress) -> [Action] {
        guard case .asked(let time, let before, _) = liveness else {
            liveness = .asked(at: now, progress, seen: now)
            return [.sendPing]
        }
        if let pulse = progress.pulse, let former = before.pulse, pulse.received != former.received {
            // It lies with the kernel, and nobody reads. The next ping may be due already.
            heard(at: max(time, now - max(0, pulse.silence)))
            guard let next = wakeTime, next <= now else { return [] }
            return live(at: now, isReading: isReading, progress)
        }
        guard now >= time + pongTimeout else {
            liveness = .asked(at: time, before, seen: now)
            return []
        }
        guard let reason = Self.death(from: before, to: progress, isReading: isReading) else {
            heard(at: now)
            return []
        }
        phase = .closed
        return [
            .finish(
                WebSocketClosure(
                    code: .abnormalClosure, isClean: false, initiator: .local,
                    failure: WebSocketError(.pongTimedOut, message: reason, closeCode: .abnormalClosure))),
            .disconnect,
        ]
    }

    /// Why a server that has not answered in time counts as dead; `nil` where it could not have answered.
    private static func death(from before: Progress, to progress: Progress, isReading: Bool) -> String? {
        // While there is room for an answer, its kernel sends it and ours takes it, whoever reads.
        if isReading || progress.pulse?.hasRoom == true { return "the server has been silent since a ping was sent" }
        let isStuck = progress.waiting > 0 && progress.written <= before.written
        return isStuck || WebSocketPulse.isStuck(from: before.pulse, to: progress.pulse)
            ? "the server takes nothing of what is sent" : nil
    }

    /// As much of a reason as a close frame holds, cut between two characters.
    package static func shortened(_ reason: String) -> String {
        let most = WebSocketFrame.mostControlBytes - 2
        guard reason.utf8.count > most else { return reason }
        var count = 0
        return String(
            String.UnicodeScalarView(
                reason.unicodeScalars.prefix { scalar in
                    count += UTF8.width(scalar)
                    return count <= most
                }))
    }
}
