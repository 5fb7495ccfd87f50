// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Quotes text for a POSIX shell.
package enum ShellQuoting {
    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:,@%+=".utf8)

    /// Returns a text as one word of a command, without special characters.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text itself if it needs no quoting in any shell, otherwise the text in single quotes.
    package static func quoted(_ text: String) -> String {
        guard text.isEmpty || !text.utf8.allSatisfy(plain.contains) else { return text }
        return "'" + text.cut(at: "'").joined(separator: #"'\''"#) + "'"
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
            default:
                let digits = String(byte, radix: 8)
                format += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }
        }
        // Otherwise `printf` would parse a leading hyphen as an option.
        return (format.hasPrefix("-") ? "-- " : "") + quoted(format)
    }
}
