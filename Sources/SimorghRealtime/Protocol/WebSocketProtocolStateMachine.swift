// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The state machine of one WebSocket connection, from the handshake to its end.
///
/// A value that takes frames and time, and returns actions. It handles no message payload; its owner reports each
/// frame. Times are in nanoseconds of any monotonic clock.
package struct WebSocketProtocolStateMachine: Sendable {
    /// The actions to perform, in the order returned.
    package enum Action: Sendable, Hashable {
        /// Send a pong with the payload of the ping.
        case sendPong([UInt8])
        /// Send a ping to find out if the server is alive.
        case sendPing
        /// A pong arrived, with this payload.
        case answered([UInt8])
        /// Send a close frame after all queued messages, and nothing after it.
        case sendClose(WebSocketCloseCode?, String)
        /// Report the end to the users of the connection; messages received before can still be taken.
        case finish(WebSocketCloseInfo)
        /// Close the underlying connection immediately.
        case disconnect
    }

    /// The role of a frame.
    package enum FrameRole: Sendable, Hashable {
        /// The first frame of a message.
        case beginning(WebSocketMessage.Kind, isCompressed: Bool)
        /// A continuation frame of the message.
        case middle
        /// A control frame; pass its payload to ``didReceiveControlFrame(_:payload:at:)`` once it is complete.
        case control(WebSocketOpcode)
        /// A frame to skip, because the connection is closing or has failed.
        case ignored
    }

    /// The progress of outgoing data.
    package struct Progress: Sendable, Hashable {
        /// The number of bytes that the network has accepted so far.
        package var written: Int
        /// The number of further bytes that are queued.
        package var waiting: Int
        /// The TCP state of the kernel, if available.
        package var tcpInfo: TCPInfo?

        package init(written: Int, waiting: Int, _ tcpInfo: TCPInfo? = nil) {
            self.written = written
            self.waiting = waiting
            self.tcpInfo = tcpInfo
        }

        package static let none = Progress(written: 0, waiting: 0)
    }

    private enum Phase: Sendable, Hashable {
        case open
        /// The server violated the protocol; earlier messages have not all been taken yet.
        case failing(WebSocketProtocolError)
        /// This side sent a close frame and waits for the server's.
        case closing(WebSocketCloseCode, String)
        /// The close handshake is complete; the server closes the underlying connection, or this side after a timeout.
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
        /// No ping is unanswered.
        case alive
        /// A ping was sent and nothing has arrived since: its time, the progress at that time, and the time of the last
        /// check.
        case awaitingPong(since: Int64, Progress, checked: Int64)
    }

    private let pingInterval: Int64?
    private let pongTimeout: Int64
    private let closeTimeout: Int64
    private var phase = Phase.open {
        didSet { (isOpen, isListening) = (phase.isOpen, phase.isListening) }
    }
    // Stored, because each frame reads them, and computing them from another module would copy the machine.
    /// True if messages may be sent.
    package private(set) var isOpen = true
    /// True if incoming frames are processed: not after the server's close frame or a fault.
    package private(set) var isListening = true
    private var liveness = Liveness.alive
    private var lastReceived: Int64
    private var closeDeadline: Int64?
    /// True within a fragmented message.
    private var isInMessage = false

    package init(_ options: WebSocketChannelOptions, at now: Int64) {
        pingInterval = options.pingInterval.map { max(1, Self.nanoseconds($0)) }
        pongTimeout = max(1, Self.nanoseconds(options.pongTimeout))
        closeTimeout = max(0, Self.nanoseconds(options.closeTimeout))
        lastReceived = now
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        // Limited to 100 years, so that the sum of two values does not overflow.
        return min(max(seconds, -3_155_760_000), 3_155_760_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// The time at which ``timerFired(at:isReading:_:)`` must be called; `nil` if no timer is needed.
    package var wakeTime: Int64? {
        switch phase {
        case .closed: nil
        case .failing, .closing, .leaving: closeDeadline
        case .open:
            switch liveness {
            case .awaitingPong(let time, _, let checked):
                min(time + pongTimeout, checked + (pingInterval ?? pongTimeout))
            case .alive: pingInterval.map { lastReceived + $0 }
            }
        }
    }

    // MARK: Incoming

    /// Handles the arrival of bytes, whatever their content.
    ///
    /// - Returns: The new ``wakeTime``.
    @discardableResult
    package mutating func didReceiveBytes(at now: Int64) -> Int64? {
        lastReceived = now
        liveness = .alive
        return wakeTime
    }

    /// Handles the header of a frame.
    package mutating func didReceiveHeader(_ frame: WebSocketFrame) throws(WebSocketProtocolError) -> FrameRole {
        guard isListening else { return .ignored }
        switch frame.opcode {
        case .close, .ping, .pong: return .control(frame.opcode)
        case .continuation:
            guard isInMessage else { throw .violation("continuation frame without a message to continue") }
            isInMessage = !frame.isFinal
            return .middle
        case .text, .binary:
            guard !isInMessage else { throw .violation("new message within a fragmented message") }
            isInMessage = !frame.isFinal
            return .beginning(frame.opcode == .text ? .text : .binary, isCompressed: frame.isCompressed)
        }
    }

    /// Handles a complete control frame.
    package mutating func didReceiveControlFrame(
        _ opcode: WebSocketOpcode, payload: [UInt8], at now: Int64
    ) throws(WebSocketProtocolError) -> [Action] {
        guard isListening else { return [] }
        switch opcode {
        case .ping: return phase == .open ? [.sendPong(payload)] : []
        case .pong: return [.answered(payload)]
        case .close: return try handleClose(payload, at: now)
        case .continuation, .text, .binary: return []
        }
    }

    private mutating func handleClose(_ payload: [UInt8], at now: Int64) throws(WebSocketProtocolError) -> [Action] {
        var code: WebSocketCloseCode?
        var reason = ""
        if !payload.isEmpty {
            guard payload.count >= 2 else { throw .violation("close frame with a payload of 1 byte") }
            let received = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
            guard received.isSendable else {
                throw .violation("close frame with the invalid code \(received)")
            }
            guard let text = String(validating: payload[2...], as: UTF8.self) else { throw .invalidText }
            (code, reason) = (received, text)
        }
        var actions: [Action] = []
        var initiator = WebSocketCloseInfo.Side.local
        if phase == .open {
            initiator = .remote
            actions.append(.sendClose(code, ""))
            closeDeadline = now + closeTimeout
        }
        phase = .leaving
        actions.append(
            .finish(
                WebSocketCloseInfo(
                    code: code ?? .noStatusReceived, reason: reason, isClean: true, initiator: initiator)))
        return actions
    }

    /// Handles a violation by the server.
    ///
    /// The failure is reported after the messages that arrived before it, which the caller may still take and answer,
    /// but no later than the close timeout from now.
    ///
    /// - Parameters:
    ///   - fault: The violation.
    ///   - allMessagesTaken: True if all earlier messages were taken and a reader waits for more.
    ///   - now: The time.
    /// - Returns: The actions.
    package mutating func didDetectViolation(
        _ fault: WebSocketProtocolError, allMessagesTaken: Bool, at now: Int64
    ) -> [Action] {
        switch phase {
        case .open:
            phase = .failing(fault)
            closeDeadline = now + closeTimeout
            return allMessagesTaken ? messagesTaken(at: now) : []
        case .closing:
            phase = .leaving
            return [.finish(Self.closure(fault))]
        case .failing, .leaving, .closed: return []
        }
    }

    /// Handles that all messages before a fault were taken.
    package mutating func messagesTaken(at now: Int64) -> [Action] {
        guard case .failing(let fault) = phase else { return [] }
        phase = .leaving
        closeDeadline = now + closeTimeout
        return [.sendClose(fault.closeCode, Self.shortened(fault.reason)), .finish(Self.closure(fault))]
    }

    private static func closure(_ fault: WebSocketProtocolError) -> WebSocketCloseInfo {
        WebSocketCloseInfo(
            code: fault.closeCode, reason: fault.reason, isClean: false, initiator: .local, failure: fault.error)
    }

    /// Handles the end of the underlying connection.
    ///
    /// - Parameters:
    ///   - cause: The reason in words.
    ///   - underlying: The underlying error.
    /// - Returns: The actions.
    package mutating func connectionClosed(_ cause: String, underlying: (any Error)? = nil) -> [Action] {
        let (wasListening, before) = (isListening, phase)
        phase = .closed
        if case .failing(let fault) = before { return [.finish(Self.closure(fault))] }
        guard wasListening else { return [] }
        return [
            .finish(
                WebSocketCloseInfo(
                    code: .abnormalClosure, isClean: false, initiator: .remote,
                    failure: WebSocketError(
                        .connectionLost, message: cause, closeCode: .abnormalClosure, underlying: underlying)))
        ]
    }

    // MARK: Requests

    /// Starts the close handshake.
    package mutating func close(_ code: WebSocketCloseCode, reason: String, at now: Int64) -> [Action] {
        if case .failing = phase { return messagesTaken(at: now) }
        guard phase == .open else { return [] }
        let code = code.isSendable ? code : .normal
        let reason = Self.shortened(reason)
        phase = .closing(code, reason)
        closeDeadline = now + closeTimeout
        return [.sendClose(code, reason)]
    }

    /// Ends the connection immediately.
    package mutating func drop() -> [Action] {
        let (wasListening, before) = (isListening, phase)
        guard phase != .closed else { return [] }
        phase = .closed
        if case .failing(let fault) = before { return [.finish(Self.closure(fault)), .disconnect] }
        guard wasListening else { return [.disconnect] }
        return [
            .finish(
                WebSocketCloseInfo(
                    code: .abnormalClosure, isClean: false, initiator: .local,
                    failure: WebSocketError(
                        .closed, message: "the connection was dropped by this side", closeCode: .abnormalClosure))),
            .disconnect,
        ]
    }

    /// Handles the release of the last reference.
    ///
    /// Drops an open or closing connection. A pending fault is still reported to the server, and a completed close
    /// handshake is left alone.
    package mutating func abandon(at now: Int64) -> [Action] {
        switch phase {
        case .open, .closing: drop()
        case .failing: messagesTaken(at: now)
        case .leaving, .closed: []
        }
    }

    /// Handles the passing of time.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - isReading: True if incoming data is being read; otherwise only the kernel knows of arrived data.
    ///   - progress: The progress of outgoing data.
    /// - Returns: The actions.
    package mutating func timerFired(at now: Int64, isReading: Bool, _ progress: Progress = .none) -> [Action] {
        guard let time = wakeTime, now >= time else { return [] }
        switch phase {
        case .closed: return []
        case .failing: return messagesTaken(at: now)
        case .leaving:
            phase = .closed
            return [.disconnect]
        case .closing(let code, let reason):
            phase = .closed
            return [
                .finish(
                    WebSocketCloseInfo(
                        code: code, reason: reason, isClean: false, initiator: .local,
                        failure: WebSocketError(
                            .closeTimedOut, message: "no close frame from the server within closeTimeout",
                            closeCode: code))),
                .disconnect,
            ]
        case .open:
            return checkLiveness(at: now, isReading: isReading, progress)
        }
    }

    /// Sends a ping when it is due, and ends the connection if the server did not react to the last one.
    private mutating func checkLiveness(at now: Int64, isReading: Bool, _ progress: Progress) -> [Action] {
        guard case .awaitingPong(let time, let before, _) = liveness else {
            liveness = .awaitingPong(since: now, progress, checked: now)
            return [.sendPing]
        }
        if let tcpInfo = progress.tcpInfo, let former = before.tcpInfo, tcpInfo.received != former.received {
            // Data arrived in the kernel's buffer, but reading is paused. The next ping may already be due.
            didReceiveBytes(at: max(time, now - max(0, tcpInfo.silence)))
            guard let next = wakeTime, next <= now else { return [] }
            return checkLiveness(at: now, isReading: isReading, progress)
        }
        guard now >= time + pongTimeout else {
            liveness = .awaitingPong(since: time, before, checked: now)
            return []
        }
        guard let reason = Self.reasonToDisconnect(from: before, to: progress, isReading: isReading) else {
            didReceiveBytes(at: now)
            return []
        }
        phase = .closed
        return [
            .finish(
                WebSocketCloseInfo(
                    code: .abnormalClosure, isClean: false, initiator: .local,
                    failure: WebSocketError(.pongTimedOut, message: reason, closeCode: .abnormalClosure))),
            .disconnect,
        ]
    }

    /// Returns the reason to disconnect from a server that did not react to a ping; `nil` if it may have been unable
    /// to answer.
    private static func reasonToDisconnect(from before: Progress, to progress: Progress, isReading: Bool) -> String? {
        // While the receive window is open, the server's kernel can send an answer and ours accepts it, even if
        // reading is paused.
        if isReading || progress.tcpInfo?.hasRoom == true {
            return "no data from the server within pongTimeout after a ping"
        }
        let isStuck = progress.waiting > 0 && progress.written <= before.written
        return isStuck || TCPInfo.isStuck(from: before.tcpInfo, to: progress.tcpInfo)
            ? "the server has not received any data since a ping was sent" : nil
    }

    /// Returns the reason truncated between two characters to the size that fits in a close frame.
    package static func shortened(_ reason: String) -> String {
        let maximumSize = WebSocketFrame.maximumControlPayload - 2
        guard reason.utf8.count > maximumSize else { return reason }
        var count = 0
        return String(
            String.UnicodeScalarView(
                reason.unicodeScalars.prefix { scalar in
                    count += UTF8.width(scalar)
                    return count <= maximumSize
                }))
    }
}
