// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh

/// A credential on the command line: the text itself, or `@FILE`, which the process list does not show.
enum CredentialArgument {
    /// Returns a credential, which is the first line if it comes from a file.
    ///
    /// - Parameters:
    ///   - text: The argument.
    ///   - option: The option's name, for the error message.
    /// - Returns: The credential.
    /// - Throws: ``CommandError`` that names the file, and never the credential.
    static func read(_ text: String, of option: String) throws(CommandError) -> String {
        guard let path = text.behind(first: "@") else { return text }
        let file = try TextFile.read(String(path), of: option, upTo: 64 * 1024)
        guard let line = file.split(whereSeparator: \.isNewline).first else {
            throw .usage("\(option) \(path): the file is empty")
        }
        return String(line)
    }
}
#endif
