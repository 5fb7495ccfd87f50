// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Segments that mean "here" and "one up", and every way to write them.
package enum DotSegments {
    /// Whether a path has such a segment, however its dots and slashes are escaped, and however often.
    ///
    /// `v1...v2` and `a..b.txt` have none. A backslash counts as a slash and what follows a semicolon is left aside,
    /// because there are servers that read them so.
    package static func areIn(_ path: Substring.UTF8View) -> Bool {
        // Nearly every path is settled by this; only a dot that begins a segment, or what may hide one, is decoded.
        let isSuspect = PercentEncoding.withBytes(of: path) { bytes in
            var last = UInt8(ascii: "/")
            for byte in bytes {
                if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") { return true }
                if byte == UInt8(ascii: "."), last == UInt8(ascii: "/") { return true }
                last = byte
            }
            return false
        }
        return isSuspect && areIn(decoded: PercentEncoding.decodedThroughout(path))
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
        // By bytes: a slash and the mark that follows it are one character, and still a slash.
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        for (index, bytes) in segments.enumerated() {
            let segment = Substring(bytes)
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
