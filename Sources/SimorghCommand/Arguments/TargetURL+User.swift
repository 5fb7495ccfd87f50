// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
extension TargetURL {
    /// Completes a URL, and rejects one that contains a user name or a password.
    ///
    /// - Parameter text: The text that the user typed.
    /// - Returns: The URL with a scheme.
    /// - Throws: ``CommandError`` that names the option for credentials, and never a credential.
    package static func withoutUser(_ text: String) throws(CommandError) -> String {
        let url = try complete(text)
        let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
        let authority = url.utf8.dropFirst(scheme.count + 1).drop { $0 == UInt8(ascii: "/") }
            .prefix { !"/?#".utf8.contains($0) }
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw .usage("the URL contains a user name or a password: use --user NAME:PASSWORD or --user @FILE")
        }
        return url
    }
}
#endif
