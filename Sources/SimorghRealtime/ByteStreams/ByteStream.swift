// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport

/// A connection that carries bytes in order, in both directions: a TCP or TLS connection, or a pipe in a test.
///
/// One task may read and one may write at the same time. A stream without references ends.
package protocol ByteStream: Sendable {
    /// The properties of the connection.
    var info: ConnectionInfo { get }

    /// Waits for received bytes.
    ///
    /// No more is received from the peer than the system buffers while no task reads.
    ///
    /// - Parameter maximum: The maximum number of bytes to return, at least 1.
    /// - Returns: At least one byte; `nil` after the peer has closed its direction.
    /// - Throws: The error that ended the connection. A cancelled task aborts the stream and throws.
    func read(upTo maximum: Int) async throws -> Data?

    /// Writes bytes, and waits until the connection has accepted them.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: The error that ended the connection. A cancelled task aborts the stream and throws.
    func write(_ bytes: Data) async throws

    /// Closes the sending direction, after the bytes that were written.
    ///
    /// - Throws: The error that ended the connection.
    func closeWriting() async throws

    /// Ends the connection immediately; reads and writes that wait fail.
    func abort()
}
