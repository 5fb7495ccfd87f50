// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
package import NIOCore

/// Reads a multipart body as it comes and keeps of each part its size and hash, and its text where it is short.
package struct UploadReader: Sendable {
    private static let textLimit = 64 * 1024

    private var parser: MultipartParser?
    private var summary = UploadSummary()
    private var part = UploadSummary.Part()
    private var hash = SHA256()
    private var text: [UInt8]? = []

    package init(contentType: String) {
        do {
            parser = MultipartParser(boundary: try MultipartParser.boundary(of: contentType))
        } catch {
            summary.failure = error.message
        }
    }

    package mutating func read(_ bytes: ByteBuffer) {
        guard summary.failure == nil, var parser = parser.take() else { return }
        do throws(MultipartParser.Failure) {
            for event in try parser.read(bytes.readableBytesView) { take(event) }
            self.parser = parser
        } catch {
            summary.failure = error.message
        }
    }

    package mutating func finish() -> UploadSummary {
        if summary.failure == nil, parser?.isComplete != true {
            summary.failure = "the body ends before its closing delimiter"
        }
        return summary
    }

    private mutating func take(_ event: MultipartParser.Event) {
        switch event {
        case .began(let head):
            part = UploadSummary.Part(name: head.name, filename: head.filename, contentType: head.contentType)
            hash = SHA256()
            text = []
        case .bytes(let bytes):
            part.size += Int64(bytes.count)
            hash.update(data: bytes)
            if part.size <= Int64(Self.textLimit) { text?.append(contentsOf: bytes) } else { text = nil }
        case .ended:
            part.sha256 = hash.finalize().map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0\(digits)" : digits
            }.joined()
            part.text = text.flatMap { String(validating: $0, as: UTF8.self) }
            summary.parts.append(part)
        }
    }
}
