// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// An operation of AppSync Events.
public enum AppSyncEventsOperation: Sendable, Hashable {
    /// The events of a channel, `/namespace/name` or `/namespace/*`.
    case channel(String, authorization: JSON = .null)
    /// A publication of up to five events.
    case publish(String, [JSON], authorization: JSON = .null)

    /// The channel.
    var channel: String {
        switch self {
        case .channel(let channel, _), .publish(let channel, _, _): channel
        }
    }

    /// Returns the message without its credentials, which is the text that is signed.
    func body() throws -> [String: JSON] {
        switch self {
        case .channel(let channel, _): return ["channel": .string(channel)]
        case .publish(let channel, let events, _):
            let texts = try events.map { JSON.string(String(decoding: try $0.data(), as: UTF8.self)) }
            return ["channel": .string(channel), "events": .array(texts)]
        }
    }

    /// Returns the operation with its credentials.
    func authorized(_ fields: JSON) -> AppSyncEventsOperation {
        switch self {
        case .channel(let channel, _): .channel(channel, authorization: fields)
        case .publish(let channel, let events, _): .publish(channel, events, authorization: fields)
        }
    }
}
