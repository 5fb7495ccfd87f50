// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import HTTPTypes

extension Route {
    /// Routes that respond to a multipart body with a list of its parts.
    package static let uploads: [Route] = [HTTPRequest.Method.post, .put].map { method in
        Route(method, path: "/upload") { request in
            do throws(MultipartParser.ParseError) {
                let parts = try MultipartParser.parts(
                    of: request.body, contentType: request.header(.contentType) ?? ""
                ).map { summary($0.head, bytes: $0.bytes) }
                return .json(.object([("parts", .array(parts)), ("headers", headers(of: request))]))
            } catch {
                return .error(400, message: error.message)
            }
        }
    }

    private static func summary(_ head: MultipartParser.Head, bytes: [UInt8]) -> EchoJSON {
        let hash = SHA256.hash(data: bytes).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }
        let isShort = bytes.count <= 64 * 1024
        return .object([
            ("name", text(head.name)), ("filename", text(head.filename)), ("content_type", text(head.contentType)),
            ("size", .int(bytes.count)), ("sha256", .string(hash.joined())),
            ("text", text(isShort ? String(validating: bytes, as: UTF8.self) : nil)),
        ])
    }

    private static func text(_ text: String?) -> EchoJSON { text.map { .string($0) } ?? .null }
}
