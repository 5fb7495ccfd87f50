// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The state machine of a reconnecting connection across all its links.
///
/// A value without a clock, task or socket.
///
/// Each opening (with the link it returns) and each wait has a number. Events with a number other than the current
/// one come from an operation that was already abandoned, and are ignored.
package struct ReconnectingStateMachine: Sendable {
    /// The state of the connection.
    package enum Phase: Sendable, Hashable {
        case idle
        /// A link is being opened.
        case opening
        /// The link is open.
        case open
        /// It waits before the next attempt.
        case waiting(attempt: Int, delay: Duration)
        /// A close was requested; the connection ends when the link has closed.
        case closing(WebSocketCloseCode, String)
        /// A close was requested; another link is opened when this one has closed.
        case restarting
        /// The connection has ended; ``connect()`` starts it again.
        case over
    }

    /// The actions to perform, in this order.
    package enum Action: Sendable, Hashable {
        /// Accept observers again after an end.
        case begin
        /// Open a link.
        case open(Int)
        /// Wait for the first duration or until the network becomes available, but at least for the second duration.
        case wait(Int, Duration, atLeast: Duration)
        /// Cancel the opening or wait with this number.
        case stop(Int)
        /// Start the close handshake on the link.
        case close(Int, WebSocketCloseCode, String)
        /// Start the close handshake on the link with 1001, and drop the link if it takes longer than
        /// ``replacementTimeout``.
        case replace(Int)
        /// Notify the observers that the link is open, and start reading from it.
        case notifyConnected(Int)
        /// Notify the observers that the server answered a ping.
        case notifyPong
        /// Notify the observers that another attempt follows.
        case notifyReconnecting(attempt: Int, delay: Duration)
        /// Notify the observers of the end, with or without an error, and release them.
        case end(WebSocketCloseCode, String, isFailure: Bool)
    }

    /// The end of a link.
    package struct Loss: Sendable, Hashable {
        package var code: WebSocketCloseCode
        package var reason: String
        /// True if both sides exchanged close frames.
        package var isClean: Bool
        package var uptime: Duration

        package init(code: WebSocketCloseCode, reason: String = "", isClean: Bool, uptime: Duration = .zero) {
            self.code = code
            self.reason = reason
            self.isClean = isClean
            self.uptime = uptime
        }
    }

    /// The longest close handshake with a link that another one replaces: a dead link delays the new one by this time.
    package static let replacementTimeout = Duration.seconds(1)

    package private(set) var phase = Phase.idle
    /// The number of the current operation.
    package private(set) var current = 0
    private var reconnection: ReconnectBackoff
    /// True if the current opening has failed, and the cause is being determined.
    private var hasFailed = false

    package init(_ policy: WebSocketReconnectPolicy) { reconnection = ReconnectBackoff(policy) }

    /// Starts the connection if it is not running.
    package mutating func connect() -> [Action] {
        switch phase {
        case .idle: return open()
        case .over:
            reconnection = ReconnectBackoff(reconnection.policy)
            return [.begin] + open()
        case .closing:
            // The last request wins over the earlier close.
            reconnection.reset()
            phase = .restarting
            return []
        case .opening, .open, .waiting, .restarting: return []
        }
    }

    /// Connects immediately and resets the count of attempts; replaces an open link.
    package mutating func reconnect() -> [Action] {
        switch phase {
        case .idle, .over, .closing: return connect()
        case .opening where !hasFailed, .restarting:
            reconnection.reset()
            return []
        case .opening, .waiting:
            reconnection.reset()
            return [.stop(current)] + open()
        case .open:
            reconnection.reset()
            phase = .restarting
            return [.notifyReconnecting(attempt: 0, delay: .zero), .replace(current)]
        }
    }

    /// Closes the connection and stops reconnecting.
    package mutating func close(code: WebSocketCloseCode, reason: String) -> [Action] {
        switch phase {
        case .idle: return end(code, reason: reason, isFailure: false)
        case .opening, .waiting: return [.stop(current)] + end(code, reason: reason, isFailure: false)
        case .open:
            phase = .closing(code, reason)
            return [.close(current, code, reason)]
        case .restarting:
            // The close handshake is already in progress.
            phase = .closing(code, reason)
            return []
        case .closing, .over: return []
        }
    }

    /// Handles that an opening returned a link.
    ///
    /// - Parameter number: The number of the opening.
    /// - Returns: The actions; `nil` if the link is no longer wanted.
    package mutating func opened(_ number: Int) -> [Action]? {
        guard phase == .opening, number == current else { return nil }
        phase = .open
        reconnection.connected()
        return [.notifyConnected(number)]
    }

    /// Handles that the server answered a ping.
    package mutating func didReceivePong(_ number: Int) -> [Action] {
        phase == .open && number == current ? [.notifyPong] : []
    }

    /// Handles that an opening failed, before its end is known, which ``failed(_:ending:reason:fraction:)`` reports.
    package mutating func failing(_ number: Int) {
        if phase == .opening, number == current { hasFailed = true }
    }

    /// Handles that an opening failed.
    ///
    /// - Parameters:
    ///   - number: The number of the opening.
    ///   - ending: The end of the attempt.
    ///   - reason: The reason for the observers.
    ///   - fraction: The random fraction for jitter, from 0 up to 1.
    /// - Returns: The actions.
    package mutating func failed(
        _ number: Int, ending: ReconnectBackoff.Ending, reason: String, fraction: Double
    ) -> [Action] {
        guard phase == .opening, number == current else { return [] }
        return proceed(after: reconnection.after(ending, fraction: fraction))
            ?? end(.abnormalClosure, reason: reason, isFailure: true)
    }

    /// Handles that the link has ended and that all its messages were delivered.
    ///
    /// - Parameters:
    ///   - number: The number of the link.
    ///   - loss: The end of the link.
    ///   - fraction: The random fraction for jitter, from 0 up to 1.
    /// - Returns: The actions.
    package mutating func lost(_ number: Int, loss: Loss, fraction: Double) -> [Action] {
        guard number == current else { return [] }
        switch phase {
        case .open:
            let decision = reconnection.after(.closed(loss.code), uptime: loss.uptime, fraction: fraction)
            return proceed(after: decision) ?? end(loss.code, reason: loss.reason, isFailure: !loss.isClean)
        case .restarting: return open()
        case .closing(let code, let reason): return end(code, reason: reason, isFailure: false)
        case .idle, .opening, .waiting, .over: return []
        }
    }

    /// Handles the end of a wait.
    ///
    /// - Parameters:
    ///   - number: The number of the wait.
    ///   - time: The time that passed.
    /// - Returns: The actions.
    package mutating func waitEnded(_ number: Int, after time: Duration) -> [Action] {
        guard case .waiting = phase, number == current else { return [] }
        reconnection.waited(time)
        return [.stop(number)] + open()
    }

    private mutating func open() -> [Action] {
        current += 1
        phase = .opening
        hasFailed = false
        return [.open(current)]
    }

    private mutating func proceed(after decision: ReconnectBackoff.Decision) -> [Action]? {
        guard case .reconnect(let attempt, let delay) = decision else { return nil }
        current += 1
        phase = .waiting(attempt: attempt, delay: delay)
        return [
            .notifyReconnecting(attempt: attempt, delay: delay),
            .wait(current, delay, atLeast: reconnection.minimumWait),
        ]
    }

    private mutating func end(_ code: WebSocketCloseCode, reason: String, isFailure: Bool) -> [Action] {
        phase = .over
        return [.end(code, reason, isFailure: isFailure)]
    }
}
