// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// The bytes that wait for the reader of a byte stream, and the end behind them.
package struct ReceivedBytes: Sendable {
    package var bytes = Data()
    package private(set) var ending: Result<Void, any Error>?

    package init() {}

    /// True if a reader has to wait.
    package var isWaiting: Bool { bytes.isEmpty && ending == nil }

    /// Sets the end, unless there is one.
    package mutating func end(_ ending: Result<Void, any Error>) {
        if self.ending == nil { self.ending = ending }
    }

    /// Takes bytes or, behind the last one, the end.
    ///
    /// - Parameter maximum: The maximum number of bytes.
    /// - Returns: The bytes, `nil` within the result at the end; `nil` if the reader has to wait.
    package mutating func take(upTo maximum: Int) -> Result<Data?, any Error>? {
        guard bytes.isEmpty else {
            defer { bytes = Data(bytes.dropFirst(maximum)) }
            return .success(Data(bytes.prefix(maximum)))
        }
        return ending.map { $0.map { nil } }
    }
}
