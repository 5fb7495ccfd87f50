// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An error for header fields that exceed the limit announced by an HTTP/2 server, so they were not sent.
///
/// It is the ``TransportError/underlying`` error of a `TransportError` with the code
/// ``TransportError/Code/dataLengthExceedsMaximum`` in the phase ``TransportError/Phase/request``. The limit is the
/// server's setting `SETTINGS_MAX_HEADER_LIST_SIZE` (RFC 9113, section 6.5.2), which is advisory. The client learns
/// it only once the connection is open, so earlier requests are sent regardless of their size.
public struct RequestFieldsTooLargeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The size of the fields: their names and values, and 32 bytes for each of them.
    public let size: Int
    /// The largest size that the server accepts.
    public let limit: Int

    /// Creates the error.
    ///
    /// - Parameters:
    ///   - size: The size of the fields.
    ///   - limit: The largest size that the server accepts.
    public init(size: Int, limit: Int) {
        self.size = size
        self.limit = limit
    }

    /// A sentence with both sizes.
    public var description: String {
        "the header fields of the request take \(size) bytes, and the server accepts \(limit)"
    }
}
