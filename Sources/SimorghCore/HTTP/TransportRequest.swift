// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// One attempt on the wire, described whole: what to send, and how to carry it.
///
/// The currency of the chain. Every ``Interceptor`` sees one and may change it before handing it on; a ``Transport``
/// gets it last. The head has its scheme, authority and path set, so that no later step builds a URL again.
public struct TransportRequest: Sendable {
    /// The method, the target and the header fields.
    public var head: HTTPRequest
    /// What is sent after the head; ``RequestBody/empty`` by default.
    public var body: RequestBody
    /// How this request is carried: timeouts, limits, TLS, and how its response body is wanted.
    public var options: TransportOptions

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - head: The head, with its scheme, authority and path set.
    ///   - body: What is sent after the head.
    ///   - options: How it is carried.
    public init(head: HTTPRequest, body: RequestBody = .empty, options: TransportOptions = TransportOptions()) {
        self.head = head
        self.body = body
        self.options = options
    }

    /// The whole URL as text, put together anew at each call.
    public var urlString: String { head.urlString }
}

extension HTTPRequest {
    /// The whole URL as text, put together anew at each call.
    package var urlString: String { "\(scheme ?? "http")://\(authority ?? "")\(path ?? "/")" }
}
