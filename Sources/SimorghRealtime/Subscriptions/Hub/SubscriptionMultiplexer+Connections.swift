// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

extension SubscriptionMultiplexer {
    func open(_ number: Int, attempt: Int) {
        let outbox = SubscriptionSendQueue()
        let executor = state.withLock { state in
            state.current = number
            state.connections[number] = Connection(outbox: outbox)
            return state.executor
        }
        let task = Task(executorPreference: executor) { [self] in
            await run(number, attempt: attempt, outbox: outbox)
            remove(number)
        }
        state.withLock { $0.connections[number]?.task = task }
    }

    /// Opens a connection and reads from it until it ends.
    private func run(_ number: Int, attempt: Int, outbox: SubscriptionSendQueue) async {
        let opening: SubscriptionConnectionRequest<Wire.Session>
        let link: any WebSocketChannel
        do {
            opening = try await wire.opening(attempt: attempt)
        } catch {
            return await lost(number, ConnectionLoss(describing: error, now: time.now))
        }
        guard isWanted(number, change: { $0.runsApplicationCode = false }) else { return }
        put(.requestCreated(number))
        do {
            link = try await dial(opening.router, options.webSocket)
        } catch {
            return await lost(number, ConnectionLoss(dialing: error, now: time.now))
        }
        let isNegotiated = opening.negotiate != nil
        let isWanted = isWanted(number) { connection in
            connection.link = link
            connection.runsApplicationCode = isNegotiated
        }
        guard isWanted else { return link.drop() }
        put(.connectionOpened(number))
        do {
            if opening.requiresSubprotocol, link.subprotocol == nil {
                // Some subprotocols contain a key, so they are redacted.
                let offered = Redaction.shown(protocols: opening.router.protocols.joined(separator: ", "))
                throw SubscriptionError(
                    .negotiationFailed,
                    message: "the server selected none of the offered subprotocols (\(offered.prefix(200)))")
            }
            try await opening.negotiate?(LinkTransport(link: link))
        } catch {
            let failure = SubscriptionError(.negotiationFailed, causedBy: error, message: "the handshake failed")
            put(.lost(number, ConnectionLoss(failure, decision: decision(on: failure, error: error))))
            return link.drop()
        }
        guard self.isWanted(number, change: { $0.runsApplicationCode = false }) else { return link.drop() }
        await withTaskGroup(of: Void.self) { [self] group in
            group.addTask { await self.write(number, from: outbox, to: link) }
            put(.sessionStarted(number, opening.session, link.subprotocol))
            await read(number, from: link)
            group.cancelAll()
        }
    }

    /// Handles that a connection could not be opened.
    private func lost(_ number: Int, _ loss: ConnectionLoss) async {
        var loss = loss
        loss.ending = await reconnection.confirmed(loss.ending)
        put(.lost(number, loss))
    }

    /// Changes a connection; returns false if it was abandoned in the meantime.
    private func isWanted(_ number: Int, change: (inout Connection) -> Void) -> Bool {
        state.withLock { state in
            guard state.current == number, !Task.isCancelled, var connection = state.connections[number] else {
                return false
            }
            change(&connection)
            state.connections[number] = connection
            return true
        }
    }

    /// Returns the decision after a failed handshake.
    ///
    /// A network failure may be retried; any other failure is final.
    private func decision(on failure: SubscriptionError, error: any Error) -> ReconnectDecision? {
        if let closure = failure.closure { return wire.decision(on: closure) }
        return error is WebSocketError || ConnectionLoss.isTransient(error) ? nil : .giveUp
    }

    private func read(_ number: Int, from link: any WebSocketChannel) async {
        do throws(WebSocketError) {
            while let message = try await link.receive() {
                await putAndWait(.received(number, message))
                guard var sink = nextFull(number) else { continue }
                put(.suspended(number))
                while true {
                    await sink.waitForRoom()
                    // A one-shot request may have begun or ended in the meantime, which changes what to wait for.
                    if !Task.isCancelled, sink.capacity != .free { state.withLock { $0.full.append(sink) } }
                    guard let next = nextFull(number) else { break }
                    sink = next
                }
                put(.resumed(number))
            }
            lost(number, link: link, error: nil)
        } catch {
            lost(number, link: link, error: error)
        }
    }

    /// Returns the next full subscriber to wait for.
    ///
    /// While a one-shot request is pending, only a subscriber without slack is waited for.
    private func nextFull(_ number: Int) -> (any SubscriptionSink)? {
        while true {
            let (next, isRequestPending) = state.withLock { state -> ((any SubscriptionSink)?, Bool) in
                let next = state.full.popLast()
                state.connections[number]?.awaited = next
                return (next, !state.pendingRequests.isEmpty)
            }
            guard let sink = next, isRequestPending, sink.capacity == .slack else { return next }
        }
    }

    private func lost(_ number: Int, link: any WebSocketChannel, error: WebSocketError?) {
        let closure =
            link.closure
            ?? WebSocketCloseInfo(code: .abnormalClosure, isClean: false, initiator: .remote, failure: error)
        let reason = closure.reason.isEmpty ? "" : ": \(closure.reason)"
        let failure = SubscriptionError(
            .connectionLost,
            message: closure.isClean
                ? "the server closed the connection with \(closure.code)\(reason)"
                : "the connection broke off\(error.map { ": \($0)" } ?? "")",
            underlying: error, closure: closure)
        put(
            .lost(
                number,
                ConnectionLoss(
                    failure, decision: wire.decision(on: closure), mayHaveExpired: wire.mayHaveExpired(closure))))
    }

