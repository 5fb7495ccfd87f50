// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

extension HTTPField.Name {
    /// Returns a name that HTTPTypes does not list and that is a literal in this program.
    package static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is not a token") }
        return name
    }
}
