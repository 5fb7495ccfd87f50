// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore

extension TransportRequest {
    /// A body in memory up to this size is compressed at once, and sent with its length.
    private static let largestAtOnce = 1024 * 1024

    /// The request with its body as it goes out: compressed, where that was asked for.
    ///
    /// - Returns: The request, changed only where its body has a coding and a byte.
    /// - Throws: `TransportError` where the caller's own fields contradict that.
    package func withCodedBody() throws(TransportError) -> TransportRequest {
        guard let coding = body.coding, !body.isEmpty, body.length != 0, body.isEncoded else { return self }
        guard !head.headerFields.contains(.contentEncoding) else {
            throw .invalid(
                .invalidHeader, "the body is to be compressed, and the field Content-Encoding says that it is already")
        }
        guard !head.headerFields.contains(.contentLength) else {
            throw .invalid(.invalidHeader, "nobody knows the length of a body that is to be compressed: leave it out")
        }
        var request = self
        request.head.headerFields[.contentEncoding] = coding.rawValue
        if let bytes = body.bytes, bytes.count <= Self.largestAtOnce {
            do {
                request.body = .bytes(try Deflater(coding).compress(bytes, .end), contentType: body.contentType)
            } catch {
                throw .invalid(.encodingFailed, "\(error)")
            }
            request.body.trailers = body.trailers
            return request
        }
        let plain = body
        request.body = RequestBody(
            content: .chunks { DeflatedChunks(plain.makeChunks(), coding, isLive: plain.length == nil) },
            contentType: body.contentType, length: nil, replayability: body.replayability)
        request.body.trailers = body.trailers
        return request
    }
}
