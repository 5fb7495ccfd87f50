// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A chunk of a body, copied piece by piece into an array.
///
/// To look into an array costs nothing and into `Data` fifty instructions, which for short records is more than the copy
/// of their bytes.
struct BodyPieces: Sendable {
    private static let largest = 64 * 1024

    private(set) var bytes: [UInt8] = []
    /// What of the chunk is still to come.
    private var rest = Data()

    /// Begins a chunk.
    mutating func take(_ chunk: Data) {
        rest = chunk
        advance()
    }

    /// Goes on to the next piece; at the end of the chunk nothing is kept, since a stream may be silent for hours.
    ///
    /// - Returns: Whether there is one.
    @discardableResult
    mutating func advance() -> Bool {
        guard !rest.isEmpty else {
            if !bytes.isEmpty { bytes = [] }
            return false
        }
        if rest.count <= Self.largest {
            bytes = [UInt8](rest)
            rest = Data()
        } else {
            bytes = [UInt8](rest.prefix(Self.largest))
            rest = rest.dropFirst(Self.largest)
        }
        return true
    }
}
