// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// A complete description of one attempt on the wire: the message to send, and the settings for sending it.
///
/// Every ``Interceptor`` of the pipeline receives one and may change it before passing it to the next step; a
/// ``Transport`` receives it last. The head has its scheme, authority and path set, so that no later step builds a
/// URL again.
public struct TransportRequest: Sendable {
    /// The method, the target and the header fields.
    public var head: HTTPRequest
    /// The body to send after the head; ``RequestBody/empty`` by default.
    public var body: RequestBody
    /// The settings for sending the request: timeouts, limits, TLS, and the form of the response body.
    public var options: TransportOptions

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - head: The head, with its scheme, authority and path set.
    ///   - body: The body to send after the head.
    ///   - options: The settings for sending it.
    public init(head: HTTPRequest, body: RequestBody = .empty, options: TransportOptions = TransportOptions()) {
        self.head = head
        self.body = body
        self.options = options
    }

    /// The whole URL as text, built at each access.
    public var urlString: String { head.urlString }
}

extension HTTPRequest {
    /// The whole URL as text, built at each access.
    package var urlString: String { "\(scheme ?? "http")://\(authority ?? "")\(path ?? "/")" }
}
