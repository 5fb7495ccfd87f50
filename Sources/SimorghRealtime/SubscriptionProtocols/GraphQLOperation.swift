// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A query, mutation or subscription in GraphQL.
public struct GraphQLOperation: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The document.
    public var query: String
    /// Which operation of the document, where it has more than one.
    public var operationName: String?
    /// The values of its variables, as an object; none by default.
    public var variables: JSON?
    /// What is sent beside it, as an object; nothing by default.
    public var extensions: JSON?

    /// Creates an operation.
    ///
    /// - Parameters:
    ///   - query: The document.
    ///   - variables: The values of its variables, as an object.
    ///   - operationName: Which operation of the document.
    public init(_ query: String, variables: JSON? = nil, operationName: String? = nil) {
        self.query = query
        self.variables = variables
        self.operationName = operationName
    }

    /// Creates an operation without variables.
    ///
    /// - Parameter value: The document.
    public init(stringLiteral value: String) { self.init(value) }

    /// The operation as a request has it.
    package var json: JSON {
        var members: [String: JSON] = ["query": .string(query)]
        if let operationName { members["operationName"] = .string(operationName) }
        if let variables { members["variables"] = variables }
        if let extensions { members["extensions"] = extensions }
        return .object(members)
    }
}
