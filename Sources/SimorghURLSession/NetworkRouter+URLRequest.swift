// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

extension NetworkRouter {
    /// The request that this endpoint describes, for whoever sends it by other means.
    ///
    /// ```swift
    /// let request = try endpoint.asURLRequest()
    /// ```
    /// What a client adds when it sends it (its fields, credentials, cookies) is not in it.
    ///
    /// - Returns: The request, its parameters encoded.
    /// - Throws: `InvalidRequest`; also for a relative endpoint, for which ``asURLRequest(for:)`` has the client's base URL.
    public func asURLRequest() throws -> URLRequest {
        try URLRequest(self, APIClient.Configuration())
    }

    /// The request that this endpoint describes, with a client's base URL, query, header fields and encoder.
    ///
    /// - Parameter client: The client; its steps (credentials, cookies, interceptors) are not run.
    /// - Returns: The request.
    /// - Throws: `InvalidRequest`.
    public func asURLRequest(for client: APIClient) throws -> URLRequest {
        try URLRequest(self, client.configuration)
    }
}

extension URLRequest {
    fileprivate init(
        _ router: some NetworkRouter, _ configuration: APIClient.Configuration
    ) throws {
        var description: CallDescription
        if let request = router as? any NetworkRequest {
            description = try CallDescription(request: request, encoder: configuration.coding.encoder)
        } else {
            description = try CallDescription(router: router, encoder: configuration.coding.encoder)
        }
        guard description.lateBody == nil else {
            throw InvalidRequest(
                .encodingFailed, "a form with files is read as it is sent: a URLRequest cannot hold it")
        }
        let settings = APIClient.Settings(configuration, transport: NoTransport(), state: ChainState(), hub: EventHub())
        var request = try description.resolved(settings, settings.currentBase.url, accept: nil)
        for (name, value) in configuration.headers.sorted(by: { $0.key < $1.key }) {
            let field = try HeaderRules.field(name: name, value: value)
            if !request.head.headerFields.contains(field.name) { request.head.headerFields.append(field) }
        }
        try self.init(request)
    }
}

/// For settings that nothing is sent with.
private struct NoTransport: Transport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        throw TransportError(
            .unsupportedURL, phase: .total, message: "nothing is sent here", requestMayHaveBeenSent: false)
    }
}
