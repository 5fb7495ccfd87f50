// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension SubscriptionClient where Wire.Operation == GraphQLOperation {
    /// Returns the values of a GraphQL subscription; each iteration subscribes again.
    ///
    /// A response with errors ends the subscription: its ``SubscriptionError/underlying`` is a ``GraphQLErrors``. Use
    /// ``responses(_:as:)`` to continue after such a response.
    ///
    /// - Parameters:
    ///   - operation: The subscription.
    ///   - type: The type of the `data` of a response.
    /// - Returns: The values; nothing is sent before the first iteration.
    public func subscribe<Model: Decodable & Sendable>(
        _ operation: GraphQLOperation, as type: Model.Type = Model.self
    ) -> SubscriptionEvents<Model> {
        events(operation) { [decoder] payload in
            try payload.decoded(as: GraphQLResponse<Model>.self, decoder: decoder).value()
        }
    }

    /// Returns the responses of a GraphQL subscription, including their errors; each iteration subscribes again.
    ///
    /// - Parameters:
    ///   - operation: The subscription.
    ///   - type: The type of the `data` of a response.
    /// - Returns: The responses; nothing is sent before the first iteration.
    public func responses<Model: Decodable & Sendable>(
        _ operation: GraphQLOperation, as type: Model.Type = Model.self
    ) -> SubscriptionEvents<GraphQLResponse<Model>> {
        events(operation) { [decoder] payload in
            try payload.decoded(as: GraphQLResponse<Model>.self, decoder: decoder)
        }
    }

    /// Executes a query or mutation over the same connection.
    ///
    /// The request is never sent twice: a connection that is lost before the response arrives is an error.
    ///
    /// - Parameters:
    ///   - operation: The query or mutation.
    ///   - type: The type of the `data` of the response.
    /// - Returns: The value.
    /// - Throws: ``SubscriptionError``; its ``SubscriptionError/underlying`` is a ``GraphQLErrors`` if the response
    ///   contains errors.
    public func execute<Model: Decodable & Sendable>(
        _ operation: GraphQLOperation, as type: Model.Type = Model.self
    ) async throws -> Model {
        let payload = try await perform(operation)
        do {
            return try payload.decoded(as: GraphQLResponse<Model>.self, decoder: decoder).value()
        } catch let errors as GraphQLErrors {
            throw SubscriptionError(.failed, message: "the response contains errors: \(errors)", underlying: errors)
        } catch {
            throw SubscriptionError(
                .decodingFailed, message: "the response could not be decoded: \(error)", underlying: error)
        }
    }
}
