// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// A request as a ``LoopbackServer`` noted it.
public struct LoggedRequest: Sendable, Hashable {
    /// How many came before it, over all connections.
    public let index: Int
    /// The connection it came over, counted from 0 in the order in which they were accepted.
    public let connection: Int
    /// Whether the connection is one of TLS.
    public let isSecure: Bool
    /// The method.
    public let method: HTTPRequest.Method
    /// The target as it was sent, with its query.
    public let target: String
    /// The header fields as they were sent, in their order.
    public let headers: [Header]
    /// How many bytes of the body have come.
    public internal(set) var bodyLength: Int64 = 0
    /// Whether the whole request has come.
    public internal(set) var isComplete = false

    package init(
        index: Int, connection: Int, isSecure: Bool, method: HTTPRequest.Method, target: String, headers: [Header]
    ) {
        self.index = index
        self.connection = connection
        self.isSecure = isSecure
        self.method = method
        self.target = target
        self.headers = headers
    }

    /// A header field as it was sent.
    public struct Header: Sendable, Hashable {
        /// The name, its case kept.
        public let name: String
        /// The value.
        public let value: String
    }

    /// The values of a header field.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: Every value, in the order in which they were sent.
    public func values(_ name: String) -> [String] {
        let name = name.lowercased()
        return headers.filter { $0.name.lowercased() == name }.map(\.value)
    }
}
