// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

extension HTTPFields {
    /// Whether there is a field of this name; looks at each, as a lookup by subscript builds an index first.
    package func has(_ name: HTTPField.Name) -> Bool {
        contains { $0.name == name }
    }

    /// The value of the only field of this name; `nil` if there is none, or several.
    package func only(_ name: HTTPField.Name) -> String? {
        var value: String?
        for field in self where field.name == name {
            guard value == nil else { return nil }
            value = field.value
        }
        return value
    }
}
