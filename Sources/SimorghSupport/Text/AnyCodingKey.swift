// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A coding key with any name or number.
package struct AnyCodingKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?

    package init(_ name: String) { (stringValue, intValue) = (name, nil) }

    package init(index: Int) { (stringValue, intValue) = (String(index), index) }

    package init?(stringValue: String) { self.init(stringValue) }

    package init?(intValue: Int) { self.init(index: intValue) }
}
