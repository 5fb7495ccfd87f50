// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The bytes of one record of JSON, and which it is.
package struct JSONRecord: Sendable, Hashable {
    /// The number of the line, or of the record, from 1.
    package let number: Int
    package let bytes: Data
    /// Why it is no record, where that is known without decoding it.
    package let defect: String?
    /// Whether it is none, but says that no more will come.
    package let endsStream: Bool

    package init(number: Int, bytes: Data, defect: String? = nil, endsStream: Bool = false) {
        self.number = number
        self.bytes = bytes
        self.defect = defect
        self.endsStream = endsStream
    }
}

/// Which records of JSON a body is made of.
package enum JSONFraming: Sendable, CaseIterable {
    /// One on each line (NDJSON, JSON Lines).
    case lines
    /// Each after a record separator (RFC 7464).
    case sequence
    /// The elements of one array.
    case array
}
