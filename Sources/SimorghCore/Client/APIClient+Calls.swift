// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

extension APIClient {
    /// A call of an endpoint, not yet made; its value is the body.
    ///
    /// - Parameter router: The endpoint.
    /// - Returns: The call.
    public func call(_ router: some NetworkRouter) -> Call<Data> {
        Call(client: self, decoding: .data) { settings throws(InvalidRequest) in
            try CallDescription(router: router, encoder: settings.configuration.coding.encoder)
        }
    }

    /// A call of a request, not yet made; its value is the request's response.
    ///
    /// - Parameter request: The request.
    /// - Returns: The call.
    public func call<Request: NetworkRequest>(_ request: Request) -> Call<Request.Response> {
        let accept = Request.Response.self is any EmptyResponseDecodable.Type ? nil : "application/json"
        let decoding = ResponseDecoding<Request.Response>(accept: accept) { response, clients in
            if response.body.isEmpty {
                guard let value = try request.emptyResponse(response) else {
                    throw NetworkError.emptyResponse(response)
                }
                return value
            }
            return try request.decodeResponse(response, using: clients)
        }
        var call = Call(client: self, decoding: decoding) { settings throws(InvalidRequest) in
            try CallDescription(request: request, encoder: settings.configuration.coding.encoder)
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

    /// A call of a path below the base URL, not yet made; its value is the body.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path; a whole URL where the client has no base URL.
    ///   - query: The query's fields, after the client's.
    ///   - headers: Header fields; they win over the client's.
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

    /// Calls a request and gives its response.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: ``NetworkError``.
    public func send<Request: NetworkRequest>(_ request: Request) async throws -> Request.Response {
        try await call(request).value()
    }
}
