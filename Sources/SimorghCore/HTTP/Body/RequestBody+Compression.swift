// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension RequestBody {
    /// How a body is made smaller on the wire.
    @nonexhaustive
    public enum Coding: String, Sendable, Hashable, CaseIterable {
        /// RFC 1952, which nearly every server that takes compressed bodies knows.
        case gzip
        /// RFC 1950.
        case deflate
    }

    /// The same body, compressed when it is sent.
    ///
    /// Only for servers that are known to take it: there is no asking before. The engine compresses each time the body goes
    /// out, so that it can be sent again as before, and sets `Content-Encoding`. A body of up to 1 MiB in memory is
    /// compressed at once and sent with its length; a larger one, a file or a stream goes out in chunks, as it is
    /// compressed, and each chunk of a stream without a known length as it comes. A body without a byte stays as it is.
    /// Progress counts the bytes before they are compressed. A transport that does not know of it sends the body as it is.
    ///
    /// ```swift
    /// try await client.post("logs", body: .json(lines).compressed())
    /// ```
    /// - Parameter coding: How; gzip by default.
    /// - Returns: The body. Compressing it twice is compressing it once.
    public func compressed(_ coding: Coding = .gzip) -> RequestBody {
        var body = self
        body.coding = coding
        return body
    }
}
