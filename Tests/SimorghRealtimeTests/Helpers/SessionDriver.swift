// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime

/// Feeds a session the messages of a server, and renders the session's actions as lines: `send …`, `ready`, `event 1
/// …`.
struct SessionDriver<Session: SubscriptionSession> {
    var session: Session

    mutating func opened() throws -> [String] { Self.lines(try session.opened(subprotocol: nil)) }

    mutating func subscribe(_ operation: Session.Operation, _ id: Int) throws -> [String] {
        Self.lines(try session.subscribe(operation, id: SubscriptionID(id)) + session.flush())
    }

    mutating func unsubscribe(_ id: Int) -> [String] {
        Self.lines(session.unsubscribe(SubscriptionID(id)) + session.flush())
    }

    mutating func received(_ text: String) throws -> [String] { Self.lines(try session.received(.text(text))) }

    mutating func elapsed(_ timer: SubscriptionTimer) -> [String] { Self.lines(session.elapsed(timer)) }

    mutating func timerFiredWhilePaused(_ timer: SubscriptionTimer) -> [String] {
        Self.lines(session.timerFiredWhilePaused(timer))
    }

    mutating func closing() -> [String] { Self.lines(session.closing()) }

    static func lines(_ actions: [SubscriptionAction]) -> [String] {
        actions.map { action in
            switch action {
            case .send(let message): "send \((try? message.decoded(as: JSON.self))?.description ?? "?")"
            case .sendLatest(let message): "send latest \((try? message.decoded(as: JSON.self))?.description ?? "?")"
            case .ready: "ready"
            case .accepted(let id): "accepted \(id)"
            case .event(let id, let payload):
                "event \(id) \((try? payload.decoded(as: JSON.self))?.description ?? "unreadable")"
            case .completed(let id): "completed \(id)"
            case .failed(let id, let error): "failed \(id) \(error)"
            case .postponed(let id, let error): "postponed \(id) \(error)"
            case .released(let id): "released \(id)"
            case .startTimer(let timer, let duration): "start \(timer.name) \(duration / .seconds(1))"
            case .stopTimer(let timer): "stop \(timer.name)"
            case .expectMessages(let interval): "expect \(interval.map { "\($0 / .seconds(1))" } ?? "nothing")"
            case .reconnect(let error): "reconnect \(error)"
            case .giveUp(let error, let code): "give up \(error) \(code)"
            }
        }
    }
}

extension SubscriptionProtocol {
    /// Returns the driver of the session of the first attempt.
    func driver() async throws -> SessionDriver<Session> {
        SessionDriver(session: try await opening(attempt: 1).session)
    }
}
