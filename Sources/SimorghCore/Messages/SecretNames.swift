// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Names that tell that what they name is a secret.
package enum SecretNames {
    /// What makes a name tell, wherever it stands in it.
    private static let parts = [
        "token", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "apikey", "accesskey", "privatekey",
        "authkey", "credential", "signature", "sessionid", "authorization", "cookie", "jwt", "bearer", "cardnumber",
        "securitycode",
    ]
    /// Names that tell as a whole.
    private static let wholes: Set<String> = [
        "pass", "pin", "otp", "totp", "sid", "session", "cvv", "cvc", "ssn", "iban", "auth", "key", "sig", "pan",
    ]
    /// Names that tell in a query only: elsewhere they mean something else.
    private static let queryWholes: Set<String> = ["code", "state", "nonce", "hmac", "ticket", "assertion"]

    /// A name without what its style adds: in lower case, without `-`, `_`, `.` and blanks.
    package static func plain(_ name: some Sequence<UInt8>) -> String {
        var plain: [UInt8] = []
        for byte in name where !"-_. $[]".utf8.contains(byte) {
            plain.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// Whether a plain name tells.
    package static func tells(_ plain: String, inQuery: Bool = false) -> Bool {
        // How many tokens a language model took is a number, and no secret.
        if plain.hasSuffix("tokens"), plain != "tokens", !plain.contains("access"), !plain.contains("refresh") {
            return false
        }
        return wholes.contains(plain) || inQuery && queryWholes.contains(plain) || parts.contains { plain.contains($0) }
    }

    /// Whether a plain name tells in running text, where short words are just words.
    package static func tellsInText(_ plain: String) -> Bool { parts.contains { plain.contains($0) } }
}
