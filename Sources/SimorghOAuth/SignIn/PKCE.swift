// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import SimorghSupport

/// The proof key of an authorization request (RFC 7636), always with S256.
struct PKCE: Sendable, Codable {
    let verifier: String

    init(verifier: String = Base64URL.random()) { self.verifier = verifier }

    /// The hash of the verifier, which the authorization request carries.
    var challenge: String { Base64URL.text(SHA256.hash(data: Data(verifier.utf8))) }
}
