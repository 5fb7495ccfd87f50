// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Quotes text for a POSIX shell.
package enum ShellQuoting {
    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:,@%+=".utf8)

    /// The text as one word of a command, in which nothing is special.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text itself where every shell reads it as it stands, or else in single quotes.
    package static func quoted(_ text: String) -> String {
        guard text.isEmpty || !text.utf8.allSatisfy(plain.contains) else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
