// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh

/// A status with the words that RFC 9110 has for it: HTTPTypes keeps them to itself.
enum StatusText {
    static func of(_ code: Int) -> String {
        let phrase = HTTPResponse.Status(code: code).reasonPhrase
        return phrase.isEmpty ? "\(code)" : "\(code) \(phrase)"
    }
}
