// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
package import SimorghRealtime

extension ResponseParser {
    package enum Event: Sendable {
        /// A head; if its status is below 200, another one follows.
        case head(ResponseHead)
        /// A part of the body; never empty.
        case body(ByteBuffer)
        /// The end of the response.
        case end
    }

    /// Parses the next event.
    ///
    /// - Parameter buffer: The unparsed bytes; parsed ones are consumed.
    /// - Returns: The event; `nil` if there are not enough bytes, and after the end.
    /// - Throws: ``ParseError``.
    package mutating func next(_ buffer: inout ByteBuffer) throws(ParseError) -> Event? {
        var consumed = 0
        let step = try buffer.withUnsafeReadableBytes { bytes throws(ParseError) -> Step? in
            try next(bytes, consumed: &consumed)
        }
        switch step {
        case .head(let head):
            buffer.moveReaderIndex(forwardBy: consumed)
            return .head(head)
        case .body(let count):
            buffer.moveReaderIndex(forwardBy: consumed - count)
            return buffer.readSlice(length: count).map { .body($0) }
        case .end:
            buffer.moveReaderIndex(forwardBy: consumed)
            return .end
        case nil:
            buffer.moveReaderIndex(forwardBy: consumed)
            return nil
        }
    }
}
