// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Descriptions of system errors.
package enum ErrnoText {
    private static let names: [CInt: String] = [
        EACCES: "EACCES", EADDRINUSE: "EADDRINUSE", EADDRNOTAVAIL: "EADDRNOTAVAIL", EAGAIN: "EAGAIN", EBADF: "EBADF",
        ECONNABORTED: "ECONNABORTED", ECONNREFUSED: "ECONNREFUSED", ECONNRESET: "ECONNRESET",
        EHOSTDOWN: "EHOSTDOWN", EHOSTUNREACH: "EHOSTUNREACH", EINTR: "EINTR", EINVAL: "EINVAL", EIO: "EIO",
        EMFILE: "EMFILE", ENETDOWN: "ENETDOWN", ENETRESET: "ENETRESET", ENETUNREACH: "ENETUNREACH", ENFILE: "ENFILE",
        ENOBUFS: "ENOBUFS", ENOENT: "ENOENT", ENOMEM: "ENOMEM", ENOSPC: "ENOSPC", ENOTCONN: "ENOTCONN", EPERM: "EPERM",
        EPIPE: "EPIPE", ETIMEDOUT: "ETIMEDOUT",
    ]

    /// Returns the system's text for an error with its name, such as `Connection reset by peer (ECONNRESET)`.
    ///
    /// - Parameter code: The `errno` value.
    /// - Returns: The text; it contains the number if the name is unknown.
    package static func of(_ code: CInt) -> String {
        "\(String(cString: strerror(code))) (\(names[code] ?? "errno \(code)"))"
    }
}
