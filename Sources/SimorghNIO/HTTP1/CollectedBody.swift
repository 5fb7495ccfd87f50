// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
import NIOFoundationEssentialsCompat
package import SimorghSupport

/// A response body that is collected on the connection's loop and delivered as a whole.
///
/// A body that arrives in one piece, as most do, is copied only at the end.
package struct CollectedBody {
    /// The maximum size of a collected body, whatever limit the caller sets: a buffer holds less than 4 GiB, and the
    /// last read exceeds the limit.
    package static let maximumSize = Int(clamping: UInt32.max) - 16 * 1024 * 1024

    /// Returns the effective limit of a body.
    ///
    /// - Parameter limit: The caller's limit.
    /// - Returns: That limit, clamped to ``maximumSize``.
    package static func effectiveLimit(_ limit: Int) -> Int { min(max(0, limit), maximumSize) }

    package init() {}

    private var bytes: ByteBuffer?
    /// True if `bytes` is a separate buffer, not a slice of the socket's read buffer.
    private var isOwn = false
    /// The value of `Content-Length`; `nil` if the response has none.
    var expected: Int?

    /// Appends a chunk.
    ///
    /// - Parameters:
    ///   - part: The chunk.
    ///   - limit: The maximum size of the body.
    /// - Returns: False if the body is now larger than the limit.
    package mutating func append(_ part: ByteBuffer, upTo limit: Int) -> Bool {
        let limit = Self.effectiveLimit(limit)
        guard var collected = bytes.take() else {
            bytes = part
            return part.readableBytes <= limit
        }
        guard part.readableBytes <= limit - collected.readableBytes else { return false }
        if !isOwn {
            // Reserve at most 1 MiB of the announced length: a large announcement costs the server nothing.
            let promised = min(expected ?? 0, 1024 * 1024)
            var own = ByteBufferAllocator().buffer(
                capacity: max(promised, 2 * (collected.readableBytes + part.readableBytes)))
            own.writeBuffer(&collected)
            collected = own
            isOwn = true
        }
        collected.writeImmutableBuffer(part)
        bytes = collected
        return true
    }

    /// The collected bytes.
    package var data: Data {
        guard let bytes else { return Data() }
        return isOwn ? Data(body: bytes) : Data(buffer: bytes, byteTransferStrategy: .copy)
    }
}
