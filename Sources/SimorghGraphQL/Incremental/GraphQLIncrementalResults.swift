// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
public import SimorghRealtime
import SimorghSupport

/// The results of an operation with `@defer` or `@stream`, each with one more part of the response merged into it.
///
/// A cold sequence: each iteration makes one call. Leaving the loop or cancelling its task ends the response.
public struct GraphQLIncrementalResults<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// The result so far.
    public typealias Element = GraphQLSnapshot<Value>
    /// The error that ended the response: a ``/SimorghCore/NetworkError``.
    public typealias Failure = any Error

    fileprivate let source: GraphQLStreamSource

    /// Returns an iterator, which makes the call at its first read.
    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    /// Reads the parts of the response.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        private enum Phase {
            case ready
            case reading(GraphQLPayloads)
            case over
        }

        private let source: GraphQLStreamSource
        private var phase = Phase.ready
        private var merger: GraphQLResultMerger
        private var head: CollectedResponse?

        fileprivate init(source: GraphQLStreamSource) {
            self.source = source
            merger = GraphQLResultMerger(maximumPatches: source.options.maximumPatches)
        }

        /// Returns the result with the next part; `nil` after the last one.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The result.
        /// - Throws: ``/SimorghCore/NetworkError``, once; later calls return `nil`.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> GraphQLSnapshot<Value>? {
            try await typedNext(isolation: actor)
        }

        package mutating func typedNext(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> GraphQLSnapshot<Value>? {
            let current = phase
            phase = .over  // The state if the next lines throw.
            var payloads: GraphQLPayloads
            switch current {
            case .over: return nil
            case .ready:
                let opened = try await source.open()
                guard case .stream(let response) = opened else { return try whole(opened) }
                head = response.head
                payloads = try GraphQLPayloads(
                    response, limit: source.options.maximumPartBytes, total: source.maximumBytes)
            case .reading(let reading): payloads = reading
            }
            let part = try await payloads.next(isolation: actor)
            guard let head else { return nil }
            do {
                guard let part else {
                    if merger.hasNext { throw Self.truncated }
                    return nil
                }
                try merger.apply(try JSON(parsing: part))
                if merger.hasNext, !payloads.isMultipart { throw Self.truncated }
            } catch let error as GraphQLProtocolError {
                throw NetworkError(error, head)
            } catch {
                throw .decodingError(source.failure(error, of: part ?? Data(), head, type: Value.self))
            }
            if merger.hasNext, payloads.isMultipart {
                phase = .reading(payloads)
            } else {
                payloads.release()
            }
            return GraphQLSnapshot(merger, decoder: source.decoder)
        }

        private static var truncated: GraphQLProtocolError {
            GraphQLProtocolError(.truncated, "the response ended although the server announced more")
        }

        /// Returns the result of a response that is complete, such as an error with a status of its own.
        private mutating func whole(
            _ opened: GraphQLStreamSource.Opened
        ) throws(NetworkError) -> GraphQLSnapshot<Value>? {
            guard case .response(let payload, let response) = opened else { return nil }
            do {
                try merger.apply(payload)
            } catch {
                throw NetworkError(error, response)
            }
            return GraphQLSnapshot(merger, decoder: source.decoder)
        }
    }
}

extension GraphQLClient {
    /// The `Accept` field of operations with `@defer` or `@stream`.
    package static let incrementalAccept =
        "multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824, "
        + "application/graphql-response+json, application/json;q=0.9"

    /// Returns the results of a query or mutation with `@defer` or `@stream`.
    ///
    /// ```swift
    /// let shop = client.graphQL("graphql")
    /// let results = shop.incremental("{ bird { name ... @defer { song } } }", as: JSON.self)
    /// for try await result in results { print(result.data["bird"], result.hasNext) }
    /// ```
    /// A server that does not support the directives sends one result.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - variables: The values of the variables, as a value that encodes as an object. Default: those of the operation.
    ///   - type: The type of the `data` of the response.
    /// - Returns: The results; nothing is sent before the first iteration.
    public func incremental<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation, variables: (any Encodable & Sendable)? = nil, as type: Value.Type = Value.self
    ) -> GraphQLIncrementalResults<Value> {
        let request = makeRequest(operation, variables: variables, accept: Self.incrementalAccept)
        return GraphQLIncrementalResults(source: GraphQLStreamSource(self, request, allowed: [.query, .mutation]))
    }
}
