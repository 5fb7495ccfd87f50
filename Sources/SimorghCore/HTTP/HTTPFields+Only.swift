// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

extension HTTPFields {
    /// Returns true if there is a field of this name.
    ///
    /// It compares each field, because a lookup by subscript builds an index first.
    package func has(_ name: HTTPField.Name) -> Bool {
        contains { $0.name == name }
    }

    /// Returns the value of the only field of this name; `nil` unless there is exactly one.
    package func only(_ name: HTTPField.Name) -> String? {
        var value: String?
        for field in self where field.name == name {
            guard value == nil else { return nil }
            value = field.value
        }
        return value
    }
}
