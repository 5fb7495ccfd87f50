// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Completes a URL as a person types it.
package enum TargetURL {
    private static let local: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

    /// The URL with a scheme: what has none is on this machine, or else meant to be secure.
    ///
    /// - Parameter text: What was typed.
    /// - Returns: The URL; whether it is a valid one is for the library to say.
    /// - Throws: ``CommandFailure`` when there is nothing.
    package static func complete(_ text: String) throws(CommandFailure) -> String {
        guard !text.isEmpty else { throw .usage("the URL is empty: give one such as https://example.com/path") }
        guard !hasScheme(text) else { return text }
        let authority = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        var host = authority
        if let colon = authority.lastIndex(of: ":"), authority[colon...].dropFirst().allSatisfy(\.isNumber),
            !authority.hasSuffix("]")
        {
            host = authority[..<colon]
        }
        return (local.contains(host.lowercased()) ? "http://" : "https://") + text
    }

    private static func hasScheme(_ text: String) -> Bool {
        let scheme = text.prefix { $0 != ":" }
        guard text[scheme.endIndex...].hasPrefix("://"), let first = scheme.first, first.isASCII, first.isLetter else {
            return false
        }
        return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }
}
