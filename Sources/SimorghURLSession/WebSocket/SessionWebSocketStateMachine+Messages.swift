// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghRealtime
import SimorghSupport

/// Messages and pings.
extension SessionWebSocketStateMachine {
    // MARK: Receiving

    /// Handles a reader that waits for the next message.
    ///
    /// - Parameters:
    ///   - id: The reader.
    ///   - now: The current time.
    /// - Returns: The actions.
    package mutating func readRequested(id: Int, at now: Duration) -> [Action] {
        if let next = inbox.popFirst() {
            return [.completeRead(id: id, .success(next.message))] + receiveIfWanted(at: now)
        }
        if let closure { return [.completeRead(id: id, Self.ending(closure))] }
        guard reader == nil, !isOver else { return [.completeRead(id: id, .failure(.alreadyReading))] }
        reader = id
        return receiveIfWanted(at: now)
    }

    /// Handles the cancellation of a reader.
    package mutating func readCancelled(id: Int) -> [Action] {
        guard reader == id else { return [] }
        reader = nil
        return [.completeRead(id: id, .failure(.cancelledCall))]
    }

    /// Handles a message from the server.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - now: The current time.
    /// - Returns: The actions.
    package mutating func messageReceived(_ message: WebSocketMessage, at now: Duration) -> [Action] {
        isReceiving = false
        guard !isOver else { return [] }
        heard(at: now)
        var actions: [Action] = []
        if let reader = reader.take() {
            actions.append(.completeRead(id: reader, .success(message)))
        } else {
            inbox.append(InboundMessage(message: message))
        }
        return actions + receiveIfWanted(at: now)
    }

    /// Handles the failure of a `receive`.
    ///
    /// The session reports it before the server's close frame, if there is one.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - now: The current time.
    /// - Returns: The actions.
    package mutating func receiveFailed(_ error: any Error, at now: Duration) -> [Action] {
        (isReceiving, hasReceiveFailed) = (false, true)
        if case .draining(let closure) = phase { return end(closure, at: now) }
        return lose(SessionWebSocketErrors.receiving(error, limit: options.maximumMessageSize), at: now)
    }

    /// Returns the action to receive the next message if there is room for it.
    mutating func receiveIfWanted(at now: Duration) -> [Action] {
        switch phase {
        case .open, .losing, .draining, .closing: break
        case .opening, .expiring, .ended, .failed: return []
        }
        guard !isReceiving, !hasReceiveFailed, !inbox.isFull else {
            // Until the reader has made room, no message can arrive.
            if !isReceiving { drainDeadline = nil }
            return []
        }
        isReceiving = true
        if case .draining = phase { drainDeadline = now + Self.closeFrameWait }
        // Before that, nothing could be heard.
        heard(at: now)
        return [.receive]
    }

    // MARK: Sending

    /// Handles a message to send; its sender waits while too many bytes are unwritten.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - id: The sender.
    /// - Returns: The actions.
    package mutating func sendRequested(_ message: WebSocketMessage, id: Int) -> [Action] {
        switch phase {
        case .open: break
        case .losing(let error, _): return [.completeSend(id: id, error)]
        case .ended(let closure): return [.completeSend(id: id, closure.failure ?? .closing)]
        case .opening, .expiring, .draining, .closing, .failed: return [.completeSend(id: id, .closing)]
        }
        senders.append((id, message))
        return sendWaiting()
    }

    /// Handles the cancellation of a sender; nothing of its message was sent if it still waits.
    package mutating func sendCancelled(id: Int) -> [Action] {
        guard let index = senders.firstIndex(where: { $0.id == id }) else { return [] }
        senders.remove(at: index)
        return [.completeSend(id: id, .cancelledCall)]
    }

    /// Handles that the session has written a message, or has failed to.
    ///
    /// - Parameters:
    ///   - number: The number of the message.
    ///   - error: The error.
    ///   - now: The current time.
    /// - Returns: The actions.
    package mutating func sendCompleted(_ number: Int, error: (any Error)?, at now: Duration) -> [Action] {
        guard let size = unwritten.removeValue(forKey: number) else { return [] }
        unwrittenBytes -= size
        // The sender has already returned, so that only the end of the connection can report the failure.
        if let error, case .open = phase { return lose(SessionWebSocketErrors.loss(error), at: now) }
        return sendWaiting() + sendCloseIfWritten()
    }

