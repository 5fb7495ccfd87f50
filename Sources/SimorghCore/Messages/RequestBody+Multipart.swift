// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RequestBody {
    /// A form in parts (RFC 7578), put together as it is sent: the files' bytes are not copied.
    ///
    /// - Parameter fields: The fields, in their order.
    /// - Returns: The body, which can be sent again.
    /// - Throws: ``InvalidRequest`` when the type of a file is no valid header value.
    public static func multipart(_ fields: [MultipartFormField]) throws(InvalidRequest) -> RequestBody {
        try multipart(fields, boundary: randomBoundary())
    }

    package static func multipart(
        _ fields: [MultipartFormField], boundary: String
    ) throws(InvalidRequest) -> RequestBody {
        var pieces: [Data] = []
        for field in fields {
            pieces.append(Data("\(pieces.isEmpty ? "" : "\r\n")--\(boundary)\r\n\(try field.head())".utf8))
            pieces.append(field.content)
        }
        pieces.append(Data("\(pieces.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8))
        let chunks = DataChunks(pieces: pieces)
        return RequestBody(
            content: .chunks { chunks.makeAsyncIterator() },
            contentType: "multipart/form-data; boundary=\(boundary)",
            length: Int64(pieces.reduce(0) { $0 + $1.count }),
            replayability: .replayable
        )
    }

    /// A line that no content holds: it is drawn after the content is there, out of more than 2^180 equally likely ones,
    /// so looking through gigabytes for it would find nothing.
    private static func randomBoundary() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return "simorgh-" + String((0..<32).compactMap { _ in letters.randomElement() })
    }
}
