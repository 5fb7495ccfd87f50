// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// URLs for display, without the parts that must not be logged.
package enum RedactedURL {
    private static let authorityEnds = ByteSet("/?#\\")

    /// Returns a URL whose query and fragment are replaced by an ellipsis, because they can contain a key.
    ///
    /// Keys in its path are redacted, too.
    ///
    /// - Parameters:
    ///   - url: The URL, or a part of one.
    ///   - rules: The rules for path parameters. If redaction is off, the URL is returned unchanged.
    /// - Returns: The redacted URL.
    package static func withoutQuery(_ url: String, by rules: RedactionRules = .standard) -> String {
        guard rules.isOn else { return url }
        let mark = url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.endIndex
        let path = PathRedactor.shown(url[..<mark]) { rules.isSecret($0, inQuery: true) }
        guard mark < url.endIndex else { return path }
        // The scalar only: the character would also contain combining marks after it.
        return "\(path)\(Unicode.Scalar(url.utf8[mark]))…"
    }

    /// Returns a URL, or a part of one, without the user name and password before its host.
    ///
    /// Such a URL is rejected, and the error must not contain them.
    package static func withoutCredentials(_ url: String) -> String {
        let bytes = url.utf8
        // Performance: one pass over the bytes, because each event shows a URL.
        guard PercentEncoding.withBytes(of: url[...].utf8, { $0.contains(UInt8(ascii: "@")) }) else { return url }
        if bytes.starts(with: "//".utf8) {
            // A scheme-relative reference.
            let start = bytes.index(bytes.startIndex, offsetBy: 2)
            if let at = self.at(behind: start, of: url) { return without(from: start, through: at, in: url) }
            // Its path can be an absolute URL.
            guard let colon = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }) else { return url }
            let inner = bytes.index(colon, offsetBy: 3)
            guard let at = self.at(behind: inner, of: url) else { return url }
            return without(from: inner, through: at, in: url)
        }
        // Without a scheme, the first colon is before a password, unless it is in a path.
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return url }
        let hasScheme = bytes[colon...].starts(with: "://".utf8)
        let start = hasScheme ? bytes.index(colon, offsetBy: 3) : bytes.startIndex
        guard let at = self.at(behind: start, of: url), colon <= at else { return url }
        return without(from: start, through: at, in: url)
    }

    /// Returns the last `@` of the authority that begins at an index.
    private static func at(behind start: String.Index, of url: String) -> String.Index? {
        let rest = url.utf8[start...]
        let end = rest.firstIndex { authorityEnds.contains($0) } ?? rest.endIndex
        return rest[..<end].lastIndex(of: UInt8(ascii: "@"))
    }

    /// Returns a URL without the part from an index to the `@` after it.
    private static func without(from start: String.Index, through at: String.Index, in url: String) -> String {
        String(url[..<start]) + String(url[url.utf8.index(after: at)...])
    }
}
