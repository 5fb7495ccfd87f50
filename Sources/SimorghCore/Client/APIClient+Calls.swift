// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

extension APIClient {
    /// Returns a call to an endpoint.
    ///
    /// The call is not made yet; its value is the response body.
    ///
    /// - Parameter router: The endpoint.
    /// - Returns: The call.
    public func call(_ router: some NetworkRouter) -> Call<Data> {
        Call(client: self, decoding: .data) { settings throws(InvalidRequestError) in
            try CallDescription(router: router, settings: settings)
        }
    }

    /// Returns a call for a request.
    ///
    /// The call is not made yet; its value is the request's response.
    ///
    /// - Parameter request: The request.
    /// - Returns: The call.
    public func call<Request: NetworkRequest>(_ request: Request) -> Call<Request.Response> {
        var decoding = ResponseDecoding<Request.Response> { response, clients in
            if response.body.isEmpty {
                guard let value = try request.emptyResponse(response) else {
                    throw NetworkError.emptyResponse(response)
                }
                return value
            }
            return try request.decodeResponse(response, using: clients)
        }
        decoding.accept = Request.Response.self is any EmptyResponseDecodable.Type ? nil : .codecs
        var call = Call(client: self, decoding: decoding) { settings throws(InvalidRequestError) in
            try CallDescription(request: request, settings: settings)
        }
        if let own = request.jsonDecoder,
            settings.configuration.coding.decoder == nil || !request.allowsResponseDecoderOverride
        {
            call = call.with { $0.coding.decoder = own }
        }
        if !request.allowsRetry {
            call = call.with { $0.neverRetry() }
        } else if let own = request.retryPolicy {
            call = call.with { $0.retry = own }
        }
        call.decodeError = { request.decodeError($0) }
        return call
    }

    /// Returns a call to a path below the base URL.
    ///
    /// The call is not made yet; its value is the response body.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items, appended to the client's.
    ///   - headers: The header fields. They override the client's.
    ///   - body: The body.
    /// - Returns: The call.
    public func call(
        _ method: RequestMethod,
        _ path: String,
        query: QueryItems = QueryItems(),
        headers: [String: String] = [:],
        body: RequestBody = .empty
    ) -> Call<Data> {
        var description = CallDescription(method: method, path: path)
        description.query = query.items
        description.headers = headers
        description.body = body
        return Call(client: self, decoding: .data) { [description] _ in description }
    }

    /// Calls an endpoint and decodes its JSON.
    ///
    /// - Parameter router: The endpoint.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    public func request<Model: Decodable & Sendable>(
        _ router: some NetworkRouter
    ) async throws -> Model {
        try await call(router).decode(Model.self)
    }

    /// Sends a request and returns its response.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: ``NetworkError``.
    public func send<Request: NetworkRequest>(_ request: Request) async throws -> Request.Response {
        try await call(request).value()
    }
}
