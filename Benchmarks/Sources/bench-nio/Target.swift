// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The target of an `http://host:port/path` URL.
struct Target: Sendable {
    /// A URL of another form.
    struct Malformed: Error {}

    let host: String
    let port: Int
    let path: String
    let authority: String

    init(_ url: String) throws {
        guard url.hasPrefix("http://") else { throw Malformed() }
        let rest = url.dropFirst(7)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let parts = rest[..<slash].split(separator: ":")
        guard let name = parts.first else { throw Malformed() }
        host = String(name)
        port = parts.count > 1 ? Int(parts[1]) ?? 80 : 80
        path = slash == rest.endIndex ? "/" : String(rest[slash...])
        authority = String(rest[..<slash])
    }
}
