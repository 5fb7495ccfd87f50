// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// What a GraphQL server finds wrong with an operation, or met while it worked on it.
public struct GraphQLErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// One fault.
    public struct Fault: Sendable, Hashable, Decodable {
        /// A place in the document.
        public struct Location: Sendable, Hashable, Decodable {
            /// The line, from 1.
            public let line: Int
            /// The column, from 1.
            public let column: Int
        }

        /// What is wrong, for a person.
        public let message: String
        /// Where in the document; empty where the server does not say.
        public let locations: [Location]
        /// Where in the answer: names and places; empty where the server does not say.
        public let path: [JSON]
        /// What else the server says.
        public let extensions: JSON

        private enum CodingKeys: CodingKey { case message, locations, path, extensions }

        package init(message: String, extensions: JSON = .null) {
            self.message = message
            self.extensions = extensions
            locations = []
            path = []
        }

        /// Reads a fault; only its message must be there.
        ///
        /// - Parameter decoder: Where it is read from.
        /// - Throws: `DecodingError`.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            message = try container.decode(String.self, forKey: .message)
            locations = (try? container.decodeIfPresent([Location].self, forKey: .locations)) ?? []
            path = (try? container.decodeIfPresent([JSON].self, forKey: .path)) ?? []
            extensions = (try? container.decodeIfPresent(JSON.self, forKey: .extensions)) ?? .null
        }
    }

    /// The faults, at least one.
    public let faults: [Fault]

    /// Creates an error.
    ///
    /// - Parameter faults: The faults.
    public init(_ faults: [Fault]) { self.faults = faults }

    /// Reads whatever a server sends as an error: a list, one fault, an object around a list, or a text.
    package init(_ payload: SubscriptionPayload) {
        if let faults = try? payload.decoded(as: [Fault].self), !faults.isEmpty {
            self.faults = faults
        } else if let fault = try? payload.decoded(as: Fault.self) {
            faults = [fault]
        } else if let list = try? payload.decoded(as: [Fault].self, at: ["errors"]), !list.isEmpty {
            faults = list
        } else {
            let json = (try? payload.decoded(as: JSON.self)) ?? .null
            faults = [Fault(message: json.string ?? json.description, extensions: json)]
        }
    }

    /// The messages.
    public var description: String { faults.map(\.message).joined(separator: "; ") }
}
