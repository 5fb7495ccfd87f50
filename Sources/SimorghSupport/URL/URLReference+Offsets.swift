// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension URLReference {
    /// The components of a URL, as byte offsets.
    // Performance: a client without a base URL parses the URL of each request, where substrings would cost too much.
    package struct Offsets {
        package private(set) var scheme: Range<Int>?
        package private(set) var authority: Range<Int>?
        package private(set) var path: Range<Int>
        package private(set) var query: Range<Int>?
        package private(set) var fragment: Range<Int>?

        /// Splits a text into components, as the regular expression of RFC 3986, appendix B, does.
        package init(_ text: UnsafeBufferPointer<UInt8>) {
            let bytes = UnsafeRawBufferPointer(text)
            let end = bytes.firstOffset(of: UInt8(ascii: "#"), in: 0..<bytes.count)
            let mark = bytes.firstOffset(of: UInt8(ascii: "?"), in: 0..<end)
            if end < bytes.count { fragment = end + 1..<bytes.count }
            if mark < end { query = mark + 1..<end }
            path = 0..<mark
            if let first = bytes.first, ByteSet.letters.contains(first) {
                var colon = 1
                while colon < mark, ByteSet.scheme.contains(bytes[colon]) { colon += 1 }
                if colon < mark, bytes[colon] == UInt8(ascii: ":") {
                    scheme = 0..<colon
                    path = colon + 1..<mark
                }
            }
            let start = path.lowerBound + 2
            guard start <= mark, bytes[start - 2] == UInt8(ascii: "/"), bytes[start - 1] == UInt8(ascii: "/")
            else { return }
            let slash = bytes.firstOffset(of: UInt8(ascii: "/"), in: start..<mark)
            authority = start..<slash
            path = slash..<mark
        }

        /// Returns the end of the host in an authority without user information (RFC 3986, section 3.2).
        ///
        /// - Parameter authority: The authority.
        /// - Returns: The offset after the host, which includes the brackets of an IPv6 address. In a valid authority
        ///   the rest is empty, or a colon and the port.
        package static func hostEnd(in authority: UnsafeBufferPointer<UInt8>) -> Int {
            let bytes = UnsafeRawBufferPointer(authority)
            // The colons of an IPv6 address come before its bracket.
            if bytes.first == UInt8(ascii: "[") {
                let bracket = bytes.firstOffset(of: UInt8(ascii: "]"), in: 0..<bytes.count)
                if bracket < bytes.count { return bracket + 1 }
            }
            return bytes.firstOffset(of: UInt8(ascii: ":"), in: 0..<bytes.count)
        }
    }
}
