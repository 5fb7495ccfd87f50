// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
extension TargetURL {
    /// Completes a URL, and refuses one that holds a user name or a password.
    ///
    /// - Parameter text: What was typed.
    /// - Returns: The URL with a scheme.
    /// - Throws: ``CommandFailure`` that names the option for credentials, and none of them.
    package static func withoutUser(_ text: String) throws(CommandFailure) -> String {
        let url = try complete(text)
        let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
        let authority = url.utf8.dropFirst(scheme.count + 1).drop { $0 == UInt8(ascii: "/") }
            .prefix { !"/?#".utf8.contains($0) }
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw .usage("the URL holds a user name or a password: give them with --user NAME:PASSWORD or --user @FILE")
        }
        return url
    }
}
#endif
