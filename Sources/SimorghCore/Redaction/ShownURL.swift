// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// URLs as messages show them: without what no log should hold.
package enum ShownURL {
    private static let authorityEnds = ByteSet("/?#\\")

    /// A URL whose query and fragment, if it has one of them, are an ellipsis: they may hold a key.
    ///
    /// So may its path, of which what looks like one is hidden.
    ///
    /// - Parameters:
    ///   - url: The URL, or a part of one.
    ///   - rules: Which parameters of the path hold a secret, and whether anything is left out.
    /// - Returns: What is left of it.
    package static func withoutQuery(_ url: String, _ rules: RedactionRules = .standard) -> String {
        guard rules.isOn else { return url }
        let mark = url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.endIndex
        let path = SecretPath.shown(url[..<mark]) { rules.isSecret($0, inQuery: true) }
        guard mark < url.endIndex else { return path }
        // The mark alone, not the character, which also holds combining marks behind it.
        return "\(path)\(Unicode.Scalar(url.utf8[mark]))…"
    }

    /// A URL, or a part of one, without the user name and the password before its host: such a URL is refused, and the
    /// refusal must not tell them.
    package static func withoutCredentials(_ url: String) -> String {
        let bytes = url.utf8
        // Performance: one pass over the bytes, because each event shows a URL.
        guard PercentEncoding.withBytes(of: url[...].utf8, { $0.contains(UInt8(ascii: "@")) }) else { return url }
        if bytes.starts(with: "//".utf8) {
            // A reference whose scheme is that of the page it stands on.
            let start = bytes.index(bytes.startIndex, offsetBy: 2)
            if let at = self.at(behind: start, of: url) { return without(start, at, url) }
            // Its path may be a whole URL.
            guard let colon = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }) else { return url }
            let inner = bytes.index(colon, offsetBy: 3)
            guard let at = self.at(behind: inner, of: url) else { return url }
            return without(inner, at, url)
        }
        // Without a scheme the first colon stands before a password, if it does not stand in a path.
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return url }
        let hasScheme = bytes[colon...].starts(with: "://".utf8)
        let start = hasScheme ? bytes.index(colon, offsetBy: 3) : bytes.startIndex
        guard let at = self.at(behind: start, of: url), colon <= at else { return url }
        return without(start, at, url)
    }

    /// The last `@` of the authority that begins at a place.
    private static func at(behind start: String.Index, of url: String) -> String.Index? {
        let rest = url.utf8[start...]
        let end = rest.firstIndex { authorityEnds.contains($0) } ?? rest.endIndex
        return rest[..<end].lastIndex(of: UInt8(ascii: "@"))
    }

    /// A URL without what stands from a place on to the `@` behind it.
    private static func without(_ start: String.Index, _ at: String.Index, _ url: String) -> String {
        String(url[..<start]) + String(url[url.utf8.index(after: at)...])
    }
}
