// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Segments that mean "here" and "one up", and every way to write them.
package enum DotSegments {
    /// Whether a path has such a segment, however its dots and slashes are escaped, and however often.
    ///
    /// `v1...v2` and `a..b.txt` have none. A backslash counts as a slash and what follows a semicolon is left aside,
    /// because there are servers that read them so.
    package static func areIn(_ path: Substring.UTF8View) -> Bool {
        var startsSegment = true
        for byte in path {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "\\"):
                return areIn(decoded: PercentEncoding.decodedThroughout(path))
            case UInt8(ascii: ".") where startsSegment:
                return areIn(decoded: PercentEncoding.decodedThroughout(path))
            default:
                startsSegment = byte == UInt8(ascii: "/")
            }
        }
        return false
    }

    private static func areIn(decoded path: [UInt8]) -> Bool {
        path.split(omittingEmptySubsequences: true) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            .contains { segment in
                let name = segment.prefix { $0 != UInt8(ascii: ";") }
                return (1...2).contains(name.count) && name.allSatisfy { $0 == UInt8(ascii: ".") }
            }
    }

    /// An absolute path without them, as RFC 3986, section 5.2.4, removes them; `%2e` is a dot here.
    package static func removed(from path: Substring.UTF8View) -> String {
        guard areIn(path) else { return String(Substring(path)) }
        var kept: [Substring] = []
        let segments = Substring(path).split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment.lowercased().replacing("%2e", with: ".") {
            case ".":
                if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