    private mutating func sendWaiting() -> [Action] {
        var actions: [Action] = []
        while unwritten.isEmpty || unwrittenBytes < options.sendBufferSize, let first = senders.first {
            senders.removeFirst()
            let number = nextNumber()
            unwritten[number] = first.message.byteCount
            unwrittenBytes += first.message.byteCount
            actions += [.send(first.message, number: number), .completeSend(id: first.id, nil)]
        }
        return actions
    }

    mutating func failSenders(_ error: WebSocketError) -> [Action] {
        defer { senders = [] }
        return senders.map { .completeSend(id: $0.id, error) }
    }

    // MARK: Pings

    /// Handles a caller's ping.
    ///
    /// - Parameters:
    ///   - id: The caller.
    ///   - now: The current time.
    /// - Returns: The actions.
    package mutating func pingRequested(id: Int, at now: Duration) -> [Action] {
        switch phase {
        case .open: return [sendPing(for: id, at: now)]
        case .losing(let error, _): return [.completePing(id: id, .failure(error))]
        case .ended(let closure): return [.completePing(id: id, .failure(closure.failure ?? .closing))]
        case .opening, .expiring, .draining, .closing, .failed: return [.completePing(id: id, .failure(.closing))]
        }
    }

    /// Handles the cancellation of a ping's caller.
    package mutating func pingCancelled(id: Int) -> [Action] {
        guard let index = pings.firstIndex(where: { $0.id == id }) else { return [] }
        pings.remove(at: index)
        return [.completePing(id: id, .failure(.cancelledCall))]
    }

    /// Handles a pong, or the failure of a ping.
    ///
    /// A pong answers all earlier pings, too.
    ///
    /// - Parameters:
    ///   - number: The number of the ping.
    ///   - error: The error.
    ///   - now: The current time.
    /// - Returns: The actions.
    package mutating func pongReceived(_ number: Int, error: (any Error)?, at now: Duration) -> [Action] {
        guard !isOver else { return [] }
        if let error {
            // The completion of the task or a failed receive ends the connection.
            guard let index = pings.firstIndex(where: { $0.number == number }) else { return [] }
            let ping = pings.remove(at: index)
            return ping.id.map { [.completePing(id: $0, .failure(SessionWebSocketErrors.loss(error)))] } ?? []
        }
        heard(at: now)
        let answered = pings.prefix { $0.number <= number }
        pings.removeFirst(answered.count)
        let actions = answered.compactMap { ping in
            ping.id.map { Action.completePing(id: $0, .success(now - ping.sent)) }
        }
        return actions + [.notifyPong]
    }

    private mutating func sendPing(for id: Int?, at now: Duration) -> Action {
        let number = nextNumber()
        pings.append(Ping(number: number, id: id, sent: now))
        return .sendPing(number: number)
    }

    mutating func failPings(_ error: WebSocketError) -> [Action] {
        defer { pings = [] }
        return pings.compactMap { ping in ping.id.map { .completePing(id: $0, .failure(error)) } }
    }

    /// Fails the pings whose pong did not arrive in time.
    mutating func expirePings(at now: Duration) -> [Action] {
        let late = pings.prefix { $0.sent + options.pongTimeout <= now }
        pings.removeFirst(late.count)
        return late.compactMap { ping in
            ping.id.map {
                .completePing(
                    id: $0,
                    .failure(
                        WebSocketError(.pongTimedOut, message: "the server did not answer a ping within pongTimeout")))
            }
        }
    }

    // MARK: Liveness

    /// The time of the next check of a silent connection.
    ///
    /// While the inbox is full, nothing is received, so that silence means nothing.
    var livenessDeadline: Duration? {
        guard let interval = options.pingInterval, isReceiving else { return nil }
        return livenessPing.map { $0 + options.pongTimeout } ?? lastHeard + interval
    }

    private mutating func heard(at now: Duration) {
        (lastHeard, livenessPing, graceEnd) = (now, nil, nil)
    }

    /// Sends a ping on a silent connection, and ends the connection if it stays silent.
    mutating func checkLiveness(at now: Duration) -> [Action] {
        guard let deadline = livenessDeadline, now >= deadline else { return [] }
        guard livenessPing != nil else {
            livenessPing = now
            return [sendPing(for: nil, at: now)]
        }
        let error = WebSocketError(
            .pongTimedOut, message: "no data from the server within pongTimeout after a ping",
            closeCode: .abnormalClosure)
        return end(
            WebSocketCloseInfo(
                code: .abnormalClosure, reason: error.message, isClean: false, initiator: .local, failure: error))
    }
}
