// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The parser of the header field `Content-Disposition`, which suggests a file name (RFC 6266).
package enum ContentDisposition {
    /// Returns the field as text.
    ///
    /// The bytes are read as UTF-8, or as ISO-8859-1 if they are not valid UTF-8, which is how a plain `filename` was
    /// defined.
    ///
    /// - Parameter fields: The header fields of a response.
    /// - Returns: The value of the first such field; `nil` if there is no such field.
    package static func text(in fields: HTTPFields) -> String? {
        fields[fields: .contentDisposition].first?.withUnsafeBytesOfValue { bytes in
            String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
        }
    }

    /// Returns the file name in a value of the field.
    ///
    /// - Parameter value: The value.
    /// - Returns: `filename*` if it is valid (RFC 8187), otherwise `filename`, as the server sent it, which is not
    ///   safe to use. Percent-encoded UTF-8 in `filename` is decoded, as browsers do, because many servers send it.
    package static func fileName(_ value: String) -> String? {
        var plain: String?
        var extended: String?
        for (name, text) in FieldParameters.read(Array(value.utf8)) {
            if name == "filename*" { extended = extended ?? decoded(text) }
            if name == "filename" { plain = plain ?? unescaped(text) }
        }
        return extended ?? plain
    }

    /// Decodes percent escapes in a plain value if the result is valid text.
    private static func unescaped(_ value: [UInt8]) -> String {
        String(validating: PercentEncoding.decoded(value), as: UTF8.self) ?? String(decoding: value, as: UTF8.self)
    }

    private static func latin1(_ bytes: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Decodes an extended value: `UTF-8'en'%e2%82%ac`; `nil` if it is malformed.
    ///
    /// An apostrophe in the name should be escaped, but `encodeURIComponent` does not, so only the first two are
    /// separators.
    private static func decoded(_ value: [UInt8]) -> String? {
        let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let charset = String(decoding: parts[0], as: UTF8.self).lowercased()
        var bytes: [UInt8] = []
        var rest = parts[2]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                guard byte > 0x20, byte < 0x7F else { return nil }
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(PercentEncoding.hexValue),
                let low = rest.popFirst().flatMap(PercentEncoding.hexValue)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        switch charset {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return latin1(bytes)
        default: return nil
        }
    }
}
