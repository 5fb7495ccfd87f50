// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension APIClient {
    /// Calls an endpoint and returns as soon as the head of an accepted response has arrived.
    ///
    /// - Parameter router: The endpoint.
    /// - Returns: The response; its body is still arriving.
    /// - Throws: ``NetworkError``; see ``Call/stream()``.
    public func stream(_ router: some NetworkRouter) async throws -> StreamingResponse {
        try await call(router).stream()
    }

    /// Makes a request and returns as soon as the head of an accepted response has arrived.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response; its body is still arriving.
    /// - Throws: ``NetworkError``; see ``Call/stream()``.
    public func stream(_ request: some NetworkRequest) async throws -> StreamingResponse {
        try await call(request).stream()
    }

    /// Calls a path and returns as soon as the head of an accepted response has arrived.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: The header fields. They override the client's.
    ///   - body: The body of the request.
    /// - Returns: The response; its body is still arriving.
    /// - Throws: ``NetworkError``; see ``Call/stream()``.
    public func stream(
        _ method: RequestMethod,
        _ path: String,
        query: QueryItems = QueryItems(),
        headers: [String: String] = [:],
        body: RequestBody = .empty
    ) async throws -> StreamingResponse {
        try await call(method, path, query: query, headers: headers, body: body).stream()
    }

    /// Returns the values that an endpoint streams, each decoded as soon as its last byte has arrived.
    ///
    /// ```swift
    /// for try await token: Token in client.asyncStreamRequest(Chat(prompt)) { print(token.text, terminator: "") }
    /// ```
    /// The values can be framed as NDJSON, as server-sent events with JSON data (`[DONE]` ends them, as language
    /// models do), as an RFC 7464 sequence, or as one array under `application/json`. The media type decides; if it
    /// does not, the first byte does.
    /// - Parameters:
    ///   - router: The endpoint.
    ///   - type: The model of a value.
    ///   - limit: The largest value to accept, in bytes. Default: 1 MiB.
    /// - Returns: A cold sequence of values: each iteration calls the endpoint.
    public func asyncStreamRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter, as type: Model.Type = Model.self, limit: Int = 1024 * 1024
    ) -> StreamedElements<JSONRecords<Model>> {
        call(router).streaming { $0.values(as: type, limit: limit) }
    }
}
