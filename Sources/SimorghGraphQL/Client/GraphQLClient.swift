// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghRealtime
import SimorghSupport
import Synchronization

/// A client for one GraphQL server: queries and mutations over HTTP, and subscriptions over a transport of your choice.
///
/// ```swift
/// let shop = client.graphQL("graphql")
/// let response: GraphQLResponse<JSON> = try await shop.query("{ bird(id: 7) { name } }")
/// print(response.data?["bird"]["name"] ?? "none", response.errors)
/// ```
/// Data with errors is a result: ``/SimorghRealtime/GraphQLResponse/value()`` throws if there are errors. Every request
/// is a call of the ``/SimorghCore/APIClient``: with its header fields, credentials, interceptors, retries and limits.
/// Retries repeat queries, whatever their method, but a mutation only as far as the retry policy allows it for a POST.
public final class GraphQLClient: Sendable {
    /// The options.
    public let options: GraphQLOptions
    /// The path below the base URL, or an absolute URL if the client has no base URL.
    public let path: String
    package let client: APIClient
    private let headers: [String: String]
    private let persistedQueries = PersistedQuerySupport()
    private let socket = Mutex<SubscriptionClient<GraphQLTransportProtocol>?>(nil)

    package init(client: APIClient, path: String, headers: [String: String], options: GraphQLOptions) {
        self.client = client
        self.path = path
        self.headers = headers
        self.options = options
    }

