// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

extension NetworkRouter {
    /// Returns the request that this endpoint describes, to be sent by other means.
    ///
    /// ```swift
    /// let request = try endpoint.asURLRequest()
    /// ```
    /// It does not contain what a client adds when it sends the request: header fields, credentials, cookies.
    ///
    /// - Returns: The request, with encoded parameters.
    /// - Throws: `InvalidRequestError`; also for a relative endpoint, which needs a base URL: see ``asURLRequest(for:)``.
    public func asURLRequest() throws -> URLRequest {
        try URLRequest(self, configuration: APIClient.Configuration())
    }

    /// Returns the request that this endpoint describes, with a client's base URL, query, header fields and encoder.
    ///
    /// - Parameter client: The client; its interceptors, credentials and cookies are not applied.
    /// - Returns: The request.
    /// - Throws: `InvalidRequestError`.
    public func asURLRequest(for client: APIClient) throws -> URLRequest {
        try URLRequest(self, configuration: client.configuration)
    }
}

extension URLRequest {
    fileprivate init(
        _ router: some NetworkRouter, configuration: APIClient.Configuration
    ) throws {
        let settings = APIClient.Settings(
            configuration, transport: NoTransport(), state: PipelineState(), hub: EventBroadcaster())
        var description: CallDescription
        if let request = router as? any NetworkRequest {
            description = try CallDescription(request: request, settings: settings)
        } else {
            description = try CallDescription(router: router, settings: settings)
        }
        guard description.deferredBody == nil else {
            throw InvalidRequestError(
                .encodingFailed, message: "a form with files is streamed: a URLRequest cannot hold it")
        }
        var request = try description.resolved(settings, clientBase: settings.currentBase.url, accept: nil)
        for (name, value) in configuration.headers.sorted(by: { $0.key < $1.key }) {
            let field = try HeaderRules.field(name: name, value: value)
            if !request.head.headerFields.contains(field.name) { request.head.headerFields.append(field) }
        }
        try self.init(request)
    }
}

/// A transport for settings that send nothing.
private struct NoTransport: Transport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        throw TransportError(
            .unsupportedURL, phase: .total, message: "this transport sends no requests", requestMayHaveBeenSent: false)
    }
}
