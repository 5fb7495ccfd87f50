// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What AppSync finds wrong.
public struct AppSyncErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// One fault.
    public struct Fault: Sendable, Hashable, Decodable {
        /// What kind it is, such as `UnauthorizedException`; empty where the server does not say.
        public let type: String
        /// What is wrong, for a person.
        public let message: String
        /// The status that goes with it.
        public let code: Int?

        private enum CodingKeys: String, CodingKey {
            case type = "errorType"
            case message
            case code = "errorCode"
        }

        /// Reads a fault.
        ///
        /// - Parameter decoder: Where it is read from.
        /// - Throws: `DecodingError`.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            type = try container.decodeIfPresent(String.self, forKey: .type) ?? ""
            message = try container.decodeIfPresent(String.self, forKey: .message) ?? ""
            code = try? container.decodeIfPresent(Int.self, forKey: .code)
        }
    }

    /// The faults; empty where the server told none.
    public let faults: [Fault]

    /// Whether the credentials are not good for it.
    public var isUnauthorized: Bool {
        faults.contains { $0.type.hasPrefix("Unauthorized") || $0.code == 401 || $0.code == 403 }
    }

    /// Whether there are as many subscriptions as there may be, which may be otherwise later.
    public var isLimit: Bool {
        faults.contains { $0.type.hasPrefix("MaxSubscriptionsReached") || $0.type.hasPrefix("LimitExceeded") }
    }

    /// Reads the faults of a message, which stand in its payload or in itself.
    init(_ message: WebSocketMessage) {
        let payload = SubscriptionPayload(message)
        faults =
            (try? payload.decoded(as: [Fault].self, at: ["payload", "errors"]))
            ?? (try? payload.decoded(as: [Fault].self, at: ["errors"])) ?? []
    }

    /// The kinds and messages.
    public var description: String {
        faults.isEmpty
            ? "AppSync gave no reason"
            : faults.map { $0.message.isEmpty ? $0.type : "\($0.type): \($0.message)" }.joined(separator: "; ")
    }
}
