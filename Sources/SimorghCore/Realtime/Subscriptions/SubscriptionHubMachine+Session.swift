// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension SubscriptionHubMachine {
    mutating func apply(
        _ code: SubscriptionError.Code, _ body: (inout Session) throws -> [SubscriptionAction]
    ) {
        guard var session else { return }
        do {
            let wanted = try body(&session)
            self.session = session
            perform(wanted)
        } catch {
            giveUp(
                SubscriptionError(code, causedBy: error, "the server does not keep to the protocol"), .protocolError)
        }
    }

    private mutating func giveUp(_ error: SubscriptionError, _ code: WebSocketCloseCode) {
        actions.append(.close(generation, code))
        for id in order { finish(id, error) }
        isHeld = false
        rest()
    }

    mutating func perform(_ wanted: [SubscriptionAction]) {
        let connection = generation
        for action in wanted {
            // An action before this one may have been the end of the connection.
            guard connection == generation, session != nil else { return }
            perform(action)
        }
    }

    private mutating func perform(_ action: SubscriptionAction) {
        switch action {
        case .send(let message): actions.append(.send(message))
        case .ready:
            guard phase == .negotiating else { return }
            phase = .ready
            actions.append(.stopTimer(.ready))
            reconnection.ready(now: lastHeard)
            actions.append(.state(.connected))
            for id in order { ask(id) }
        case .accepted(let id): accept(id)
        case .event(let id, let payload):
            accept(id)
            if entries[id]?.stage == .live { actions.append(.deliver(id, payload)) }
        case .completed(let id): finish(id, nil)
        case .failed(let id, let error):
            let isRefused = entries[id]?.stage == .asked
            finish(
                id,
                SubscriptionError(
                    isRefused ? .refused : .failed, causedBy: error,
                    isRefused ? "the server refused the subscription" : "the server ended the subscription"))
        case .released(let id):
            guard entries[id]?.stage == .leaving else { return }
            finish(id, nil)
        case .startTimer(let timer, let duration): actions.append(.startTimer(.session(timer), duration))
        case .stopTimer(let timer): actions.append(.stopTimer(.session(timer)))
        case .expectMessages(let interval):
            silence = interval
            actions.append(interval.map { .startTimer(.silence, $0) } ?? .stopTimer(.silence))
        case .reconnect(let error):
            actions.append(.drop(generation))
            leaveConnection(
                HubLoss(
                    SubscriptionError(endCode, causedBy: error, "the connection is left"), verdict: .reconnect),
                now: lastHeard)
        case .giveUp(let error, let code):
            giveUp(SubscriptionError(endCode, causedBy: error, "the connection is given up"), code)
        }
    }

    private var endCode: SubscriptionError.Code { phase == .negotiating ? .negotiationFailed : .connectionLost }

    private mutating func accept(_ id: SubscriptionID) {
        guard let entry = entries[id], entry.stage == .asked else { return }
        actions.append(.stopTimer(.subscribe(id)))
        entries[id]?.stage = .live
        entries[id]?.wasLive = true
        actions.append(.tell(id, .subscribed(isResumed: entry.wasLive)))
    }
}
