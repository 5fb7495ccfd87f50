// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// The errors that a GraphQL server reports for an operation.
public struct GraphQLErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// A single error.
    public struct Fault: Sendable, Hashable, Decodable {
        /// A location in the document.
        public struct Location: Sendable, Hashable, Decodable {
            /// The line, counted from 1.
            public let line: Int
            /// The column, counted from 1.
            public let column: Int
        }

        /// A human-readable description.
        public let message: String
        /// The locations in the document; empty if the server sent none.
        public let locations: [Location]
        /// The path in the response, of names and indices; empty if the server sent none.
        public let path: [JSON]
        /// Additional data of the server.
        public let extensions: JSON

        private enum CodingKeys: CodingKey { case message, locations, path, extensions }

        package init(message: String, extensions: JSON = .null) {
            self.message = message
            self.extensions = extensions
            locations = []
            path = []
        }

        /// Decodes an error; only its message is required.
        ///
        /// - Parameter decoder: The decoder.
        /// - Throws: `DecodingError`.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            message = try container.decode(String.self, forKey: .message)
            locations = (try? container.decodeIfPresent([Location].self, forKey: .locations)) ?? []
            path = (try? container.decodeIfPresent([JSON].self, forKey: .path)) ?? []
            extensions = (try? container.decodeIfPresent(JSON.self, forKey: .extensions)) ?? .null
        }
    }

    /// The errors, at least one.
    public let faults: [Fault]

    /// Creates an error from a list of errors.
    ///
    /// - Parameter faults: The errors.
    public init(_ faults: [Fault]) { self.faults = faults }

    /// Reads any form of error that servers send: a list, a single error, an object with a list, or a string.
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

    /// The messages of the errors.
    public var description: String { faults.map(\.message).joined(separator: "; ") }
}
