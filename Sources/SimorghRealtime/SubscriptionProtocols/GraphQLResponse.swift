// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// What a GraphQL server answers: a value, faults, or both.
public struct GraphQLResponse<Value: Decodable & Sendable>: Decodable, Sendable {
    /// The value, as far as there is one.
    public let data: Value?
    /// What went wrong; empty where nothing did.
    public let errors: [GraphQLErrors.Fault]
    /// What else the server says.
    public let extensions: JSON

    private enum CodingKeys: CodingKey { case data, errors, extensions }

    /// Reads an answer.
    ///
    /// - Parameter decoder: Where it is read from.
    /// - Throws: `DecodingError` when the value is another; not where there are faults that explain it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        errors = try container.decodeIfPresent([GraphQLErrors.Fault].self, forKey: .errors) ?? []
        extensions = try container.decodeIfPresent(JSON.self, forKey: .extensions) ?? .null
        if errors.isEmpty {
            data = try container.decodeIfPresent(Value.self, forKey: .data)
        } else {
            // What is missing in it is what the faults are about.
            data = try? container.decodeIfPresent(Value.self, forKey: .data)
        }
    }

    /// The value, where nothing went wrong.
    ///
    /// - Returns: The value.
    /// - Throws: ``GraphQLErrors`` where something did.
    public func value() throws -> Value {
        guard errors.isEmpty else { throw GraphQLErrors(errors) }
        guard let data else { throw GraphQLErrors([.init(message: "the answer has no data")]) }
        return data
    }
}
