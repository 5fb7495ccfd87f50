// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

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

    /// A text that is equal for equal values only: the value, or where it is not UTF-8 the digits of its bytes.
    ///
    /// Keys of caches are made of it: in `value` two cookies that differ in such a byte are the same.
    package var exactText: String { withUnsafeBytesOfValue { Self.exactText(of: $0) } }

    /// A text that is equal for equal bytes only.
    package static func exactText(of bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? "\u{FFFD}" + Hex.encoded(bytes)
    }
}
