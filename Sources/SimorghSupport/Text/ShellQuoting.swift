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
            case 0x01... where isControl(scalar):
                let bytes = String(scalar).utf8.map(octal).joined()
                quoted += "'\"$(printf '\(bytes)')\"'"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "'"
    }

    /// Returns true if a text has control characters that a terminal obeys, so that a command reads it from a pipe.
    package static func needsPipe(_ text: String) -> Bool { text.unicodeScalars.contains(where: isControl) }

    /// Returns true for a control character of ASCII or of C1 (U+0080 to U+009F) other than tabs and line breaks.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00..<0x09, 0x0B..<0x20, 0x7F..<0xA0: true
        default: false
        }
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
