// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension RequestBody {
    /// A content coding that compresses a request body.
    @nonexhaustive
    public enum Coding: String, Sendable, Hashable, CaseIterable {
        /// RFC 1952; supported by nearly every server that accepts compressed bodies.
        case gzip
        /// RFC 1950.
        case deflate
    }

    /// Returns the same body, compressed when it is sent.
    ///
    /// Use it only for servers that are known to accept it: the client does not ask first. The engine compresses the
    /// body each time it is sent, so that it can be sent again as before, and sets `Content-Encoding`. A body of up
    /// to 1 MiB in memory is compressed at once and sent with its length. A larger body, a file or a stream is sent
    /// in chunks as it is compressed; of a stream without a known length each chunk is sent as it comes. An empty
    /// body stays unchanged. Progress counts the bytes before compression. A transport that does not support
    /// compression sends the body unchanged.
    /// ```swift
    /// try await client.post("logs", body: .json(lines).compressed())
    /// ```
    /// - Parameter coding: The coding; gzip by default.
    /// - Returns: The body. Compressing it twice has the same effect as compressing it once.
    public func compressed(_ coding: Coding = .gzip) -> RequestBody {
        var body = self
        body.coding = coding
        return body
    }
}