    /// Sends a query.
    ///
    /// - Parameters:
    ///   - operation: The query.
    ///   - variables: The values of the variables, as a value that encodes as an object. Default: those of the operation.
    ///   - type: The type of the `data` of the response.
    /// - Returns: The response, with data, errors or both.
    /// - Throws: ``/SimorghCore/NetworkError``. A document with another operation than a query is not sent.
    public func query<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation, variables: (any Encodable & Sendable)? = nil, as type: Value.Type = Value.self
    ) async throws -> GraphQLResponse<Value> {
        try await call(operation, variables: variables, uploads: [], only: .query, as: type).value()
    }

    /// Sends a mutation.
    ///
    /// - Parameters:
    ///   - operation: The mutation.
    ///   - variables: The values of the variables, as a value that encodes as an object. Default: those of the operation.
    ///   - uploads: The files for variables of the type `Upload`. Default: none.
    ///   - type: The type of the `data` of the response.
    /// - Returns: The response, with data, errors or both.
    /// - Throws: ``/SimorghCore/NetworkError``. A document with another operation than a mutation is not sent.
    public func mutate<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation, variables: (any Encodable & Sendable)? = nil, uploads: [GraphQLUpload] = [],
        as type: Value.Type = Value.self
    ) async throws -> GraphQLResponse<Value> {
        try await call(operation, variables: variables, uploads: uploads, only: .mutation, as: type).value()
    }

    /// Returns a call for a query or a mutation.
    ///
    /// The call is not made yet. Use it to change the settings of one call, or to get the response with its status and
    /// header fields. Add to its `interceptors` instead of replacing them if the client uses persisted queries, and do
    /// not replace its encoder. A `retry` policy that replaces the client's repeats a query only if it repeats a POST.
    ///
    /// - Parameters:
    ///   - operation: The query or the mutation.
    ///   - variables: The values of the variables, as a value that encodes as an object. Default: those of the operation.
    ///   - uploads: The files for variables of the type `Upload`. Default: none.
    ///   - type: The type of the `data` of the response.
    /// - Returns: The call.
    public func call<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation, variables: (any Encodable & Sendable)? = nil, uploads: [GraphQLUpload] = [],
        as type: Value.Type = Value.self
    ) -> Call<GraphQLResponse<Value>> {
        call(operation, variables: variables, uploads: uploads, only: nil, as: type)
    }

    private func call<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation, variables: (any Encodable & Sendable)?, uploads: [GraphQLUpload],
        only kind: GraphQLDocument.Kind?, as type: Value.Type
    ) -> Call<GraphQLResponse<Value>> {
        var request = makeRequest(operation, variables: variables, accept: GraphQLResponseRules.accept)
        request.uploads = uploads
        let allowed: Set<GraphQLDocument.Kind> = kind.map { [$0] } ?? [.query, .mutation]
        return call(request, allowed: allowed, decoding: .graphQL(type, client.configuration))
    }

    /// Returns a call for a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - allowed: The kinds of operations that are sent. A document that is not understood is always sent, so that
    ///     the server describes its fault.
    ///   - decoding: The decoding.
    /// - Returns: The call.
    package func call<Output: Sendable>(
        _ request: GraphQLRequestDescription, allowed: Set<GraphQLDocument.Kind>, decoding: ResponseDecoding<Output>
    ) -> Call<Output> {
        var request = request
        // Only queries: a response to the hash of a mutation may be one of an executed mutation.
        let usesHash =
            options.usesPersistedQueries && request.kind == .query && request.uploads.isEmpty
            && !persistedQueries.isRefused
        request.sendsHash = usesHash
        let configuration = client.configuration
        let call = Call(client: client, decoding: decoding) { [request] settings throws(InvalidRequestError) in
            if let kind = request.kind, !allowed.contains(kind) {
                let expected = allowed.map(\.rawValue).sorted().joined(separator: " or a ")
                throw InvalidRequestError(
                    .invalidOperation, message: "the operation is a \(kind.rawValue), expected a \(expected)")
            }
            guard request.uploads.isEmpty || request.uploads.count <= request.options.maximumUploads else {
                throw InvalidRequestError(
                    .invalidOperation,
                    message: "\(request.uploads.count) files exceed the limit of \(request.options.maximumUploads)")
            }
            return try request.callDescription(settings)
        }
        let repeats = request.kind != nil && request.kind != .mutation && configuration.retry != nil
        let credentials = request.credentialNames
        guard repeats || usesHash || !credentials.isEmpty else { return call }
        return call.with { configuration in
            if !credentials.isEmpty { configuration.userInfo[CredentialFields.self].formUnion(credentials) }
            if repeats { configuration.retry?.retryableMethods.insert(.post) }
            guard usesHash else { return }
            let exchange = PersistedQueryExchange(
                request: request, server: persistedQueries, encoder: configuration.coding.encoder ?? Coders.encoder,
                limit: configuration.maximumCollectedBytes, errorLimit: configuration.maximumErrorBodyBytes)
            // Outermost, so that both requests pass all steps of the client.
            configuration.interceptors.insert(
                Interceptor { request, next in try await exchange.send(request, next: next) }, at: 0)
        }
    }

    /// Ends all subscriptions over the WebSocket, and disconnects.
    ///
    /// A later subscription connects again. Releasing the client has the same effect, without waiting.
    public func disconnect() async {
        let current = socket.withLock { $0.take() }
        await current?.disconnect()
    }

    /// Returns the request for an operation.
    package func makeRequest(
        _ operation: GraphQLOperation, variables: (any Encodable & Sendable)?, accept: String
    ) -> GraphQLRequestDescription {
        var request = GraphQLRequestDescription(
            GraphQLRequestContent(operation, variables: variables),
            kind: GraphQLDocument(operation.query).kind(named: operation.operationName), path: path, accept: accept,
            options: options)
        request.headers = headers
        return request
    }

    /// Returns the client of the WebSocket, which all subscriptions share.
    package func socket(
        _ subprotocol: GraphQLTransportProtocol?, _ options: SubscriptionOptions
    ) -> SubscriptionClient<GraphQLTransportProtocol> {
        socket.withLock { socket in
            if let socket { return socket }
            let made = client.subscriptions(over: subprotocol ?? defaultSocketProtocol, options: options)
            socket = made
            return made
        }
    }

    /// The subprotocol `graphql-transport-ws` at the URL of this client.
    private var defaultSocketProtocol: GraphQLTransportProtocol {
        // The client adds its query items when it opens the WebSocket.
        let settings = client.with { $0.query = QueryItems() }.settings
        let request = try? CallDescription(method: .get, path: path)
            .resolved(settings, clientBase: settings.currentBase.url, accept: nil)
        let url = request?.head.urlString ?? path
        var subprotocol = GraphQLTransportProtocol(url: url.hasPrefix("http") ? "ws" + url.dropFirst(4) : url)
        subprotocol.headers = headers
        return subprotocol
    }
}
