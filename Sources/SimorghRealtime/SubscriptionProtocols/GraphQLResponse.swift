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
    /// - Throws: `DecodingError` if the value has another type. A missing or null part of it is no error if the response
    ///   contains errors, which explain it: ``data`` is `nil` then.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        errors = try container.decodeIfPresent([GraphQLErrors.Fault].self, forKey: .errors) ?? []
        extensions = try container.decodeIfPresent(JSON.self, forKey: .extensions) ?? .null
        do {
            data = try container.decodeIfPresent(Value.self, forKey: .data)
        } catch let error as DecodingError {
            guard !errors.isEmpty, error.isAboutMissingValue else { throw error }
            data = nil
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

extension DecodingError {
    /// True if a value is missing or null, which the errors of a response explain; false for another type.
    fileprivate var isAboutMissingValue: Bool {
        switch self {
        case .valueNotFound, .keyNotFound: true
        default: false
        }
    }
}
