// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Quotes text for a POSIX shell.
package enum ShellQuoting {
    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:,@%+=".utf8)

    /// Returns a text as one word of a command, without special characters.
    ///
    /// Control characters other than tabs and line breaks are written as a substitution: in a command that is pasted, a
    /// terminal would obey them, also inside quotes.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text itself if it needs no quoting in any shell, otherwise the text in single quotes.
    package static func quoted(_ text: String) -> String {
        guard text.isEmpty || !text.utf8.allSatisfy(plain.contains) else { return text }
        var quoted = "'"
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x27: quoted += #"'\''"#
            case 0x01..<0x09, 0x0B..<0x20, 0x7F: quoted += "'\"$(printf '\(octal(UInt8(scalar.value)))')\"'"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "'"
    }

    /// Returns bytes as a format for `printf`, which writes them to its standard output.
    ///
    /// - Parameter bytes: Any bytes.
    /// - Returns: One word.
    package static func printf(_ bytes: some Sequence<UInt8>) -> String {
        var format = ""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "%"): format += "%%"
            case UInt8(ascii: "\\"): format += "\\\\"
            case 0x20...0x7E: format.unicodeScalars.append(Unicode.Scalar(byte))
            default: format += octal(byte)
            }
        }
        // Otherwise `printf` would parse a leading hyphen as an option.
        return (format.hasPrefix("-") ? "-- " : "") + quoted(format)
    }

    /// Returns a byte as an escape for the format of `printf`.
    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
