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
        return "'" + text.cut(at: "'").joined(separator: #"'\''"#) + "'"
    }

    /// Bytes as the format of `printf`, which writes them to its standard output.
    ///
    /// - Parameter bytes: The bytes, any.
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
        // What begins with a hyphen would be taken for an option.
        return (format.hasPrefix("-") ? "-- " : "") + quoted(format)
    }
}
