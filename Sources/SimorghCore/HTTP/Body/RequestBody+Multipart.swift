// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension RequestBody {
    /// Creates a `multipart/form-data` body (RFC 7578), assembled as it is sent.
    ///
    /// Files are read then, and no bytes are copied before. The length is known if the length of each part is; the
    /// body can be sent again if each part can. Values in it are encoded when the request is made, with the call's
    /// encoder. This function examines each file for its length and its type.
    ///
    /// - Parameter fields: The fields, in order.
    /// - Returns: The body.
    /// - Throws: ``InvalidRequestError`` if the type of a file is not a valid header value, or if a file cannot be read.
    public static func multipart(_ fields: [MultipartFormField]) throws -> RequestBody {
        try form(fields)
    }

    /// Does the same as ``multipart(_:)``, with a typed error.
    package static func form(
        _ fields: [MultipartFormField], boundary: String = randomBoundary()
    ) throws(InvalidRequestError) -> RequestBody {
        var pieces: [RequestBody] = []
        for field in fields {
            let (head, content) = try field.part()
            pieces.append(.text("\(pieces.isEmpty ? "" : "\r\n")--\(boundary)\r\n\(head)"))
            pieces.append(content)
        }
        pieces.append(.text("\(pieces.isEmpty ? "" : "\r\n")--\(boundary)--\r\n"))
        return joined(pieces, contentType: "multipart/form-data; boundary=\(boundary)")
    }

    /// Concatenates bodies; the result is encoded if each of them is, else it is encoded with the request.
    package static func joined(_ pieces: [RequestBody], contentType: String?) -> RequestBody {
        let chunks = ConcatenatedChunks(pieces: pieces)
        let isEncoded = pieces.allSatisfy(\.isEncoded)
        let replayability = pieces.map(\.replayability).min() ?? .replayable
        return RequestBody(
            content: isEncoded ? .chunks { chunks.makeAsyncIterator() } : .pieces(pieces),
            contentType: contentType,
            length: isEncoded ? chunks.length : nil,
            replayability: min(replayability, .replayable)
        )
    }

    /// Returns a boundary that the content does not contain.
    ///
    /// It is drawn after the content exists, out of more than 2^180 equally likely values, so searching gigabytes of
    /// content for it would find nothing.
    package static func randomBoundary() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return "simorgh-" + String((0..<32).compactMap { _ in letters.randomElement() })
    }
}
