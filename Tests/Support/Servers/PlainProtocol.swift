// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
package import SimorghRealtime

/// A small protocol for tests: `hello`, `welcome`, `sub ID TOPIC`, `ok ID`, `event ID TEXT`, `done ID`, `no ID WHY`,
/// `bye ID`, `gone ID`, and `later ID WHY`, after which the subscription is requested again.
///
/// The topics `impossible`, `leave` and `done` fail, reconnect and complete as soon as they are requested.
package struct PlainProtocol: SubscriptionProtocol {
    package var greets: Bool
    package var confirms: Bool
    package var pacing: MessageRateLimit?
    package var preparesOperations: Bool
    package var token: @Sendable () async throws -> String
    /// Completes an operation before it is sent.
    package var complete: @Sendable (String) async throws -> String = { $0 + "!" }
    package var judge: @Sendable (WebSocketCloseInfo) -> ReconnectDecision? = { _ in nil }

    package init(
        greets: Bool = true, confirms: Bool = true, pacing: MessageRateLimit? = nil, preparesOperations: Bool = false,
        token: @escaping @Sendable () async throws -> String = { "" }
    ) {
        self.greets = greets
        self.confirms = confirms
        self.pacing = pacing
        self.preparesOperations = preparesOperations
        self.token = token
    }

    package func opening(attempt: Int) async throws -> SubscriptionConnectionRequest<Session> {
        SubscriptionConnectionRequest(
            url: "wss://plain.test/socket", headers: ["X-Token": try await token(), "X-Attempt": "\(attempt)"],
            session: Session(greets: greets, confirms: confirms))
    }

    package func prepared(_ operation: String, for session: Session) async throws -> String {
        try await complete(operation)
    }

    package func verdict(on closure: WebSocketCloseInfo) -> ReconnectDecision? { judge(closure) }

    package struct Refusal: Error, Equatable {
        let why: String

        package init(why: String) { self.why = why }
    }

    package struct Session: SubscriptionSession {
        package var greets: Bool
        package var confirms: Bool

        package init(greets: Bool, confirms: Bool) {
            self.greets = greets
            self.confirms = confirms
        }

        package mutating func opened(subprotocol: String?) -> [SubscriptionAction] {
            greets ? [.send(.text("hello"))] : [.ready]
        }

        package mutating func subscribe(_ operation: String, id: SubscriptionID) throws -> [SubscriptionAction] {
            switch operation {
            case "impossible": throw Refusal(why: operation)
            case "leave": return [.reconnect(Refusal(why: operation))]
            case "done": return [.completed(id)]
            default: break
            }
            return [.send(.text("sub \(id) \(operation)"))] + (confirms ? [] : [.accepted(id)])
        }

        package mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
            [.send(.text("bye \(id)"))] + (confirms ? [] : [.released(id)])
        }

        package mutating func received(_ message: WebSocketMessage) throws -> [SubscriptionAction] {
            let words = String(decoding: message.bytes, as: UTF8.self).split(separator: " ", maxSplits: 2)
            let id = words.dropFirst().first.flatMap { SubscriptionID($0) } ?? SubscriptionID(0)
            let rest = words.count > 2 ? String(words[2]) : ""
            switch words.first {
            case "welcome": return [.ready]
            case "ok": return [.accepted(id)]
            case "event": return [.event(id, SubscriptionPayload(.text(rest)))]
            case "done": return [.completed(id)]
            case "no": return [.failed(id, Refusal(why: rest))]
            case "later": return [.postponed(id, Refusal(why: rest))]
            case "gone": return [.released(id)]
            case "tick": return [.expectMessages(every: .seconds(id.number))]
            case "leave": return [.reconnect(Refusal(why: "leave"))]
            case "end": return [.giveUp(Refusal(why: "end"), 4001)]
            case "alarm": return [.startTimer("alarm", .seconds(id.number))]
            default: throw Refusal(why: "unknown")
            }
        }

        package mutating func elapsed(_ timer: SubscriptionTimer) -> [SubscriptionAction] { [.send(.text(timer.name))] }

        package mutating func closing() -> [SubscriptionAction] { [.send(.text("farewell"))] }
    }
}
