// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Names that tell that what they name is a secret.
package enum SecretNames {
    /// What makes a name tell, wherever it stands in it.
    private static let parts = NameParts([
        "token", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "apikey", "accesskey", "privatekey",
        "authkey", "credential", "signature", "sessionid", "authorization", "cookie", "jwt", "bearer", "cardnumber",
        "securitycode",
    ])
    /// Names that tell as a whole.
    private static let wholes: Set<String> = [
        "pass", "pin", "otp", "totp", "sid", "session", "cvv", "cvc", "ssn", "iban", "auth", "key", "sig", "pan",
    ]
    /// Names that tell in a query only: elsewhere they mean something else.
    private static let queryWholes: Set<String> = [
        "code", "state", "nonce", "cnonce", "hmac", "ticket", "assertion", "samlresponse",
    ]
    /// What tokens are that are counted, and open nothing.
    private static let counted = [
        "prompt", "completion", "input", "output", "max", "min", "total", "cached", "creation", "read", "reasoning",
        "thinking", "prediction", "audio", "text", "image", "context", "generated", "used", "remaining",
    ]
    /// Words that tell in the name of a header field, wherever they stand in it.
    private static let fieldWords: Set<String> = [
        "pass", "pin", "otp", "totp", "sid", "cvv", "cvc", "ssn", "iban", "sig",
    ]
    /// Words that tell at the end of the name of a header field.
    private static let lastFieldWords: Set<String> = ["key", "auth", "session"]
    /// Words of header fields that end in `Key` and hold none that opens anything.
    private static let openKeys: Set<String> = [
        "idempotency", "websocket", "surrogate", "cache", "public", "partition", "routing",
    ]
    /// Words that tell in a name in a file that is kept; a log would lose too much that is no secret.
    private static let keptWords: Set<String> = ["otp", "totp", "hotp", "dpop"]

    /// A name without what its style adds: in lower case, and of ASCII its letters and digits only.
    package static func plain(_ name: some Sequence<UInt8>) -> String {
        var plain: [UInt8] = []
        var isASCII = true
        for byte in name {
            switch byte {
            case 0x30...0x39, 0x61...0x7A: plain.append(byte)
            case 0x41...0x5A: plain.append(byte | 0x20)
            case 0x80...0xFF:
                plain.append(byte)
                isASCII = false
            default: break
            }
        }
        let text = String(decoding: plain, as: UTF8.self)
        return isASCII ? text : text.lowercased()
    }

    /// Whether a plain name tells.
    package static func tells(_ plain: String, inQuery: Bool = false) -> Bool {
        if counts(plain) { return false }
        return wholes.contains(plain) || inQuery && queryWholes.contains(plain) || parts.occur(in: plain)
    }

    /// Whether the name of a header field tells, in any case.
    package static func tellsInField(_ name: String) -> Bool {
        let words = name.lowercased().utf8.split { "-_.".utf8.contains($0) }.map { String(Substring($0)) }
        // What a hint is about it does not hold.
        guard let last = words.last, last != "hint" else { return false }
        if lastFieldWords.contains(last) { return !words.contains { openKeys.contains($0) } }
        return words.contains { fieldWords.contains($0) } || tells(plain(name.utf8))
    }

    /// Whether a name tells in a file that is kept for others to read, and that answers requests: more names do than in a
    /// log, but none that are as often what a request or an answer is about, such as `?state=open`.
    package static func tellsWhenKept(_ name: some Sequence<UInt8>, inQuery: Bool = false) -> Bool {
        let name = Array(name)
        let plain = Self.plain(name)
        if plain == (inQuery ? "state" : "key") { return false }
        if tells(plain, inQuery: inQuery) { return true }
        // Whole words, as `spotPrice` and `rootPath` hold three of these letters, and `sessionCount` is a number.
        let words = Self.words(of: name)
        return words.last == "session" || words.contains { keptWords.contains($0) }
    }

    /// The words of a name in any style, in lower case: of `userID2_next` they are `user`, `id` and `next`.
    private static func words(of name: [UInt8]) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        for (index, byte) in name.enumerated() {
            let isUpper = (0x41...0x5A).contains(byte)
            let isLetter = isUpper || (0x61...0x7A).contains(byte) || byte >= 0x80
            let follows = index > 0 && (0x61...0x7A).contains(name[index - 1])
            let leads = index + 1 < name.count && (0x61...0x7A).contains(name[index + 1])
            if !isLetter || isUpper && (follows || leads) {
                if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
                word.removeAll()
            }
            if isLetter { word.append(isUpper ? byte | 0x20 : byte) }
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    /// Whether a plain name tells in running text, where short words are just words.
    package static func tellsInText(_ plain: String) -> Bool { !counts(plain) && parts.occur(in: plain) }

    /// Whether a plain name says how many tokens a language model took or may take, which is no secret.
    private static func counts(_ plain: String) -> Bool {
        // Asked of each word of a text.
        guard plain.utf8.last == UInt8(ascii: "s") else { return false }
        let name = plain.hasSuffix("details") ? plain.dropLast(7) : plain[...]
        guard name.hasSuffix("tokens") else { return false }
        let kind = name.dropLast(6)
        return counted.contains { kind.hasSuffix($0) }
    }
}
