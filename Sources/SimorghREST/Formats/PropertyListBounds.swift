// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The bounds on a property list from a server, checked before it is decoded.
///
/// The decoders of Foundation recurse once for each level, so a body of a few kilobytes can overflow the stack. A binary
/// property list is a graph of objects: it can contain itself, or a small one can stand for billions of values.
package enum PropertyListBounds {
    /// The largest number of arrays and dictionaries within each other.
    package static let maximumDepth = 128
    /// The largest ratio of the size without references to the size of a binary property list.
    package static let maximumRatio = 100
    /// The size without references up to which the ratio is not checked, in bytes.
    package static let floor = 1024 * 1024

    /// Throws a decoding error for a property list that is not safe to decode.
    ///
    /// - Parameter data: The property list.
    /// - Throws: `DecodingError`.
    package static func check(_ data: Data) throws {
        let bytes = [UInt8](data)
        if bytes.starts(with: "bplist0".utf8) {
            var graph = try BinaryPropertyListGraph(bytes)
            try graph.check()
        } else {
            var scanner = XMLPropertyListScanner(bytes)
            try scanner.check()
        }
    }

    static func refusal(_ message: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "The property list \(message)."))
    }
}
