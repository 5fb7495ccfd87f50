// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

extension Route {
    /// A body of letters that can be asked for in parts, with a validator.
    package static let ranges: [Route] = [
        Route("GET", "/range/{n}") { request in
            guard let count = request.parameter("n", in: 0...maximumLength) else {
                return .error(400, "/range/{n} takes 0 to \(maximumLength)")
            }
            let tag = "\"range\(count)\""
            let fields =
                octets + [
                    (name: "Accept-Ranges", value: "bytes"), (name: "ETag", value: tag),
                    (name: "Last-Modified", value: lastModified),
                ]
            if let tags = request.field("if-none-match"), matches(tags, tag) { return .status(304, fields) }
            if let tags = request.field("if-match"), !matches(tags, tag) { return .status(412, fields) }
            var range = ByteRange.whole
            if let field = request.field("range"), [tag, lastModified].contains(request.field("if-range") ?? tag) {
                range = ByteRange(field, length: count)
            }
            switch range {
            case .whole: return .message(Reply.Message(200, fields, .steps(length: count, letters(0..<count))))
            case .part(let part):
                let content = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"
                return .message(
                    Reply.Message(
                        206, fields + [("Content-Range", content)], .steps(length: part.count, letters(part))))
            case .unsatisfiable: return .status(416, fields + [("Content-Range", "bytes */\(count)")])
            }
        }
    ]

    private static let lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"

    private static func matches(_ field: String, _ tag: String) -> Bool {
        field.split(separator: ",").map { String($0.trimmingBlanks) }.contains { $0 == tag || $0 == "*" }
    }

    private static func letters(_ range: Range<Int>) -> Reply.Steps {
        // One letter for each offset, so that a byte tells where it belongs.
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz".utf8)
        let lap = Array([[UInt8]](repeating: alphabet, count: 2521).joined())
        return Reply.Steps {
            var offset = range.lowerBound
            return {
                guard offset < range.upperBound else { return nil }
                let start = offset % 26
                let count = min(lap.count - start, range.upperBound - offset)
                offset += count
                return .bytes(ByteBuffer(bytes: lap[start..<start + count]))
            }
        }
    }
}
