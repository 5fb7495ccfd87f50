// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension SubscriptionStateMachine {
    mutating func apply(
        _ code: SubscriptionError.Code, body: (inout Session) throws -> [SubscriptionAction]
    ) {
        // Taken out of the property, so that its storage is changed in place.
        guard var session = session.take() else { return }
        do {
            let wanted = try body(&session)
            self.session = session
            perform(wanted)
        } catch {
            self.session = session
            giveUp(
                SubscriptionError(code, causedBy: error, message: "the server violated the subscription protocol"),
                code: .protocolError)
        }
    }

    private mutating func giveUp(_ error: SubscriptionError, code: WebSocketCloseCode) {
        actions.append(.close(generation, code))
        let wasLeaving = isLeaving
        end(error, exceptUnsent: wasLeaving)
        if !wasLeaving { isHeld = false }
        becomeIdle()
        if isHeld || !entries.isEmpty { open() }
    }

    mutating func perform(_ wanted: [SubscriptionAction]) {
        let connection = generation
        for action in wanted {
            // An earlier action may have ended the connection.
            guard connection == generation, session != nil else { return }
            perform(action)
        }
    }

    private mutating func perform(_ action: SubscriptionAction) {
        switch action {
        case .send(let message): actions.append(.send(message))
        case .sendLatest(let message): actions.append(.sendLatest(message))
        case .ready:
            guard phase == .negotiating else { return }
            phase = .ready
            stop(.ready)
            reconnection.ready(now: lastReceived)
            actions.append(.state(.connected))
            for id in order { send(id) }
        case .accepted(let id): accept(id)
        case .event(let id, let payload):
            reportUnknownID(id)
            accept(id)
            if entries[id]?.stage == .live { actions.append(.deliver(id, payload)) }
        case .completed(let id):
            reportUnknownID(id)
            finishSent(id, error: nil)
        case .failed(let id, let error):
            reportUnknownID(id)
            finishSent(id, error: failure(of: id, error: error))
        case .postponed(let id, let error): postpone(id, error: failure(of: id, error: error))
        case .released(let id):
            guard entries[id]?.stage == .leaving else { return }
            finish(id, error: nil)
        case .startTimer(let timer, let duration):
            // The server may have sent the duration, and a timer of zero would spin.
            start(.session(timer), after: max(duration, .milliseconds(1)))
        case .stopTimer(let timer): stop(.session(timer))
        case .expectMessages(let interval):
            maximumSilence = interval
            if let interval { start(.silence, after: interval) } else { stop(.silence) }
        case .reconnect(let error):
            actions.append(.drop(generation))
            leaveConnection(
                ConnectionLoss(
                    SubscriptionError(endCode, causedBy: error, message: "the protocol requested a reconnection"),
                    decision: .reconnect))
        case .giveUp(let error, let code):
            giveUp(
                SubscriptionError(endCode, causedBy: error, message: "the protocol closed the connection"), code: code)
        }
    }

    /// Reports, once, an ID that this connection never used; an ID of an ended subscription may still be in transit.
    private mutating func reportUnknownID(_ id: SubscriptionID) {
        guard !(1...max(1, highestID)).contains(id.number), !hasReportedUnknownID else { return }
        hasReportedUnknownID = true
        actions.append(.reportUnknownID)
    }

    private var endCode: SubscriptionError.Code { phase == .negotiating ? .negotiationFailed : .connectionLost }

    private func failure(of id: SubscriptionID, error: any Error) -> SubscriptionError {
        let isRefused = entries[id]?.stage == .sent
        return SubscriptionError(
            isRefused ? .refused : .failed, causedBy: error,
            message: isRefused ? "the server rejected the subscription" : "the server ended the subscription")
    }

    /// Ends a subscription that was sent to the server; a late answer to one that will be sent again is ignored.
    private mutating func finishSent(_ id: SubscriptionID, error: SubscriptionError?) {
        guard entries[id]?.isUnsent == false else { return }
        finish(id, error: error)
    }

    private mutating func accept(_ id: SubscriptionID) {
        guard let entry = entries[id], entry.stage == .sent else { return }
        // A one-shot request also waits for its answer.
        if !entry.isOneShot { stop(.subscribe(id)) }
        entries[id]?.stage = .live
        entries[id]?.wasLive = true
        entries[id]?.liveSince = now
        actions.append(.notify(id, .subscribed(isResumed: entry.wasLive)))
    }
}
