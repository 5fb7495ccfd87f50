// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

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

        /// The kind, without the name of the service that stands before it: `com.amazonaws.….service#`.
        fileprivate var name: Substring { type.lastIndex(of: "#").map { type[type.index(after: $0)...] } ?? type[...] }

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
        faults.contains { $0.name.hasPrefix("Unauthorized") || $0.code == 401 || $0.code == 403 }
    }

    /// Whether there are as many subscriptions as there may be, or requests too fast, which may be otherwise later.
    public var isLimit: Bool {
        faults.contains { fault in
            ["MaxSubscriptionsReached", "LimitExceeded", "TooManyRequests", "Throttling"].contains {
                fault.name.hasPrefix($0)
            } || fault.code == 429
        }
    }

    /// Whether another attempt may fare better: a limit, or a fault of the server's own.
    var mayPass: Bool {
        guard !isUnauthorized else { return false }
        return isLimit
            || faults.contains { fault in
                fault.code.map { (500...599).contains($0) } ?? false
                    || ["InternalFailure", "InternalServerError", "ServiceUnavailable"].contains {
                        fault.name.hasPrefix($0)
                    }
            }
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
