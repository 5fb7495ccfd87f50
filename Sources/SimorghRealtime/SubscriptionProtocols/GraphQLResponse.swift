// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A response of a GraphQL server, with a value, errors, or both.
public struct GraphQLResponse<Value: Decodable & Sendable>: Decodable, Sendable {
    /// The value, possibly incomplete if there are errors; `nil` if there is no value.
    public let data: Value?
    /// The errors; empty if the operation succeeded.
    public let errors: [GraphQLErrors.Fault]
    /// Additional data of the server.
    public let extensions: JSON

    private enum CodingKeys: CodingKey { case data, errors, extensions }

    /// Decodes a response.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the value has another type, unless the response contains errors.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        errors = try container.decodeIfPresent([GraphQLErrors.Fault].self, forKey: .errors) ?? []
        extensions = try container.decodeIfPresent(JSON.self, forKey: .extensions) ?? .null
        if errors.isEmpty {
            data = try container.decodeIfPresent(Value.self, forKey: .data)
        } else {
            // The errors explain the missing parts of the value.
            data = try? container.decodeIfPresent(Value.self, forKey: .data)
        }
    }

    /// Returns the value if there are no errors.
    ///
    /// - Returns: The value.
    /// - Throws: ``GraphQLErrors`` if the response contains errors or no value.
    public func value() throws -> Value {
        guard errors.isEmpty else { throw GraphQLErrors(errors) }
        guard let data else { throw GraphQLErrors([.init(message: "the response contains no data")]) }
        return data
    }
}
