// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// The memory that the heads of a connection's requests are written into, one after the other.
///
/// What somebody still holds of an earlier one is never written over: NIO's buffers are copied then. A head may hold
/// credentials, and a small body behind it a password; so what was sent is wiped when its exchange is over, as this memory
/// is kept for as long as the connection idles.
package struct RequestMemory: Sendable {
    /// Memory that is larger, in bytes, is not kept for the next one.
    package static let most = 4096

    private var last: ByteBuffer?

    package init() {}

    /// What is kept, wiped or not; for tests.
    package var kept: ByteBuffer? { last }

    /// The head of a request, with a small body behind it.
    ///
    /// - Parameter plan: The request.
    /// - Returns: Its bytes.
    package mutating func write(_ plan: RequestPlan) -> ByteBuffer {
        var head = last.take() ?? ByteBuffer()
        plan.writeHead(into: &head)
        if head.capacity <= Self.most { last = head }
        return head
    }

    /// Writes zeros over what was written last.
    package mutating func wipe() {
        guard var head = last.take() else { return }
        // In its place, unless its sending is not over; then a copy is wiped, and the original goes when it has been sent.
        head.setRepeatingByte(0, count: head.readableBytes, at: head.readerIndex)
        last = head
    }
}
