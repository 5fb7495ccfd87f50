// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghSupport

/// A proxy that does not let a request through: the cause of an error in the phase `connect`.
public struct ProxyRefusal: Error, Sendable, CustomStringConvertible {
    /// The proxy, without credentials.
    public let proxy: String
    /// What it answered, where HTTP is spoken with it: 407 where it wants credentials.
    public let response: HTTPResponse?
    /// The beginning of the answer's body, 64 KiB at most.
    public let body: Data
    /// What SOCKS answered, a number from RFC 1928; `nil` where HTTP is spoken.
    public let socksReply: Int?
    /// What happened, in a sentence for a person.
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
