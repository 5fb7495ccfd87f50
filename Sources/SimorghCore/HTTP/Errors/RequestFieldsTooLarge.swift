// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The fields of a request are more than an HTTP/2 server has said it accepts, so they were not sent.
///
/// It is the ``TransportError/underlying`` error of a `TransportError` with the code
/// ``TransportError/Code/dataLengthExceedsMaximum`` in the phase ``TransportError/Phase/request``. The server's word is its
/// setting `SETTINGS_MAX_HEADER_LIST_SIZE` (RFC 9113, section 6.5.2), which is advice: a server may not mean it, and says it
/// only once the connection is open, so that what goes out before that is sent however large it is.
public struct RequestFieldsTooLarge: Error, Sendable, Hashable, CustomStringConvertible {
    /// The size of the fields: their names and values, and 32 bytes for each of them.
    public let size: Int
    /// The most that the server accepts.
    public let limit: Int

    /// Creates the error.
    ///
    /// - Parameters:
    ///   - size: The size of the fields.
    ///   - limit: The most that the server accepts.
    public init(size: Int, limit: Int) {
        self.size = size
        self.limit = limit
    }

    /// Both sizes, in a sentence.
    public var description: String {
        "the request's fields take \(size) bytes, and the server accepts \(limit)"
    }
}
