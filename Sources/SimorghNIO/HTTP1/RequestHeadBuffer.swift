// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// A reused buffer for the request heads of a connection.
///
/// A buffer that is still in use is never overwritten, because NIO's buffers are copied on write. A head may contain
/// credentials, and a small body after it a password. So the buffer is wiped at the end of each exchange, because it
/// is kept while the connection idles.
package struct RequestHeadBuffer: Sendable {
    /// The maximum capacity of a buffer to keep, in bytes.
    package static let maximumCapacity = 4096

    private var last: ByteBuffer?

    package init() {}

    /// The kept buffer, wiped or not; for tests.
    package var kept: ByteBuffer? { last }

    /// Writes the head of a request, and a small body after it.
    ///
    /// - Parameter plan: The request.
    /// - Returns: The bytes.
    package mutating func write(_ plan: RequestPlan) -> ByteBuffer {
        var head = last.take() ?? ByteBuffer()
        plan.writeHead(into: &head)
        if head.capacity <= Self.maximumCapacity { last = head }
        return head
    }

    /// Overwrites the last request with zeros.
    package mutating func wipe() {
        guard var head = last.take() else { return }
        // In place, unless the buffer is still being sent: then a copy is wiped, and the original is released once
        // sent.
        head.setRepeatingByte(0, count: head.readableBytes, at: head.readerIndex)
        last = head
    }
}
