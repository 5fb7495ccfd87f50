// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

extension Response {
    /// Returns a file, or the requested range of it, so that a browser can play a film from its middle.
    ///
    /// The body is sent in pieces, as fast as the browser reads: a file may be larger than the memory.
    ///
    /// - Parameters:
    ///   - file: The location of the file.
    ///   - name: A unique name of the file, in characters that an entity tag may contain.
    ///   - fields: Additional header fields.
    ///   - request: The browser's request.
    ///   - context: The context of the request.
    /// - Returns: The response.
    /// - Throws: `HTTPError` if the file does not exist.
    static func file(
        _ file: URL, named name: String, fields: HTTPFields, to request: Request, context: BasicRequestContext
    ) async throws -> Response {
        let whole = try await FileIO().loadFile(path: file.path, context: context)
        let count = whole.contentLength ?? 0
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        let changed = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        let tag = "\"\(name)-\(count)-\(changed)\""
        var headers = fields
        headers[.acceptRanges] = "bytes"
        headers[.eTag] = tag
        // A client with a range of another version, or with a date as validator, gets the whole file.
        let isSame = (request.headers[.ifRange] ?? tag) == tag
        switch ByteRange(isSame ? request.headers[.range] : nil, of: count) {
        case .whole:
            return Response(status: .ok, headers: headers, body: whole)
        case .part(let range):
            let last = range.upperBound - 1
            headers[.contentRange] = "bytes \(range.lowerBound)-\(last)/\(count)"
            let part = try await FileIO().loadFile(path: file.path, range: range.lowerBound...last, context: context)
            return Response(status: .partialContent, headers: headers, body: part)
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(count)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }
}
