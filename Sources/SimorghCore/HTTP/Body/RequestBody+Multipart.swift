// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension RequestBody {
    /// A form in parts (RFC 7578), put together as it is sent: files are read then, and no bytes are copied before.
    ///
    /// Its length is known where that of each part is; it can be sent again where each part can. Values in it are encoded
    /// when the request is made, with the encoder of the call. Files are looked at here, each for its length and its type.
    ///
    /// - Parameter fields: The fields, in their order.
    /// - Returns: The body.
    /// - Throws: ``InvalidRequest`` when the type of a file is no valid header value, or a file cannot be read.
    public static func multipart(_ fields: [MultipartFormField]) throws -> RequestBody {
        try form(fields)
    }

    /// As ``multipart(_:)``, with the type of the error.
    package static func form(
        _ fields: [MultipartFormField], boundary: String = randomBoundary()
    ) throws(InvalidRequest) -> RequestBody {
        var pieces: [RequestBody] = []
        for field in fields {
            let (head, content) = try field.part()
            pieces.append(.text("\(pieces.isEmpty ? "" : "\r\n")--\(boundary)\r\n\(head)"))
            pieces.append(content)
        }
        pieces.append(.text("\(pieces.isEmpty ? "" : "\r\n")--\(boundary)--\r\n"))
        return joined(pieces, contentType: "multipart/form-data; boundary=\(boundary)")
    }

    /// Bodies one after the other; a whole once each of them is encoded.
    package static func joined(_ pieces: [RequestBody], contentType: String?) -> RequestBody {
        let chunks = PiecedChunks(pieces: pieces)
        let isEncoded = pieces.allSatisfy(\.isEncoded)
        let replayability = pieces.map(\.replayability).min() ?? .replayable
        return RequestBody(
            content: isEncoded ? .chunks { chunks.makeAsyncIterator() } : .pieces(pieces),
            contentType: contentType,
            length: isEncoded ? chunks.length : nil,
            replayability: min(replayability, .replayable)
        )
    }

    /// A line that no content holds: it is drawn after the content is there, out of more than 2^180 equally likely ones,
    /// so looking through gigabytes for it would find nothing.
    package static func randomBoundary() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return "simorgh-" + String((0..<32).compactMap { _ in letters.randomElement() })
    }
}
