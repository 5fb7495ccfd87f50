// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension SubscriptionSocket where Wire.Operation == GraphQLOperation {
    /// The values that a GraphQL subscription gives; each iteration subscribes anew.
    ///
    /// An answer with a fault in it ends the subscription: its ``SubscriptionError/underlying`` is a ``GraphQLErrors``.
    /// ``responses(_:as:)`` goes on.
    ///
    /// - Parameters:
    ///   - operation: The subscription.
    ///   - type: The model of an answer's `data`.
    /// - Returns: The values: cold.
    public func subscribe<Model: Decodable & Sendable>(
        _ operation: GraphQLOperation, as type: Model.Type = Model.self
    ) -> SubscriptionEvents<Model> {
        events(operation) { [decoder] payload in
            try payload.decoded(as: GraphQLResponse<Model>.self, decoder: decoder).value()
        }
    }

    /// The answers that a GraphQL subscription gives, with what went wrong in each; each iteration subscribes anew.
    ///
    /// - Parameters:
    ///   - operation: The subscription.
    ///   - type: The model of an answer's `data`.
    /// - Returns: The answers: cold.
    public func responses<Model: Decodable & Sendable>(
        _ operation: GraphQLOperation, as type: Model.Type = Model.self
    ) -> SubscriptionEvents<GraphQLResponse<Model>> {
        events(operation) { [decoder] payload in
            try payload.decoded(as: GraphQLResponse<Model>.self, decoder: decoder)
        }
    }

    /// Asks a query, or makes a mutation, over the same connection.
    ///
    /// It is never sent twice: where the connection is lost before the answer has come, that is an error.
    ///
    /// - Parameters:
    ///   - operation: The query or mutation.
    ///   - type: The model of the answer's `data`.
    /// - Returns: The value.
    /// - Throws: ``SubscriptionError``; its ``SubscriptionError/underlying`` is a ``GraphQLErrors`` where the server found
    ///   fault with it.
    public func execute<Model: Decodable & Sendable>(
        _ operation: GraphQLOperation, as type: Model.Type = Model.self
    ) async throws -> Model {
        let payload = try await perform(operation)
        do {
            return try payload.decoded(as: GraphQLResponse<Model>.self, decoder: decoder).value()
        } catch let errors as GraphQLErrors {
            throw SubscriptionError(.failed, "the server found fault with it: \(errors)", underlying: errors)
        } catch {
            throw SubscriptionError(.decodingFailed, "the answer could not be read: \(error)", underlying: error)
        }
    }
}
