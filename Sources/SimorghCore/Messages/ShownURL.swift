// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// URLs as messages show them: without what no log should hold.
package enum ShownURL {
    /// A URL whose query and fragment, if it has one of them, are an ellipsis: they may hold a key.
    ///
    /// So may its path, of which what looks like one is hidden.
    ///
    /// - Parameters:
    ///   - url: The URL, or a part of one.
    ///   - rules: Which parameters of the path hold a secret.
    /// - Returns: What is left of it.
    package static func withoutQuery(_ url: String, _ rules: RedactionRules = .standard) -> String {
        let mark = url.utf8.firstIndex { "?#".utf8.contains($0) } ?? url.endIndex
        let path = SecretPath.shown(url[..<mark]) { rules.isSecret($0, inQuery: true) }
        return mark == url.endIndex ? path : "\(path)\(url[mark])…"
    }

    /// A URL, or a part of one, without the user name and the password before its host: such a URL is refused, and the
    /// refusal must not tell them.
    package static func withoutCredentials(_ url: String) -> String {
        let bytes = url.utf8
        var start = bytes.startIndex
        // Where the `@` stands at the earliest.
        var first = start
        if bytes.starts(with: "//".utf8) {
            // A reference whose scheme is that of the page it stands on.
            start = bytes.index(start, offsetBy: 2)
        } else {
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return url }
            if bytes[colon...].starts(with: "://".utf8) { start = bytes.index(colon, offsetBy: 3) }
            // Without a scheme the first colon stands before a password, if it does not stand in a path.
            first = colon
        }
        let end = bytes[start...].firstIndex { "/?#\\".utf8.contains($0) } ?? bytes.endIndex
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")), first <= at else { return url }
        return String(url[..<start]) + String(url[bytes.index(after: at)...])
    }
}
