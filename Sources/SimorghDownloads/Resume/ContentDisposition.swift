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
            String(validating: bytes, as: UTF8.self) ?? ExtendedValue.latin1(bytes)
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
            if name == "filename*" { extended = extended ?? ExtendedValue.decoded(text) }
            if name == "filename" { plain = plain ?? unescaped(text) }
        }
        return extended ?? plain
    }

    /// Decodes percent escapes in a plain value if the result is valid text.
    private static func unescaped(_ value: [UInt8]) -> String {
        String(validating: PercentEncoding.decoded(value), as: UTF8.self) ?? String(decoding: value, as: UTF8.self)
    }
}
