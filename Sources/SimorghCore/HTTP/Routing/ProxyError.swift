// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghSupport

/// An error for a proxy that refused to forward a request: the cause of an error in the phase `connect`.
public struct ProxyError: Error, Sendable, CustomStringConvertible {
    /// The proxy, without credentials.
    public let proxy: String
    /// The response of an HTTP proxy: 407 if it requires credentials.
    public let response: HTTPResponse?
    /// The beginning of the response's body, at most 64 KiB.
    public let body: Data
    /// The reply code of a SOCKS proxy (RFC 1928); `nil` for an HTTP proxy.
    public let socksReply: Int?
    /// A sentence for a person that describes the failure.
    public let message: String

    package init(
        proxy: String, response: HTTPResponse? = nil, body: Data = Data(), socksReply: Int? = nil, message: String
    ) {
        self.proxy = proxy
        self.response = response
        self.body = body
        self.socksReply = socksReply
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
