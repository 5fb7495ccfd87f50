// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

extension HTTPField {
    /// The value as the text of a URL, such as a `Location`.
    ///
    /// If the value is not UTF-8, each byte outside ASCII is percent-encoded, so that Latin-1 and other encodings
    /// reach the server as the bytes that it sent (`/caf%E9`). `value` has a replacement character for each of those
    /// bytes, which names another resource.
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

    /// Returns the field for an HTTP implementation that takes values as text.
    ///
    /// Such an implementation would change bytes that are not UTF-8 into replacement characters.
    ///
    /// - Returns: The field; of a `Cookie` field only the cookies that are UTF-8, or `nil` if no cookie is.
    /// - Throws: ``InvalidRequestError`` for another field whose value is not UTF-8; the error does not contain the value.
    package func asText() throws(InvalidRequestError) -> HTTPField? {
        if isText { return self }
        guard name == .cookie else {
            throw InvalidRequestError(
                .invalidHeader,
                message: "the value of the field \(name.rawName) is not UTF-8, which only the engine can send, over "
                    + "HTTP/1.1: encode the value, or set httpVersion to http1Only")
        }
        let cookies = withUnsafeBytesOfValue { bytes in
            bytes.split(separator: UInt8(ascii: ";")).compactMap { String(validating: $0, as: UTF8.self) }
        }
        var field = self
        // HTTPTypes removes the spaces at both ends.
        field.value = cookies.joined(separator: ";")
        return field.value.isEmpty ? nil : field
    }

    /// A text that is equal for equal values only: the value, or the hexadecimal digits of its bytes if not UTF-8.
    ///
    /// Cache keys are made of it, because two cookies that differ only in such a byte have the same `value`.
    package var exactText: String { withUnsafeBytesOfValue { Self.exactText(of: $0) } }

    /// Returns a text that is equal for equal bytes only.
    package static func exactText(of bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? "\u{FFFD}" + Hex.encoded(bytes)
    }
}

extension HTTPFields {
    /// Returns the fields for an HTTP implementation that takes values as text.
    ///
    /// - Returns: The fields, without cookies that are not UTF-8.
    /// - Throws: ``InvalidRequestError`` for another field whose value is not UTF-8.
    package func asText() throws(InvalidRequestError) -> HTTPFields {
        guard contains(where: { !$0.isText }) else { return self }
        var fields = HTTPFields()
        for field in self {
            if let text = try field.asText() { fields.append(text) }
        }
        return fields
    }
}
