// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The bytes of a JSON record and its number.
package struct JSONRecord: Sendable, Hashable {
    /// The number of the line or the record, from 1.
    package let number: Int
    package let bytes: Data
    /// The reason why the record is invalid, if known without decoding it.
    package let defect: String?
    /// True if this is not a record but the marker for the end of the stream.
    package let endsStream: Bool

    package init(number: Int, bytes: Data, defect: String? = nil, endsStream: Bool = false) {
        self.number = number
        self.bytes = bytes
        self.defect = defect
        self.endsStream = endsStream
    }
}

/// The framing of JSON records in a body.
package enum JSONFraming: Sendable, CaseIterable {
    /// One record on each line (NDJSON, JSON Lines).
    case lines
    /// A record separator before each record (RFC 7464).
    case sequence
    /// The elements of one array.
    case array
}
