// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// URLs whose host is the path of a Unix socket: `http+unix://%2Frun%2Fbird.sock/nests`.
package enum UnixSocketURL {
    /// The maximum length of a path that every system supports, without its terminating zero.
    package static let maximumPathLength = 103

    /// Returns true for a scheme of Unix sockets, given in lower case.
    package static func isUnixSocket(_ scheme: String) -> Bool {
        // Called for every request; the length alone decides for nearly all schemes.
        scheme.utf8.count > 5 && scheme.hasSuffix("+unix")
    }

    /// Returns true if a scheme, given in lower case, uses TLS, with or without a Unix socket.
    package static func isSecure(_ scheme: String) -> Bool {
        scheme == "https" || scheme == "wss" || scheme == "https+unix"
    }

    /// Returns the path that a host encodes.
    ///
    /// - Parameter host: The host, percent-encoded.
    /// - Returns: The path; `nil` if it is not a valid socket path.
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
        guard (1...maximumPathLength).contains(bytes.count), !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns the canonical encoding of a path as a host.
    package static func host(of path: String) -> String { PercentEncoding.encoded(path, keeping: .unreserved) }
}
