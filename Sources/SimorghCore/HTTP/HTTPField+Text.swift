// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

extension HTTPField {
    /// The value as the text of a URL, such as a `Location`: where it is not UTF-8, each byte outside ASCII is
    /// percent-encoded.
    ///
    /// Latin-1 and other encodings reach the server as the bytes that it sent (`/caf%E9`); `value`
    /// has a replacement character for each of them, which names another resource.
    package var urlText: String {
        withUnsafeBytesOfValue { bytes in
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            return String(unsafeUninitializedCapacity: 3 * bytes.count) { buffer in
                var writer = ByteWriter(buffer)
                for byte in bytes {
                    if byte < 0x80 { writer.append(byte) } else { writer.append(escapeOf: byte) }
                }
                return writer.count
            }
        }
    }

    /// True if the value is UTF-8.
    package var isText: Bool {
        withUnsafeBytesOfValue { bytes in
            bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
        }
    }

    /// The field for an HTTP implementation that takes values as text, in which bytes that are not UTF-8 would become
    /// replacement characters.
    ///
    /// - Returns: The field; of a `Cookie` field those cookies that are UTF-8, or `nil` if there are none.
    /// - Throws: ``InvalidRequest`` for another field whose value is not UTF-8; the value is not told.
    package func asText() throws(InvalidRequest) -> HTTPField? {
        if isText { return self }
        guard name == .cookie else {
            throw InvalidRequest(
                .invalidHeader,
                "the value of the field \(name.rawName) is not UTF-8, which only the engine can send, over HTTP/1.1: "
                    + "encode the value, or set httpVersion to http1Only")
        }
        let cookies = withUnsafeBytesOfValue { bytes in
            bytes.split(separator: UInt8(ascii: ";")).compactMap { String(validating: $0, as: UTF8.self) }
        }
        var field = self
        // HTTPTypes removes the blanks at both ends.
        field.value = cookies.joined(separator: ";")
        return field.value.isEmpty ? nil : field
    }

    /// A text that is equal for equal values only: the value, or where it is not UTF-8 the digits of its bytes.
    ///
    /// Keys of caches are made of it: in `value` two cookies that differ in such a byte are the same.
    package var exactText: String { withUnsafeBytesOfValue { Self.exactText(of: $0) } }

    /// A text that is equal for equal bytes only.
    package static func exactText(of bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? "\u{FFFD}" + Hex.encoded(bytes)
    }
}

extension HTTPFields {
    /// The fields for an HTTP implementation that takes values as text.
    ///
    /// - Returns: The fields, without cookies that are not UTF-8.
    /// - Throws: ``InvalidRequest`` for another field whose value is not UTF-8.
    package func asText() throws(InvalidRequest) -> HTTPFields {
        guard contains(where: { !$0.isText }) else { return self }
        var fields = HTTPFields()
        for field in self {
            if let text = try field.asText() { fields.append(text) }
        }
        return fields
    }
}