    private func write(_ number: Int, from outbox: SubscriptionSendQueue, to link: any WebSocketChannel) async {
        var limiter = wire.pacing.map { MessageRateLimiter($0) }
        while let item = await outbox.next() {
            switch item {
            case .message(let message):
                let wait = limiter?.delay(now: watch.elapsed) ?? .zero
                if wait > .zero { guard (try? await time.sleep(for: wait)) != nil else { return } }
                // The reader receives the same error, with its reason.
                guard (try? await link.send(message)) != nil else { return }
            case .mark(let id): put(.written(number, id))
            case .close(let code):
                _ = await link.close(code: code, reason: "")
                return
            }
        }
    }

    /// Queues an outgoing item on the current connection; the connection is lost if the queue is full.
    func send(_ put: (SubscriptionSendQueue) -> Bool) {
        let (number, outbox) = state.withLock { state in
            (state.current ?? 0, state.current.flatMap { state.connections[$0]?.outbox })
        }
        guard let outbox, !put(outbox) else { return }
        self.put(
            .lost(
                number,
                ConnectionLoss(SubscriptionError(.connectionLost, message: "the queue of outgoing messages is full"))))
        drop(number)
    }

    func close(_ number: Int, code: WebSocketCloseCode) {
        let (outbox, isDraining) = state.withLock { state in
            if state.current == number { state.current = nil }
            return (state.connections[number]?.outbox, state.isDraining)
        }
        guard let outbox else { return }
        _ = outbox.put(.close(isDraining ? .goingAway : code))
        let limit = options.unsubscribeTimeout + Duration(clampingSeconds: options.webSocket.closeTimeout)
        let closeTimeoutTask = Task { [self, time] in
            guard (try? await time.sleep(for: limit)) != nil else { return }
            drop(number)
        }
        let isLate = state.withLock { state in
            state.connections[number]?.closeTimeoutTask = closeTimeoutTask
            return state.connections[number] == nil
        }
        if isLate { closeTimeoutTask.cancel() }
    }

    func drop(_ number: Int) {
        let connection = state.withLock { state in
            if state.current == number { state.current = nil }
            return state.connections[number]
        }
        guard let connection else { return }
        connection.task?.cancel()
        for preparation in connection.preparations.values { preparation.task?.cancel() }
        connection.link?.drop()
        // Application code that ignores cancellation must not delay the end; its result is ignored.
        if connection.runsApplicationCode { remove(number) }
    }

    /// Removes a connection that has ended.
    private func remove(_ number: Int) {
        let (connection, ended) = state.withLock { state in
            let connection = state.connections.removeValue(forKey: number)
            if state.current == number { state.current = nil }
            for id in state.waiters.keys { state.waiters[id]?.numbers?.remove(number) }
            return (connection, Self.ended(&state))
        }
        connection?.closeTimeoutTask?.cancel()
        for preparation in connection?.preparations.values.map(\.task) ?? [] { preparation?.cancel() }
        for waiter in ended { waiter.resume() }
    }

    /// Handles that a task waits for the end of all current connections.
    func awaited(_ id: Int) {
        let ended = state.withLock { state in
            state.waiters[id]?.numbers = Set(state.connections.keys)
            return Self.ended(&state)
        }
        for waiter in ended { waiter.resume() }
    }

    /// Removes and returns the waiting tasks whose connections have all ended.
    private static func ended(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        let ids = state.waiters.keys.filter { state.waiters[$0]?.numbers?.isEmpty == true }
        return ids.compactMap { state.waiters.removeValue(forKey: $0)?.continuation }
    }

    // MARK: Preparing operations

    func prepare(_ number: Int, id: SubscriptionID, operation: Wire.Operation, session: Wire.Session) {
        let token = token()
        let isOpen = state.withLock { state in
            state.connections[number]?.preparations[id] = (token, nil)
            return state.connections[number] != nil
        }
        guard isOpen else { return }
        let task = Task { [self] in
            let outcome: Result<Wire.Operation, any Error>
            do {
                outcome = .success(try await wire.prepared(operation, for: session))
            } catch {
                outcome = .failure(error)
            }
            let isWanted = state.withLock { state in
                guard state.connections[number]?.preparations[id]?.token == token else { return false }
                state.connections[number]?.preparations[id] = nil
                return true
            }
            if isWanted { put(.prepared(number, id, outcome)) }
        }
        let isOver = state.withLock { state in
            guard state.connections[number]?.preparations[id]?.token == token else { return true }
            state.connections[number]?.preparations[id]?.task = task
            return false
        }
        // The preparation is already complete, or no longer needed.
        if isOver { task.cancel() }
    }

    func cancelPreparation(_ id: SubscriptionID) {
        let tasks = state.withLock { state in
            state.connections.keys.compactMap {
                state.connections[$0]?.preparations.removeValue(forKey: id)?.task ?? nil
            }
        }
        for task in tasks { task.cancel() }
    }
}
