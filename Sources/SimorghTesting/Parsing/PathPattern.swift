// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A path with placeholders: `{name}` matches one segment, a final `*` matches any number of remaining segments.
package struct PathPattern: Hashable, Sendable, CustomStringConvertible {
    private enum Segment: Hashable, Sendable {
        case exactly(String)
        case placeholder(String)
        case rest
    }

    package let description: String
    private let segments: [Segment]

    package init(_ text: String) {
        description = text
        let parts = Self.split(text)
        segments = parts.enumerated().map { index, part in
            if part == "*", index == parts.count - 1 { return .rest }
            if part.hasPrefix("{"), part.hasSuffix("}"), part.count > 2 {
                return .placeholder(String(part.dropFirst().dropLast()))
            }
            return .exactly(String(part))
        }
    }

    /// The specificity of the pattern.
    package var rank: MatchResult.Rank {
        var rank = MatchResult.Rank()
        rank.isWhole = true
        for segment in segments {
            switch segment {
            case .exactly: rank.exact += 1
            case .placeholder: (rank.isOpen, rank.placeholders) = (true, rank.placeholders + 1)
            case .rest: (rank.isOpen, rank.isWhole) = (true, false)
            }
        }
        // Literal paths all have the same rank.
        return rank.isOpen ? rank : MatchResult.Rank()
    }

    /// Returns the segments that match the placeholders, percent-decoded, and the rest under `*`, not decoded; `nil` if
    /// the path does not match.
    ///
    /// Literal segments are compared without decoding.
    package func match(_ path: String) -> [String: String]? { match(Self.split(path)) }

    /// Matches a path that is already split, so that a router splits it once for many patterns.
    package func match(_ parts: [Substring]) -> [String: String]? {
        var found: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .rest:
                found["*"] = parts.dropFirst(index).joined(separator: "/")
                return found
            case .exactly(let text):
                guard index < parts.count, parts[index] == text else { return nil }
            case .placeholder(let name):
                guard index < parts.count, !parts[index].isEmpty else { return nil }
                found[name] = PercentEncoding.decodedText(parts[index])
            }
        }
        return parts.count == segments.count ? found : nil
    }

    /// Returns the segments after the leading slash.
    ///
    /// A trailing slash results in an empty last segment.
    package static func split(_ path: String) -> [Substring] {
        let segments = path.cut(at: "/")
        return segments.count > 1 && segments[0].isEmpty ? Array(segments.dropFirst()) : segments
    }
}
