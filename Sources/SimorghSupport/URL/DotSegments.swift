// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The path segments `.` and `..`, in every way to write them.
package enum DotSegments {
    /// Returns true if a path has such a segment, even if its dots and slashes are escaped, once or repeatedly.
    ///
    /// `v1...v2` and `a..b.txt` are not such segments. A backslash counts as a slash, and the part of a segment after a
    /// semicolon is ignored, because some servers do so.
    package static func areIn(_ path: Substring.UTF8View) -> Bool {
        // Decides nearly all paths: only a path with a dot at the start of a segment, or with a byte that may hide one,
        // is decoded.
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

    /// Returns an absolute path without them (RFC 3986, section 5.2.4); `%2e` counts as a dot.
    package static func removed(from path: Substring.UTF8View) -> String {
        guard areIn(path) else { return String(Substring(path)) }
        var remaining: [Substring] = []
        // Splits bytes: a slash and a combining mark after it are one character, but still a slash.
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        for (index, bytes) in segments.enumerated() {
            let segment = Substring(bytes)
            let isLast = index == segments.count - 1
            switch segment.lowercased().replacing("%2e", with: ".") {
            case ".":
                if isLast { remaining.append("") }
            case "..":
                _ = remaining.popLast()
                if isLast { remaining.append("") }
            default:
                remaining.append(segment)
            }
        }
        return "/" + remaining.joined(separator: "/")
    }
}
