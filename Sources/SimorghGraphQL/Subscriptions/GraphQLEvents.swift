// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
public import SimorghRealtime
import SimorghSupport

/// The events of a subscription of a ``GraphQLClient``, over any transport.
///
/// It ends when the server completes the subscription. Leaving the loop or cancelling its task unsubscribes.
public struct GraphQLEvents<Event: Sendable>: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = Event
    /// The error that ended the subscription: a ``/SimorghRealtime/SubscriptionError`` over a WebSocket, otherwise a
    /// ``/SimorghCore/NetworkError``.
    public typealias Failure = any Error

    package enum Source: Sendable {
        case socket(SubscriptionEvents<Event>)
        case http(GraphQLHTTPEvents<Event>)
        case failed(any Error)
    }

    private let source: Source

    package init(_ source: Source) { self.source = source }

    /// Returns an iterator, which subscribes at its first read.
    public func makeAsyncIterator() -> Iterator {
        switch source {
        case .socket(let events): Iterator(source: .socket(events.makeAsyncIterator()))
        case .http(let events): Iterator(source: .http(events.makeAsyncIterator()))
        case .failed(let error): Iterator(source: .failed(error))
        }
    }

    /// Reads the events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate enum Source {
            case socket(SubscriptionEvents<Event>.Iterator)
            case http(GraphQLHTTPEvents<Event>.Iterator)
            case failed(any Error)
            case over
        }

        fileprivate var source: Source

        /// Returns the next event; `nil` if the server completed the subscription.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The event.
        /// - Throws: ``/SimorghRealtime/SubscriptionError`` over a WebSocket, otherwise ``/SimorghCore/NetworkError``.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Event? {
            let current = source
            source = .over  // The state if the next lines throw.
            switch current {
            case .over: return nil
            case .failed(let error): throw error
            case .socket(var events):
                guard let event = try await events.next(isolation: actor) else { return nil }
                source = .socket(events)
                return event
            case .http(var events):
                guard let event = try await events.next(isolation: actor) else { return nil }
                source = .http(events)
                return event
            }
        }
    }
}

extension GraphQLClient {
    /// The `Accept` field of subscriptions by server-sent events.
    package static let eventsAccept =
        "text/event-stream, application/graphql-response+json;q=0.9, application/json;q=0.8"
    /// The `Accept` field of subscriptions by multipart responses.
    package static let multipartAccept =
        "multipart/mixed;subscriptionSpec=1.0,application/graphql-response+json,application/json"

    /// Returns the values of a subscription; each iteration subscribes again.
    ///
    /// ```swift
    /// let shop = client.graphQL("graphql") { $0.subscriptions = .serverSentEvents }
    /// for try await price in shop.subscribe("subscription { price(of: 7) }", as: Price.self) { print(price) }
    /// ```
    /// Over the WebSocket, a document is sent only if its operation is known to be a subscription.
    ///
    /// A response with errors ends the subscription, unlike ``query(_:variables:as:)``, which returns it:
    /// ``/SimorghRealtime/GraphQLErrors`` is the cause of the error. Use ``responses(_:variables:as:)`` to continue
    /// after such a response.
    ///
    /// The error that ends the loop is a ``/SimorghRealtime/SubscriptionError`` over a WebSocket, and a
    /// ``/SimorghCore/NetworkError`` over HTTP: code that works over both catches both.
    ///
    /// - Parameters:
    ///   - operation: The subscription.
    ///   - variables: The values of the variables, as a value that encodes as an object. Default: those of the operation.
    ///   - type: The type of the `data` of a response.
    /// - Returns: The values; nothing is sent before the first iteration.
    public func subscribe<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation, variables: (any Encodable & Sendable)? = nil, as type: Value.Type = Value.self
    ) -> GraphQLEvents<Value> {
        events(operation, variables) { socket, operation in
            socket.subscribe(operation, as: type)
        } read: { data, decoder in
            try GraphQLResponse<Value>(checking: data, decoder).value()
        }
    }

    /// Returns the responses of a subscription, including their errors; each iteration subscribes again.
    ///
    /// - Parameters:
    ///   - operation: The subscription.
    ///   - variables: The values of the variables, as a value that encodes as an object. Default: those of the operation.
    ///   - type: The type of the `data` of a response.
    /// - Returns: The responses; nothing is sent before the first iteration.
    public func responses<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation, variables: (any Encodable & Sendable)? = nil, as type: Value.Type = Value.self
    ) -> GraphQLEvents<GraphQLResponse<Value>> {
        events(operation, variables) { socket, operation in
            socket.responses(operation, as: type)
        } read: { data, decoder in
            try GraphQLResponse<Value>(checking: data, decoder)
        }
    }

    private func events<Event: Sendable>(
        _ operation: GraphQLOperation, _ variables: (any Encodable & Sendable)?,
        overSocket: (SubscriptionClient<GraphQLTransportProtocol>, GraphQLOperation) -> SubscriptionEvents<Event>,
        read: @escaping @Sendable (Data, JSONDecoder) throws -> Event
    ) -> GraphQLEvents<Event> {
        var request = makeRequest(operation, variables: variables, accept: Self.eventsAccept)
        switch options.subscriptions.kind {
        case .webSocket(let subprotocol, let socketOptions):
            // After a lost connection the operation is sent again, which must not repeat a mutation. So a document that
            // is not understood is not sent, either.
            guard request.kind == .subscription else {
                let found = request.kind.map { "a \($0.rawValue)" } ?? "not understood"
                return GraphQLEvents(
                    .failed(
                        SubscriptionError(
                            .invalidRequest, message: "the operation is \(found), expected a subscription")))
            }
            var operation = operation
            do {
                let encoder = client.configuration.coding.encoder ?? Coders.encoder
                operation.variables = try request.content.variablesJSON(encoder).map { try JSON(parsing: $0) }
            } catch {
                return GraphQLEvents(
                    .failed(
                        SubscriptionError(
                            .failed, message: "the variables cannot be encoded: \(error)", underlying: error)))
            }
            return GraphQLEvents(.socket(overSocket(socket(subprotocol, socketOptions), operation)))
        case .serverSentEvents: break
        case .multipart: request.accept = Self.multipartAccept
        }
        let source = GraphQLStreamSource(self, request, allowed: [.subscription])
        return GraphQLEvents(.http(GraphQLHTTPEvents(source: source, read: read)))
    }
}
