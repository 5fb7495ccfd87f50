// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// URLs whose host is the path of a Unix socket: `http+unix://%2Frun%2Fbird.sock/nests`.
package enum UnixSocketURL {
    /// The room that every system has for a path, without its closing zero.
    package static let longestPath = 103

    /// Whether a scheme, in small letters, is one of these.
    package static func isUnixSocket(_ scheme: String) -> Bool {
        // This is asked of every request, and nearly all are of schemes that the length alone tells.
        scheme.utf8.count > 5 && scheme.hasSuffix("+unix")
    }

    /// Whether TLS is spoken by a scheme, in small letters, be it one of these or not.
    package static func isSecure(_ scheme: String) -> Bool {
        scheme == "https" || scheme == "wss" || scheme == "https+unix"
    }

    /// The path that a host stands for.
    ///
    /// - Parameter host: The host, percent-encoded.
    /// - Returns: The path; `nil` where the text is none that a socket can have.
    package static func path(of host: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = host.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(PercentEncoding.hexValue),
                    let low = rest.popFirst().flatMap(PercentEncoding.hexValue)
                else { return nil }
                bytes.append(high << 4 | low)
            } else {
                guard ByteSet.unreserved.contains(byte) else { return nil }
                bytes.append(byte)
            }
        }
        guard (1...longestPath).contains(bytes.count), !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// A path as the host of a URL, always written the same way.
    package static func host(of path: String) -> String { PercentEncoding.encoded(path, keeping: .unreserved) }
}
