// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghRealtime

extension TransportRequest {
    /// The maximum size of a body in memory that is compressed at once and sent with its length, in bytes.
    private static let maximumSizeAtOnce = 1024 * 1024

    /// Returns the request with its body compressed, if that is requested.
    ///
    /// - Returns: The request; changed only if its body has a coding and is not empty.
    /// - Throws: `TransportError` if the caller's own header fields contradict that.
    package func withCodedBody() throws(TransportError) -> TransportRequest {
        guard let coding = body.coding, !body.isEmpty, body.length != 0, body.isEncoded else { return self }
        guard !head.headerFields.contains(.contentEncoding) else {
            throw .invalid(
                .invalidHeader,
                message: "the body is to be compressed, but the request already has a Content-Encoding field")
        }
        guard !head.headerFields.contains(.contentLength) else {
            throw .invalid(.invalidHeader, message: "the length of a compressed body is not known: omit Content-Length")
        }
        var request = self
        request.head.headerFields[.contentEncoding] = coding.rawValue
        if let bytes = body.bytes, bytes.count <= Self.maximumSizeAtOnce {
            do {
                request.body = .bytes(
                    try ZlibCompressor(coding).compress(bytes, flush: .end), contentType: body.contentType)
            } catch {
                throw .invalid(.encodingFailed, message: "\(error)")
            }
            request.body.trailers = body.trailers
            return request
        }
        let plain = body
        request.body = RequestBody(
            content: .chunks { CompressedChunks(plain.makeChunks(), coding: coding, isLive: plain.length == nil) },
            contentType: body.contentType, length: nil, replayability: body.replayability)
        request.body.trailers = body.trailers
        return request
    }
}
