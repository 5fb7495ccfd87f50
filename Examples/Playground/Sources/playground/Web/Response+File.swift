// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

extension Response {
    /// A file, or the part of it that is asked for, so that a browser can show a film from its middle.
    ///
    /// It goes out in pieces, as fast as the browser takes them: a file may be larger than the memory.
    ///
    /// - Parameters:
    ///   - file: Where it is.
    ///   - name: What tells it from every other file, in characters that an entity tag may hold.
    ///   - fields: What else is said of it.
    ///   - request: The browser's request.
    ///   - context: What the request is answered in.
    /// - Returns: The response.
    /// - Throws: `HTTPError`, where the file is not there.
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
        // Whoever has a part of another version, or knows it by a date alone, gets the whole.
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
