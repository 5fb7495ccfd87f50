// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The errors in a message of AppSync.
public struct AppSyncErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// A single error.
    public struct Fault: Sendable, Hashable, Decodable {
        /// The type of the error, such as `UnauthorizedException`; empty if the server sent none.
        public let type: String
        /// A human-readable description.
        public let message: String
        /// The HTTP status of the error, if any.
        public let code: Int?

        /// The type without its service prefix `com.amazonaws.….service#`.
        fileprivate var name: Substring { type.lastIndex(of: "#").map { type[type.index(after: $0)...] } ?? type[...] }

        /// The type, the code and the message, such as `UnauthorizedException (401): no permission`; without those that
        /// the server did not send.
        fileprivate var text: String {
            let code = code.map { type.isEmpty ? "error \($0)" : " (\($0))" } ?? ""
            return [type + code, message].filter { !$0.isEmpty }.joined(separator: ": ")
        }

        private enum CodingKeys: String, CodingKey {
            case type = "errorType"
            case message
            case code = "errorCode"
        }

        /// Decodes an error.
        ///
        /// - Parameter decoder: The decoder.
        /// - Throws: `DecodingError`.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            type = try container.decodeIfPresent(String.self, forKey: .type) ?? ""
            message = try container.decodeIfPresent(String.self, forKey: .message) ?? ""
            code = try? container.decodeIfPresent(Int.self, forKey: .code)
        }
    }

    /// The errors; empty if the server sent none.
    public let faults: [Fault]

    /// True if the credentials are not sufficient.
    public var isUnauthorized: Bool {
        faults.contains { $0.name.hasPrefix("Unauthorized") || $0.code == 401 || $0.code == 403 }
    }

    /// True if a limit on subscriptions or on the request rate is reached, which is transient.
    public var isLimit: Bool {
        faults.contains { fault in
            ["MaxSubscriptionsReached", "LimitExceeded", "TooManyRequests", "Throttling"].contains {
                fault.name.hasPrefix($0)
            } || fault.code == 429
        }
    }

    /// True if the errors are transient: a limit, or an internal error of the server.
    var isTransient: Bool {
        guard !isUnauthorized else { return false }
        return isLimit
            || faults.contains { fault in
                fault.code.map { (500...599).contains($0) } ?? false
                    || ["InternalFailure", "InternalServerError", "ServiceUnavailable"].contains {
                        fault.name.hasPrefix($0)
                    }
            }
    }

    /// Reads the errors of a message, which are in its payload or at its top level.
    init(_ message: WebSocketMessage) {
        let payload = SubscriptionPayload(message)
        faults =
            (try? payload.decoded(as: [Fault].self, at: ["payload", "errors"]))
            ?? (try? payload.decoded(as: [Fault].self, at: ["errors"])) ?? []
    }

    /// The types, codes and messages of the errors, as far as the server sent them.
    public var description: String {
        let texts = faults.map(\.text).filter { !$0.isEmpty }
        return texts.isEmpty ? "AppSync sent an error without a description" : texts.joined(separator: "; ")
    }
}
