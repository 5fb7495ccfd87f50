// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// Orders what one completed receive reports at once: bytes, the end, and an error.
///
/// Apple's Network framework reports the last bytes together with the end or with an error. The reader gets them one
/// after the other.
package struct StreamReceptionStateMachine: Sendable {
    private var ending: Result<Data?, any Error>?

    package init() {}

    /// The result of a read that does not receive, because the end was reported; `nil` to receive.
    package var ended: Result<Data?, any Error>? { ending }

    /// A receive is complete.
    ///
    /// - Parameters:
    ///   - content: The bytes.
    ///   - isComplete: True if no more follow.
    ///   - error: The error that ended the connection.
    /// - Returns: The result of the read: bytes, `nil` at the end, or the error; `nil` to receive again.
    package mutating func received(
        _ content: Data?, isComplete: Bool, error: (any Error)?
    ) -> Result<Data?, any Error>? {
        if let ending { return ending }
        if let error { ending = .failure(error) } else if isComplete { ending = .success(nil) }
        if let content, !content.isEmpty { return .success(content) }
        return ending
    }
}
