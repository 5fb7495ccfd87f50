// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The life of a connection over all the links it takes: a value without a clock, a task or a socket.
///
/// What runs for it has a number: an opening, the link that it gave, a wait. News of a number that is not the current one
/// come from something that was left already, and change nothing.
package struct WebSocketConnectionMachine: Sendable {
    /// What it is doing.
    package enum Phase: Sendable, Hashable {
        case idle
        /// A link is being opened.
        case opening
        /// The link stands.
        case open
        /// It waits before the next opening.
        case waiting(attempt: Int, delay: Duration)
        /// Goodbye was said; it is over when the link is.
        case closing(WebSocketCloseCode, String)
        /// Goodbye was said; another link is opened when this one has ended.
        case restarting
        /// It is over until somebody connects again.
        case over
    }

    /// What to do, in this order.
    package enum Action: Sendable, Hashable {
        /// Let observers come again: a new life begins.
        case begin
        /// Open a link.
        case open(Int)
        /// Wait, or until a path returns, but not less than the second time.
        case wait(Int, Duration, atLeast: Duration)
        /// What runs under the number is not wanted any more: an opening, a wait.
        case stop(Int)
        /// Say goodbye on the link.
        case close(Int, WebSocketCloseCode, String)
        /// Tell the observers that the link stands, and read from it.
        case tellConnected(Int)
        /// Tell the observers that the server answered a ping.
        case tellPong
        /// Tell the observers that another is tried for.
        case tellReconnecting(attempt: Int, delay: Duration)
        /// Tell the observers that it is over, by an error or not, and let go of them.
        case end(WebSocketCloseCode, String, isFailure: Bool)
    }

    /// How a link ended.
    package struct Loss: Sendable, Hashable {
        package var code: WebSocketCloseCode
        package var reason: String
        /// Whether the other side meant it.
        package var isClean: Bool
        package var uptime: Duration

        package init(code: WebSocketCloseCode, reason: String = "", isClean: Bool, uptime: Duration = .zero) {
            self.code = code
            self.reason = reason
            self.isClean = isClean
            self.uptime = uptime
        }
    }

    package private(set) var phase = Phase.idle
    /// The number of what runs now.
    package private(set) var current = 0
    private var reconnection: ReconnectMachine

    package init(_ policy: WebSocketReconnectPolicy) { reconnection = ReconnectMachine(policy) }

    /// Somebody wants it.
    package mutating func connect() -> [Action] {
        switch phase {
        case .idle: return open()
        case .over:
            reconnection.reset()
            return [.begin] + open()
        case .closing:
            // Who asks last has the last word.
            reconnection.reset()
            phase = .restarting
            return []
        case .opening, .open, .waiting, .restarting: return []
        }
    }

    /// Somebody wants it at once and anew.
    package mutating func reconnect() -> [Action] {
        switch phase {
        case .idle, .over, .closing: return connect()
        case .opening, .restarting:
            reconnection.reset()
            return []
        case .waiting:
            reconnection.reset()
            return [.stop(current)] + open()
        case .open:
            reconnection.reset()
            phase = .restarting
            return [.tellReconnecting(attempt: 0, delay: .zero), .close(current, .goingAway, "")]
        }
    }

    /// Somebody wants it no more.
    package mutating func close(code: WebSocketCloseCode, reason: String) -> [Action] {
        switch phase {
        case .idle: return end(code, reason, isFailure: false)
        case .opening, .waiting: return [.stop(current)] + end(code, reason, isFailure: false)
        case .open:
            phase = .closing(code, reason)
            return [.close(current, code, reason)]
        case .restarting:
            // Goodbye was said already.
            phase = .closing(code, reason)
            return []
        case .closing, .over: return []
        }
    }

    /// An opening gave a link.
    ///
    /// - Parameter number: The opening's.
    /// - Returns: What to do; `nil` for a link that nobody wants any more.
    package mutating func opened(_ number: Int) -> [Action]? {
        guard phase == .opening, number == current else { return nil }
        phase = .open
        return [.tellConnected(number)]
    }

    /// The server answered a ping.
    package mutating func answered(_ number: Int) -> [Action] {
        phase == .open && number == current ? [.tellPong] : []
    }

    /// An opening gave no link.
    ///
    /// - Parameters:
    ///   - number: The opening's.
    ///   - ending: How it ended.
    ///   - reason: Why, for the observers.
    ///   - fraction: Chance, from 0 up to 1.
    /// - Returns: What to do.
    package mutating func failed(
        _ number: Int, _ ending: ReconnectMachine.Ending, reason: String, fraction: Double
    ) -> [Action] {
        guard phase == .opening, number == current else { return [] }
        return go(on: reconnection.after(ending, fraction: fraction)) ?? end(.abnormalClosure, reason, isFailure: true)
    }

    /// The link has ended, and all that came over it was handed on.
    ///
    /// - Parameters:
    ///   - number: The link's.
    ///   - loss: How it ended.
    ///   - fraction: Chance, from 0 up to 1.
    /// - Returns: What to do.
    package mutating func lost(_ number: Int, _ loss: Loss, fraction: Double) -> [Action] {
        guard number == current else { return [] }
        switch phase {
        case .open:
            let verdict = reconnection.after(.closed(loss.code), uptime: loss.uptime, fraction: fraction)
            return go(on: verdict) ?? end(loss.code, loss.reason, isFailure: !loss.isClean)
        case .restarting: return open()
        case .closing(let code, let reason): return end(code, reason, isFailure: false)
        case .idle, .opening, .waiting, .over: return []
        }
    }

    /// A wait is over, or need not be.
    package mutating func waited(_ number: Int) -> [Action] {
        guard case .waiting = phase, number == current else { return [] }
        return [.stop(number)] + open()
    }

    private mutating func open() -> [Action] {
        current += 1
        phase = .opening
        return [.open(current)]
    }

    private mutating func go(on verdict: ReconnectMachine.Verdict) -> [Action]? {
        guard case .reconnect(let attempt, let delay) = verdict else { return nil }
        current += 1
        phase = .waiting(attempt: attempt, delay: delay)
        return [
            .tellReconnecting(attempt: attempt, delay: delay), .wait(current, delay, atLeast: reconnection.earliest),
        ]
    }

    private mutating func end(_ code: WebSocketCloseCode, _ reason: String, isFailure: Bool) -> [Action] {
        phase = .over
        return [.end(code, reason, isFailure: isFailure)]
    }
}
