// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import SimorghTesting

/// A path of a document, such as `/users/{id}` or `/files/{name}.json`.
struct OpenAPIPath: Sendable {
    private enum Piece: Sendable {
        case literal(String)
        case placeholder(String)
    }

    let template: String
    /// The path item, without a reference.
    let item: JSON
    private let segments: [[Piece]]
    private static let methodNames = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    init(_ template: String, item: JSON) {
        self.template = template
        self.item = item
        segments = PathPattern.split(template).map { Self.pieces(of: $0) }
    }

    /// The number of segments without a placeholder: of several matching paths, the one with the most counts.
    var rank: Int {
        segments.count { segment in
            segment.allSatisfy { if case .literal = $0 { true } else { false } }
        }
    }

    /// The number of literal characters: of several matching paths with the same rank, the one with the most counts.
    var literals: Int {
        segments.joined().reduce(0) { count, piece in
            if case .literal(let text) = piece { count + text.count } else { count }
        }
    }

    /// The methods of the path, in lowercase.
    var methods: [String] { Self.methodNames.filter { !item[$0].isNull } }

    /// Returns the decoded texts of the placeholders; `nil` if the path does not match.
    func match(_ path: String) -> [String: String]? {
        let parts = PathPattern.split(path)
        guard parts.count == segments.count else { return nil }
        var found: [String: String] = [:]
        for (segment, part) in zip(segments, parts) {
            guard Self.match(segment, text: PercentEncoding.decodedText(part), found: &found) else { return nil }
        }
        return found
    }

    private static func pieces(of segment: Substring) -> [Piece] {
        var pieces: [Piece] = []
        var rest = segment
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { pieces.append(.literal(PercentEncoding.decodedText(rest[..<open]))) }
            pieces.append(.placeholder(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty || pieces.isEmpty { pieces.append(.literal(PercentEncoding.decodedText(rest))) }
        return pieces
    }

    /// Matches a segment from left to right: a placeholder takes the text up to the next literal, at least one
    /// character; the last one takes the rest.
    private static func match(_ pieces: [Piece], text: String, found: inout [String: String]) -> Bool {
        var rest = text[...]
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let literal):
                guard rest.hasPrefix(literal) else { return false }
                rest = rest.dropFirst(literal.count)
            case .placeholder(let name):
                var end = rest.endIndex
                if index + 1 < pieces.count, case .literal(let next) = pieces[index + 1] {
                    let isLast = index + 2 == pieces.count
                    guard
                        let position = isLast
                            ? lastIndex(of: next, in: rest) : rest.firstRange(of: next)?.lowerBound
                    else { return false }
                    end = position
                }
                guard end > rest.startIndex else { return false }
                found[name] = String(rest[..<end])
                rest = rest[end...]
            }
        }
        return rest.isEmpty
    }

    private static func lastIndex(of suffix: String, in text: Substring) -> Substring.Index? {
        text.hasSuffix(suffix) ? text.index(text.endIndex, offsetBy: -suffix.count) : nil
    }
}
