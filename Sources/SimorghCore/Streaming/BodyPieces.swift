// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A chunk of a body, copied piece by piece into an array.
///
/// Performance: reading an array is free, while each access to `Data` costs 50 instructions, which for short records is
/// more than copying their bytes.
struct BodyPieces: Sendable {
    private static let maximumSize = 64 * 1024

    private(set) var bytes: [UInt8] = []
    /// The part of the chunk that is not copied yet.
    private var rest = Data()

    /// Starts a chunk.
    mutating func take(_ chunk: Data) {
        rest = chunk
        advance()
    }

    /// Advances to the next piece.
    ///
    /// At the end of the chunk it frees the memory, since a stream can be idle for hours.
    ///
    /// - Returns: True if there is a next piece.
    @discardableResult
    mutating func advance() -> Bool {
        guard !rest.isEmpty else {
            if !bytes.isEmpty { bytes = [] }
            return false
        }
        if rest.count <= Self.maximumSize {
            bytes = [UInt8](rest)
            rest = Data()
        } else {
            bytes = [UInt8](rest.prefix(Self.maximumSize))
            rest = rest.dropFirst(Self.maximumSize)
        }
        return true
    }
}
