// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A decoder for the values of extended parameters, such as `title*` and `filename*` (RFC 8187).
package enum ExtendedValue {
    /// Decodes an extended value: `UTF-8'en'%e2%82%ac`; `nil` if it is malformed.
    ///
    /// An apostrophe in the value should be escaped, but `encodeURIComponent` does not, so only the first two are
    /// separators.
    package static func decoded(_ value: [UInt8]) -> String? {
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

    /// Returns ISO-8859-1 bytes as text.
    package static func latin1(_ bytes: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
