// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Base 64 (RFC 4648, section 4).
enum Base64 {
    static func text(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
