// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The Base64 encoding (RFC 4648, section 4).
package enum Base64 {
    package static func text(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    package static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
