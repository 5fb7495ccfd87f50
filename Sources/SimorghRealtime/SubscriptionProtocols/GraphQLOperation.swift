// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A GraphQL query, mutation or subscription.
public struct GraphQLOperation: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The document.
    public var query: String
    /// The name of the operation to execute, if the document has more than one.
    public var operationName: String?
    /// The values of the variables, as an object.
    ///
    /// Default: none.
    public var variables: JSON?
    /// Additional data for the server, as an object.
    ///
    /// Default: none.
    public var extensions: JSON?

    /// Creates an operation.
    ///
    /// - Parameters:
    ///   - query: The document.
    ///   - variables: The values of the variables, as an object.
    ///   - operationName: The name of the operation to execute.
    public init(_ query: String, variables: JSON? = nil, operationName: String? = nil) {
        self.query = query
        self.variables = variables
        self.operationName = operationName
    }

    /// Creates an operation without variables.
    ///
    /// - Parameter value: The document.
    public init(stringLiteral value: String) { self.init(value) }

    /// The operation as the JSON of a request.
    package var json: JSON {
        var members: [String: JSON] = ["query": .string(query)]
        if let operationName { members["operationName"] = .string(operationName) }
        if let variables { members["variables"] = variables }
        if let extensions { members["extensions"] = extensions }
        return .object(members)
    }
}
