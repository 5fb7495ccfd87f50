// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// The detection of the HTTP version by the first bytes of a connection.
///
/// An HTTP/2 client always begins with the connection preface, whether or not TLS has negotiated a protocol.
package struct ProtocolDetection {
    /// The next step of the owner.
    package enum Action: Equatable {
        /// Waits for more bytes.
        case wait
        /// Adds the handlers of the version, and then asks for ``started()``.
        case start(isHTTP2: Bool)
        /// Passes the bytes on.
        case forward(ByteBuffer)
    }

    private enum Phase { case detecting, starting, started }

    /// The beginning of the HTTP/2 preface; no HTTP/1.1 request begins with it.
    private static let beginning = Array("PRI * HTTP/2.0".utf8)

    private var phase = Phase.detecting
    private var bytes = ByteBuffer()

    package init() {}

    /// Handles bytes that have been received.
    ///
    /// They can arrive while the owner adds handlers: a first write that fails makes NIO read what the client has sent.
    ///
    /// - Parameter received: The bytes.
    /// - Returns: The next step.
    package mutating func receive(_ received: ByteBuffer) -> Action {
        guard phase != .started else { return .forward(received) }
        bytes.writeImmutableBuffer(received)
        guard phase == .detecting else { return .wait }
        let begun = bytes.readableBytesView.prefix(Self.beginning.count)
        let isHTTP2 = begun.elementsEqual(Self.beginning.prefix(begun.count))
        guard !isHTTP2 || begun.count == Self.beginning.count else { return .wait }
        phase = .starting
        return .start(isHTTP2: isHTTP2)
    }

    /// Notes that the handlers were added.
    ///
    /// - Returns: The bytes to pass to them.
    package mutating func started() -> ByteBuffer {
        phase = .started
        defer { bytes = ByteBuffer() }
        return bytes
    }
}
