// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
import NIOFoundationEssentialsCompat
package import SimorghSupport

/// A body that is gathered on the connection's loop, to be handed over at once.
///
/// One that comes in a single piece, as most do, is not copied before the end.
package struct CollectedBody {
    /// The largest body that is gathered, whatever larger bound the caller sets: a buffer holds less than 4 GiB, and the
    /// last read goes past the bound.
    package static let most = 0xFFFF_FFFF - 16 * 1024 * 1024

    /// The bound that holds for a body.
    ///
    /// - Parameter limit: The bound that the caller sets.
    /// - Returns: That, or what can be gathered.
    package static func bound(_ limit: Int) -> Int { min(max(0, limit), most) }

    package init() {}

    private var bytes: ByteBuffer?
    /// Whether `bytes` is memory of our own, not a part of what the socket was read into.
    private var isOwn = false
    /// The promised length.
    var expected: Int?

    /// Adds a part.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - limit: How large the body may be.
    /// - Returns: `false` if the body is now larger than it may be.
    package mutating func append(_ part: ByteBuffer, upTo limit: Int) -> Bool {
        let limit = Self.bound(limit)
        guard var collected = bytes.take() else {
            bytes = part
            return part.readableBytes <= limit
        }
        guard part.readableBytes <= limit - collected.readableBytes else { return false }
        if !isOwn {
            // The promised length is believed up to a mebibyte: it costs the server nothing to promise.
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

    /// What was gathered.
    package var data: Data {
        guard let bytes else { return Data() }
        return isOwn ? Data(body: bytes) : Data(buffer: bytes, byteTransferStrategy: .copy)
    }
}
