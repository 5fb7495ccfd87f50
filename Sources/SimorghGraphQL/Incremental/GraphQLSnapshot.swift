// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghRealtime
import SimorghSupport

/// The result of an operation with `@defer` or `@stream` after one more part of the response has arrived.
public struct GraphQLSnapshot<Value: Decodable & Sendable>: Sendable {
    /// The data so far, with all patches merged into it.
    public let data: JSON
    /// The errors so far; empty if no error occurred.
    public let errors: [GraphQLErrors.Fault]
    /// Additional data of the server.
    public let extensions: JSON
    /// A Boolean value that indicates whether the server sends more.
    public let hasNext: Bool
    private let decoder: JSONDecoder

    package init(_ merger: GraphQLResultMerger, decoder: JSONDecoder) {
        data = merger.data
        errors = merger.errors
        extensions = merger.extensions
        hasNext = merger.hasNext
        self.decoder = decoder
    }

    /// Decodes the data so far.
    ///
    /// Properties of deferred fields must be optional, unless only the last snapshot is decoded.
    ///
    /// - Returns: The value.
    /// - Throws: `DecodingError`.
    public func decoded() throws -> Value { try decoder.decode(Value.self, from: data.data()) }

    /// Returns the value if there are no errors.
    ///
    /// - Returns: The value.
    /// - Throws: ``/SimorghRealtime/GraphQLErrors`` if there are errors so far, otherwise `DecodingError`.
    public func value() throws -> Value {
        guard errors.isEmpty else { throw GraphQLErrors(errors) }
        return try decoded()
    }
}
