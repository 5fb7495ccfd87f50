// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A position in a JSON document, which is not decoded, so that numbers keep their digits.
package struct JSONCursor {
    /// The result of a step into an object or an array.
    package enum Step: Equatable {
        /// The cursor is at the value.
        case found
        /// There is no such member, or the index is the next one of the array: a value can be inserted at the offset.
        case missing(offset: Int, isFirst: Bool)
        /// The value has no such member or element, and none can be inserted there.
        case impossible
    }

    private let bytes: [UInt8]
    private var tokens: JSONTokenizer
    /// The first token of the current value.
    private var token: JSONTokenizer.Token

    /// Creates a cursor at the whole document; `nil` for an empty or malformed one.
    package init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        tokens = JSONTokenizer(bytes[...], maximumDepth: 512)
        guard let first = try? tokens.next() else { return nil }
        token = first
    }

    /// The offset of the current value.
    package var start: Int { token.range.lowerBound }

    /// True if the current value is `null`.
    package var isNull: Bool { token.kind == .literal && bytes[start] == UInt8(ascii: "n") }

    /// True if the current value is an array.
    package var isArray: Bool { token.kind == .opening && bytes[start] == UInt8(ascii: "[") }

    /// Moves to a member or an element; of members with the same name to the first, as `JSONDecoder` reads it.
    ///
    /// - Parameter component: The name, or the index without sign and leading zeros.
    /// - Returns: The result. After any other than `found` the cursor cannot move.
    package mutating func descend(to component: Substring) -> Step {
        guard token.kind == .opening else { return .impossible }
        return isArray ? descend(toElement: component) : descend(toMember: component)
    }

    /// Returns the range of the current value, after which the cursor cannot move; `nil` if the document is malformed.
    package mutating func range() -> Range<Int>? {
        guard token.kind == .opening else { return token.range }
        let depth = tokens.depth
        while tokens.depth >= depth { guard (try? tokens.next()) != nil else { return nil } }
        return start..<tokens.position
    }

    /// Returns the index that a component of a path means; `nil` for a name.
    package static func index(_ component: Substring) -> Int? {
        guard let index = Int(component), index >= 0, String(index) == component else { return nil }
        return index
    }

    private mutating func descend(toMember name: Substring) -> Step {
        let depth = tokens.depth
        var isFirst = true
        while let next = try? tokens.next() {
            guard tokens.depth >= depth else { return .missing(offset: next.range.lowerBound, isFirst: isFirst) }
            isFirst = false
            guard next.kind == .name, tokens.depth == depth, (text(next) ?? "") == name else { continue }
            // The colon, then the value.
            guard (try? tokens.next()) != nil, let value = try? tokens.next() else { return .impossible }
            token = value
            return .found
        }
        return .impossible
    }

    private mutating func descend(toElement component: Substring) -> Step {
        guard let wanted = Self.index(component) else { return .impossible }
        let depth = tokens.depth
        var (index, isFirst) = (0, true)
        while let next = try? tokens.next() {
            guard tokens.depth >= depth else {
                guard wanted == (isFirst ? 0 : index + 1) else { return .impossible }
                return .missing(offset: next.range.lowerBound, isFirst: isFirst)
            }
            isFirst = false
            if next.kind == .comma, tokens.depth == depth {
                index += 1
            } else if index == wanted {
                token = next
                return .found
            }
        }
        return .impossible
    }

    /// Returns the text of a quoted name.
    private func text(_ name: JSONTokenizer.Token) -> String? {
        let quoted = bytes[name.range]
        guard quoted.contains(UInt8(ascii: "\\")) else {
            return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: Data(quoted))
    }
}
