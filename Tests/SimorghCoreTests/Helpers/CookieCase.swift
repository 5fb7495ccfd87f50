// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// One row of a table: the cookies set, the requested URL, and the cookies sent.
struct CookieCase: Sendable, CustomStringConvertible {
    let sets: [(field: String, url: String)]
    let url: String
    let sent: String?

    /// Creates a case with one cookie, set by one URL and requested by another.
    init(_ field: String, from origin: String = "https://www.example.com/dir/page", to url: String, _ sent: String?) {
        self.init([(field, origin)], to: url, sent)
    }

    init(_ sets: [(String, String)], to url: String, _ sent: String?) {
        self.sets = sets
        self.url = url
        self.sent = sent
    }

    var description: String { "\(sets.map { "\($0.field) by \($0.url)" }.joined(separator: ", then ")) for \(url)" }
}
