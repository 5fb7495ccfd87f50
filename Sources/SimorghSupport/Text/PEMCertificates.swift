// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The certificates in a PEM text (RFC 7468).
package enum PEMCertificates {
    private static let beginning = "-----BEGIN CERTIFICATE-----"
    private static let ending = "-----END CERTIFICATE-----"

    /// Returns the certificates of a text in DER, in their order; text around them is ignored.
    ///
    /// - Parameter text: The text.
    /// - Returns: The certificates; `nil` without a certificate, or if one cannot be read.
    package static func certificates(in text: [UInt8]) -> [[UInt8]]? {
        var rest = Substring(String(decoding: text, as: UTF8.self))
        var found: [[UInt8]] = []
        while let start = rest.firstRange(of: beginning) {
            rest = rest[start.upperBound...]
            guard let end = rest.firstRange(of: ending) else { return nil }
            let digits = rest[..<end.lowerBound].filter { !$0.isWhitespace }
            guard let data = Data(base64Encoded: digits) else { return nil }
            let bytes = Array(data)
            guard DERReader.publicKeyInfo(of: bytes) != nil else { return nil }
            found.append(bytes)
            rest = rest[end.upperBound...]
        }
        return found.isEmpty ? nil : found
    }
}
