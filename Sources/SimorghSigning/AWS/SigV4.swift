// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import SimorghSupport

/// One signature by AWS Signature Version 4: a value without state, clock or network.
///
/// The steps have the names of the specification: canonical request, string to sign, signature.
package struct SigV4: Sendable {
    /// The name of the algorithm.
    package static let algorithm = "AWS4-HMAC-SHA256"

    /// The parts of a request that its signature covers.
    package struct Message: Sendable {
        package var method: String
        /// The path and the query, as they are sent.
        package var target: String
        /// The header fields in order; names in any case.
        package var fields: [(name: String, value: String)]
        /// The hexadecimal SHA-256 hash of the body, or a text in place of it, such as `UNSIGNED-PAYLOAD`.
        package var payloadHash: String
        /// True if the signature also covers fields that a proxy may change, since the program has named each field.
        package var signsAllFields = false

        package init(method: String, target: String, fields: [(name: String, value: String)], payloadHash: String) {
            self.method = method
            self.target = target
            self.fields = fields
            self.payloadHash = payloadHash
        }
    }

    package let credentials: AWSCredentials
    package let region: String
    package let service: String
    package let date: SigV4Date
    /// True for the rules of S3: its path keeps empty and dot segments, and is not escaped a second time.
    package let usesS3Rules: Bool

    package init(
        _ credentials: AWSCredentials, region: String, service: String, date: SigV4Date, usesS3Rules: Bool
    ) {
        self.credentials = credentials
        self.region = region
        self.service = service
        self.date = date
        self.usesS3Rules = usesS3Rules
    }

    /// The date, the region and the service that a signature is valid for.
    package var scope: String { "\(date.day)/\(region)/\(service)/aws4_request" }

    /// The value of `X-Amz-Credential`.
    package var credential: String { "\(credentials.accessKeyID)/\(scope)" }

    /// Returns the canonical form of a request.
    package func canonicalRequest(_ message: Message) -> String {
        let (path, query) = Self.split(message.target)
        let fields = SigV4Canonical.fields(of: message)
        return [
            message.method, usesS3Rules ? SigV4Canonical.keptPath(path) : SigV4Canonical.path(path),
            SigV4Canonical.query(query), fields.map { "\($0.name):\($0.value)\n" }.joined(),
            Self.names(fields), message.payloadHash,
        ].joined(separator: "\n")
    }

    /// Returns the names of the signed header fields, separated by semicolons.
    package func signedNames(_ message: Message) -> String { Self.names(SigV4Canonical.fields(of: message)) }

    /// Returns the text that is signed for a canonical request.
    package func stringToSign(_ canonicalRequest: String) -> String {
        [Self.algorithm, date.text, scope, Self.hash(Data(canonicalRequest.utf8))].joined(separator: "\n")
    }

    /// Returns the text that is signed for one chunk of a body (`STREAMING-AWS4-HMAC-SHA256-PAYLOAD`).
    package func stringToSign(chunk: Data, after previousSignature: String) -> String {
        [
            "AWS4-HMAC-SHA256-PAYLOAD", date.text, scope, previousSignature, Self.hash(Data()), Self.hash(chunk),
        ].joined(separator: "\n")
    }

    /// Returns the signature of a text, in hexadecimal digits.
    package func signature(of text: String) -> String {
        var key = SymmetricKey(data: Data("AWS4\(credentials.secretAccessKey)".utf8))
        for part in [date.day, region, service, "aws4_request"] {
            key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key))
        }
        return Hex.encoded(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }

    /// Returns the signature of a request, in hexadecimal digits.
    package func signature(of message: Message) -> String {
        signature(of: stringToSign(canonicalRequest(message)))
    }

    /// Returns the value of the field `Authorization` for a request and its signature.
    package func authorization(_ message: Message, signature: String) -> String {
        "\(Self.algorithm) Credential=\(credential), SignedHeaders=\(signedNames(message)), Signature=\(signature)"
    }

    /// Returns the SHA-256 hash of bytes, in hexadecimal digits.
    package static func hash(_ bytes: Data) -> String { Hex.encoded(SHA256.hash(data: bytes)) }

    private static func names(_ fields: [(name: String, value: String)]) -> String {
        fields.map(\.name).joined(separator: ";")
    }

    private static func split(_ target: String) -> (path: Substring, query: Substring) {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target[...], "") }
        return (target[..<mark], target[target.index(after: mark)...])
    }
}

/// The date of a signature, in the two forms that Signature Version 4 uses.
package struct SigV4Date: Sendable, Hashable {
    /// The date and the time, such as `20150830T123600Z`.
    package let text: String
    /// The date, such as `20150830`.
    package var day: String { String(text.prefix(8)) }

    package init(_ date: Date) {
        // Sun, 06 Nov 1994 08:49:37 GMT
        let parts = HTTPDate.text(date).split(separator: " ")
        let month = HTTPDate.month(parts[2].utf8).map { $0 < 10 ? "0\($0)" : "\($0)" } ?? ""
        text = "\(parts[3])\(month)\(parts[1])T\(parts[4].filter { $0 != ":" })Z"
    }

    /// Returns the date of a text such as `20150830T123600Z`; `nil` for any other text.
    package static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else { return nil }
        return UTCDate.date(digits: Array(bytes[..<8] + bytes[9..<15]))
    }
}
