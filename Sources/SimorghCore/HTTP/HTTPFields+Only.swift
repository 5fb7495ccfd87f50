// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

extension HTTPFields {
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
