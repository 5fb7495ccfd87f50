// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension Route {
    /// A body of letters that can be requested in ranges, with a validator.
    package static let ranges: [Route] = [
        Route(.get, path: "/range/{n}") { request in
            guard let count = request.parameter("n", in: 0...maximumLength) else {
                return .error(400, message: "/range/{n} takes 0 to \(maximumLength)")
            }
            let tag = "\"range\(count)\""
            var fields = HTTPFields.octets
            (fields[.acceptRanges], fields[.eTag], fields[.lastModified]) = ("bytes", tag, lastModified)
            if let tags = request.header(.ifNoneMatch), matches(tags, tag: tag) {
                return StubResponse(status: .notModified, headerFields: fields)
            }
            if let tags = request.header(.ifMatch), !matches(tags, tag: tag) {
                return StubResponse(status: .preconditionFailed, headerFields: fields)
            }
            var range = ByteRange.whole
            if let field = request.header(.range), [tag, lastModified].contains(request.header(.ifRange) ?? tag) {
                range = ByteRange(field, length: count)
            }
            switch range {
            case .whole: return .generated(for: request, headerFields: fields, length: count, body: letters(0..<count))
            case .part(let part):
                fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"
                return .generated(
                    for: request, status: .partialContent, headerFields: fields, length: part.count, body: letters(part)
                )
            case .unsatisfiable:
                fields[.contentRange] = "bytes */\(count)"
                return StubResponse(status: .rangeNotSatisfiable, headerFields: fields)
            }
        }
    ]

    private static let lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"

    private static func matches(_ field: String, tag: String) -> Bool {
        field.split(separator: ",").map { String($0.trimmingBlanks) }.contains { $0 == tag || $0 == "*" }
    }

    private static func letters(_ range: Range<Int>) -> WireSteps {
        // The letter depends on the offset, so that a byte shows its position.
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz".utf8)
        let lap = Array([[UInt8]](repeating: alphabet, count: 2521).joined())
        return WireSteps {
            var offset = range.lowerBound
            return {
                guard offset < range.upperBound else { return nil }
                let start = offset % 26
                let count = min(lap.count - start, range.upperBound - offset)
                offset += count
                return .bytes(Data(lap[start..<start + count]))
            }
        }
    }
}
