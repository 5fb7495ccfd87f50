// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore
package import SimorghRealtime
import SimorghSupport

/// The state machine of one WebSocket over a session; its events come from the task, the callers and the clock.
///
/// It does not rely on the task to call back. A completed task ends everything, even if a `receive` or a ping has no
/// answer; every other wait has a time limit. Times count from the start of the opening. Events after the end are
/// ignored, because a session continues to report a cancelled task for a while.
package struct SessionWebSocketStateMachine: Sendable {
    package enum Action: Sendable {
        /// Start the task.
        case resumeTask
        /// Send a message; report the completion with the number.
        case send(WebSocketMessage, number: Int)
        /// Receive one message.
        case receive
        /// Send a ping; report the pong with the number.
        case sendPing(number: Int)
        /// Send a close frame.
        case sendClose(WebSocketCloseCode, reason: String)
        /// End the task without a close frame.
        case cancelTask
        /// Return the open connection.
        case opened(subprotocol: String?)
        /// Return the response of a server that refused.
        case refused(HTTPResponse)
        /// Throw the error instead of a connection.
        case failOpening(TransportError)
        /// Return a message to the reader; `nil` at the end.
        case completeRead(id: Int, Result<WebSocketMessage?, WebSocketError>)
        /// Return to the sender, with the error if nothing of its message was sent.
        case completeSend(id: Int, WebSocketError?)
        /// Return the round-trip time to the caller of a ping.
        case completePing(id: Int, Result<Duration, WebSocketError>)
        /// Call the pong callback.
        case notifyPong
        /// Return the end of the connection to all callers that wait for it.
        case ended(WebSocketCloseInfo)
    }

    enum Phase {
        case opening
        /// A timeout has ended the opening; the session may report until the deadline if the request was sent.
        case expiring(TransportError, deadline: Duration)
        case open
        /// A callback of the task has failed. The server's close frame may be reported after that, until the deadline.
        case losing(WebSocketError, deadline: Duration)
        /// The server's close frame has arrived; messages before it may be reported after it.
        case draining(WebSocketCloseInfo)
        /// This side closes, and waits for the server's close frame until the deadline.
        case closing(WebSocketCloseCode, reason: String, isSent: Bool, deadline: Duration)
        case ended(WebSocketCloseInfo)
        case failed

        var isEnd: Bool {
            switch self {
            case .ended, .failed: true
            case .opening, .expiring, .open, .losing, .draining, .closing: false
            }
        }
    }

    struct InboundMessage: BoundedItem {
        let message: WebSocketMessage

        var cost: Int { message.byteCount + 64 }
    }

    struct Ping {
        let number: Int
        /// The caller; `nil` for a ping that checks a silent connection.
        let id: Int?
        let sent: Duration
    }

    /// The longest wait for the server's close frame after a failed callback, and for a message before the close frame.
    ///
    /// URLSession reports them within the same turn of the delegate queue; it may also never report them.
    package static let closeFrameWait = Duration.seconds(2)
    /// The longest wait for the measurements of a task whose opening a timeout has ended.
    package static let factsWait = Duration.seconds(1)

    let options: WebSocketChannelOptions
    let timeouts: Timeouts
    private let subprotocols: [String]
    private let isSecure: Bool

    var phase = Phase.opening
    /// The reason for which the task's opening ends as cancelled.
    private var securityError: TransportError?
    /// The measurements of the session; `nil` before it reports them.
    package private(set) var facts: SessionFacts?
    /// True after the task has reported its completion: it calls back no more.
    var isTaskComplete = false
    /// True after the task was ended without a close frame.
    private var isTaskCancelled = false

    // Receiving.
    var inbox: BoundedQueue<InboundMessage>
    var reader: Int?
    /// True while the task has an unanswered `receive`.
    var isReceiving = false
    /// True after `receive` has failed: no more messages arrive.
    var hasReceiveFailed = false
    /// The time until which a message before the server's close frame is awaited.
    var drainDeadline: Duration?
    /// The time until which the task may finish the close handshake after the end.
    ///
    /// The session answers the server's close frame by itself; ending the task at once could prevent that.
    var lingerDeadline: Duration?

    // Sending.
    var unwritten: [Int: Int] = [:]
    var unwrittenBytes = 0
    var senders: [(id: Int, message: WebSocketMessage)] = []
    private var lastNumber = 0

    // Liveness.
    var pings: [Ping] = []
    /// The time at which the last message or pong arrived.
    var lastHeard = Duration.zero
    /// The time at which the ping that checks a silent connection was sent, until something arrives.
    var livenessPing: Duration?
    /// The time until which a late check has granted the task more time; `nil` after something arrived, and after a
    /// check on time.
    var graceEnd: Duration?

    /// Creates a state machine.
    ///
    /// - Parameters:
    ///   - options: The options of the connection.
    ///   - subprotocols: The subprotocols that the request offers.
    ///   - timeouts: The timeouts of the request; those for the head and in total limit the opening.
    ///   - isSecure: True if the request uses TLS.
    package init(
        _ options: WebSocketChannelOptions, subprotocols: [String] = [], timeouts: Timeouts = Timeouts(),
        isSecure: Bool = false
    ) {
        self.options = options
        self.subprotocols = subprotocols
        self.timeouts = timeouts
        self.isSecure = isSecure
        inbox = BoundedQueue(maximumCost: max(1, options.receiveBufferSize))
    }

    /// Announces that the opening fails, because the server is not trusted or the identity cannot be used.
    package mutating func securityFailed(_ error: TransportError) { securityError = error }

    /// Handles the measurements of the session, which arrive before the completion of the task.
    package mutating func measured(_ transactions: [TransactionSnapshot]) { facts = SessionFacts(transactions) }

    /// True if the connection has ended, or was not opened.
    package var isOver: Bool { phase.isEnd }

    /// True if the task is not needed anymore.
    package var isFinished: Bool { isOver && lingerDeadline == nil }

    /// A description of the end; `nil` while the connection is open.
    package var closure: WebSocketCloseInfo? { if case .ended(let closure) = phase { closure } else { nil } }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Opening

    /// Starts the opening.
    package mutating func begin() -> [Action] {
        guard case .opening = phase else { return [] }
        return [.resumeTask]
    }

    /// Handles that the server has accepted the upgrade.
    ///
    /// - Parameters:
    ///   - subprotocol: The subprotocol that the server selected.
    ///   - now: The current time.
    /// - Returns: The actions.
    package mutating func taskOpened(subprotocol: String?, at now: Duration) -> [Action] {
        guard case .opening = phase else { return [] }
        if let subprotocol, !subprotocols.contains(subprotocol) {
            let cause = WebSocketHandshakeError.unofferedSubprotocol(subprotocol)
            return failOpening(
                TransportError(.badServerResponse, phase: .head, message: cause.description, underlying: cause))
        }
        phase = .open
        (lastHeard, graceEnd) = (now, nil)
        return [.opened(subprotocol: subprotocol)] + receiveIfWanted(at: now)
    }

    /// Handles that the opening is not needed anymore.
    package mutating func openingCancelled() -> [Action] {
        switch phase {
        case .opening: return failOpening(.cancelled(phase: .head))
        case .expiring(let error, _): return failOpening(error)
        case .open, .losing, .draining, .closing, .ended, .failed: return []
        }
    }

    mutating func failOpening(_ error: TransportError) -> [Action] {
        phase = .failed
        return [.failOpening(error)] + (isTaskComplete || isTaskCancelled ? [] : [.cancelTask])
    }

    /// Ends the opening because of a timeout, after the session has reported if the request was sent.
    mutating func expireOpening(_ error: TransportError, at now: Duration) -> [Action] {
        phase = .expiring(error, deadline: now + Self.factsWait)
        isTaskCancelled = true
        return [.cancelTask]
    }

    // MARK: The end

    /// Handles the server's close frame.
    ///
    /// - Parameters:
    ///   - code: Its code; `nil` if it had none.
    ///   - reason: Its reason.
    ///   - now: The current time.
    /// - Returns: The actions.
    package mutating func taskClosed(_ code: WebSocketCloseCode?, reason: String, at now: Duration) -> [Action] {
        let code = code ?? .noStatusReceived
        // The session's way to say that there was no close frame.
        guard Self.isReceivable(code) else { return lose(SessionWebSocketErrors.loss(nil), at: now) }
        switch phase {
        case .opening, .expiring, .ended, .failed, .draining: return []
        case .losing(let error, _) where error.code != .connectionLost: return end(Self.closure(error))
        case .open, .losing: return drain(code, reason: reason, initiator: .remote, at: now)
        case .closing(_, _, let isSent, _):
            return drain(code, reason: reason, initiator: isSent ? .local : .remote, at: now)
        }
    }

    /// Handles the completion of the task, after which it calls back no more.
    ///
    /// - Parameters:
    ///   - error: The error of the task.
    ///   - response: The server's response to the upgrade.
    ///   - code: The code of the close frame; `nil` without a close frame.
    ///   - reason: The reason of the close frame.
    ///   - now: The current time.
    /// - Returns: The actions.
    package mutating func taskCompleted(
        _ error: (any Error)?, response: HTTPResponse?, code: WebSocketCloseCode?, reason: String, at now: Duration
    ) -> [Action] {
        guard !isTaskComplete else { return [] }
        // A full inbox has kept the task from delivering all of its messages.
        let isCut = !isReceiving && !hasReceiveFailed
        isTaskComplete = true
        let code = code.flatMap { Self.isReceivable($0) ? $0 : nil }
        switch phase {
        case .opening: return openingCompleted(error, response: response)
        case .expiring(let error, _): return failOpening(facts?.refined(error) ?? error)
        case .ended, .failed:
            lingerDeadline = nil
            return []
        case .draining(let closure): return end(isCut ? Self.cut(closure) : closure)
        case .losing(let failure, _):
            guard failure.code == .connectionLost, let code else { return end(Self.closure(failure)) }
            let closure = WebSocketCloseInfo(code: code, reason: reason, isClean: true, initiator: .remote)
            return end(isCut ? Self.cut(closure) : closure)
        case .open:
            guard let code else { return end(Self.closure(SessionWebSocketErrors.loss(error))) }
            let closure = WebSocketCloseInfo(code: code, reason: reason, isClean: true, initiator: .remote)
            return end(isCut ? Self.cut(closure) : closure)
        case .closing(_, _, let isSent, _):
            guard let code else { return end(Self.closure(SessionWebSocketErrors.loss(error))) }
            // After this side has sent a close frame, the task's code may be that of this side.
            let isClean = !isSent || error == nil
            return end(
                WebSocketCloseInfo(
                    code: code, reason: reason, isClean: isClean, initiator: isSent ? .local : .remote,
                    failure: isClean ? nil : SessionWebSocketErrors.loss(error)))
        }
    }

    private mutating func openingCompleted(_ error: (any Error)?, response: HTTPResponse?) -> [Action] {
        if let response, response.status != .switchingProtocols {
            phase = .failed
            return [.refused(response)]
        }
        if let securityError { return failOpening(securityError) }
        guard let error else { return failOpening(facts?.refined(.noResponse) ?? .noResponse) }
        return failOpening(TransportError(error, in: .head, isSecure: isSecure, facts: facts))
    }

    /// Starts the close handshake.
    ///
    /// - Parameters:
    ///   - code: The close code; `normal` is sent instead of a code that may not be sent.
    ///   - reason: The reason, truncated to 123 bytes.
    ///   - now: The current time.
    /// - Returns: The actions.
    package mutating func closeRequested(_ code: WebSocketCloseCode, reason: String, at now: Duration) -> [Action] {
        guard case .open = phase else { return [] }
        phase = .closing(
            code.isSendable ? code : .normal, reason: WebSocketProtocolStateMachine.shortened(reason), isSent: false,
            deadline: now + options.closeTimeout)
        return failSenders(.closing) + sendCloseIfWritten()
    }

    /// Ends the connection immediately.
    package mutating func dropped() -> [Action] {
        switch phase {
        case .opening, .expiring: return openingCancelled()
        case .ended, .failed: return []
        case .losing(let error, _): return end(Self.closure(error))
        case .draining(let closure): return end(isReceiving || hasReceiveFailed ? closure : Self.cut(closure))
        case .open, .closing:
            return end(
                WebSocketCloseInfo(
                    code: .abnormalClosure, isClean: false, initiator: .local,
                    failure: WebSocketError(
                        .closed, message: "the connection was dropped by this side", closeCode: .abnormalClosure)))
        }
    }

    /// Sends the close frame once all messages before it were written.
    mutating func sendCloseIfWritten() -> [Action] {
        guard case .closing(let code, let reason, false, let deadline) = phase, unwritten.isEmpty else { return [] }
        phase = .closing(code, reason: reason, isSent: true, deadline: deadline)
        return [.sendClose(code, reason: reason)]
    }

    /// Waits for the close frame of the server after a callback has failed.
    mutating func lose(_ error: WebSocketError, at now: Duration) -> [Action] {
        guard case .open = phase else { return [] }
        phase = .losing(error, deadline: now + Self.closeFrameWait)
        return failSenders(error) + failPings(error)
    }

    /// Waits for the messages before the server's close frame.
    private mutating func drain(
        _ code: WebSocketCloseCode, reason: String, initiator: WebSocketCloseInfo.Side, at now: Duration
    ) -> [Action] {
        let closure = WebSocketCloseInfo(code: code, reason: reason, isClean: true, initiator: initiator)
        guard !hasReceiveFailed else { return end(closure, at: now) }
        phase = .draining(closure)
        if isReceiving { drainDeadline = now + Self.closeFrameWait }
        return failSenders(.closing) + failPings(.closing) + receiveIfWanted(at: now)
    }

    /// Ends the connection and answers every caller; messages in the inbox can still be read.
    ///
    /// - Parameters:
    ///   - closure: The end.
    ///   - now: The current time if the task may finish the close handshake.
    /// - Returns: The actions.
    mutating func end(_ closure: WebSocketCloseInfo, at now: Duration? = nil) -> [Action] {
        phase = .ended(closure)
        let error = closure.failure ?? .closing
        var actions = failSenders(error) + failPings(error)
        if let reader = reader.take() { actions.append(.completeRead(id: reader, Self.ending(closure))) }
        (unwritten, unwrittenBytes, drainDeadline, livenessPing) = ([:], 0, nil, nil)
        if !isTaskComplete {
            lingerDeadline = now.map { $0 + Self.closeFrameWait }
            if lingerDeadline == nil { actions.append(.cancelTask) }
        }
        return actions + [.ended(closure)]
    }

    /// Returns the result of a read after the last message.
    static func ending(_ closure: WebSocketCloseInfo) -> Result<WebSocketMessage?, WebSocketError> {
        guard !closure.isClean else { return .success(nil) }
        return .failure(
            closure.failure
                ?? WebSocketError(.connectionLost, message: "the connection ended", closeCode: closure.code))
    }

    static func closure(_ error: WebSocketError) -> WebSocketCloseInfo {
        let isLost = error.code == .connectionLost
        return WebSocketCloseInfo(
            code: error.closeCode ?? .abnormalClosure, reason: isLost ? "" : error.message, isClean: false,
            initiator: isLost ? .remote : .local, failure: error)
    }

    /// Returns true if a close frame may be the source of a code.
    private static func isReceivable(_ code: WebSocketCloseCode) -> Bool {
        code != .abnormalClosure && code != .tlsHandshakeFailure
    }

    /// Returns the end of a connection whose last messages the session may not have delivered.
    private static func cut(_ closure: WebSocketCloseInfo) -> WebSocketCloseInfo {
        var closure = closure
        closure.isClean = false
        closure.failure = WebSocketError(
            .connectionLost, message: "the session ended before it had delivered all messages",
            closeCode: closure.code)
        return closure
    }
}
