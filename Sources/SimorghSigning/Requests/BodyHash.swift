// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import SimorghCore
import SimorghSupport

/// The hash of a body that is read before it is sent.
enum BodyHash {
    /// Returns the SHA-256 hash of the body of a request, as it will be sent.
    static func sha256(of request: TransportRequest) async throws -> [UInt8] {
        let body = request.body
        guard body.coding == nil else {
            throw SigningError(
                .bodyNotSignable, "the body is compressed as it is sent, so its hash is not known: do not compress it")
        }
        var hash = SHA256()
        if let bytes = body.bytes {
            bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
            return Array(hash.finalize())
        }
        guard body.replayability != .once else {
            throw SigningError(
                .bodyNotSignable,
                "the body can be read only once, but the signature needs its hash first: use a replayable body")
        }
        var chunks = body.makeChunks()
        while let chunk = try await chunks.next(isolation: nil) {
            chunk.withUnsafeBytes { hash.update(bufferPointer: $0) }
            if let deadline = request.options.call?.deadline, deadline.remaining == .zero {
                throw TransportError.timedOut(.total, after: deadline.limit, requestMayHaveBeenSent: false)
            }
        }
        return Array(hash.finalize())
    }
}
