// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// Completes URLs that are typed without a scheme.
package enum TargetURL {
    private static let local: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

    private static let schemes: Set<String> = [
        "http", "https", "ws", "wss", "http+unix", "https+unix", "ws+unix", "wss+unix",
    ]

    /// Returns the URL with a scheme and two slashes.
    ///
    /// `http:/host/x` becomes `http://host/x`, as in curl and browsers. A URL without a scheme gets `http` for this
    /// machine, and `https` otherwise.
    ///
    /// - Parameter text: The text that the user typed.
    /// - Returns: The URL; the library validates it later.
    /// - Throws: ``CommandError`` if the text is empty or the scheme is unknown.
    package static func complete(_ text: String) throws(CommandError) -> String {
        guard !text.isEmpty else { throw .usage("the URL is empty: use one such as https://example.com/path") }
        if let scheme = scheme(of: text) {
            guard schemes.contains(scheme.lowercased()) else {
                throw .usage(
                    "the scheme \(DisplayText.oneLine(String(scheme))) is unknown: use a URL of http, https, ws or wss"
                )
            }
            return scheme + "://" + text[scheme.endIndex...].dropFirst().drop { $0 == "/" }
        }
        let authority = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        var host = authority
        if let colon = authority.lastIndex(of: ":"), authority[colon...].dropFirst().allSatisfy(\.isNumber),
            !authority.hasSuffix("]")
        {
            host = authority[..<colon]
        }
        return (local.contains(host.lowercased()) ? "http://" : "https://") + text
    }

    /// Returns the scheme of a URL, whose colon is followed by a slash; any other colon starts a port.
    private static func scheme(of text: String) -> Substring? {
        let scheme = text.prefix { $0 != ":" }
        guard text[scheme.endIndex...].hasPrefix(":/"), let first = scheme.first, first.isASCII, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return scheme
    }

    /// Completes a URL, and rejects one that contains a user name or a password.
    ///
    /// - Parameters:
    ///   - text: The text that the user typed.
    ///   - advice: The last part of the error's message: where credentials belong.
    /// - Returns: The URL with a scheme.
    /// - Throws: ``CommandError`` with the advice, and never with a credential.
    package static func withoutUser(
        _ text: String, advice: String = "use --user NAME:PASSWORD or --user @FILE"
    ) throws(CommandError) -> String {
        let url = try complete(text)
        let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
        let authority = url.utf8.dropFirst(scheme.count + 1).drop { $0 == UInt8(ascii: "/") }
            .prefix { !"/?#".utf8.contains($0) }
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw .usage("the URL contains a user name or a password: \(advice)")
        }
        return url
    }
}
#endif
