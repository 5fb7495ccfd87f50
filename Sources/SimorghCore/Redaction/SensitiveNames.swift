// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Names that mark a value as sensitive.
package enum SensitiveNames {
    /// The substrings that make a name sensitive.
    private static let parts = SubstringMatcher([
        "token", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "apikey", "accesskey", "privatekey",
        "authkey", "credential", "signature", "sessionid", "authorization", "cookie", "jwt", "bearer", "cardnumber",
        "securitycode",
    ])
    /// The whole names that are sensitive.
    private static let wholeNames: Set<String> = [
        "pass", "pin", "otp", "totp", "sid", "session", "cvv", "cvc", "ssn", "iban", "auth", "key", "sig", "pan",
    ]
    /// The whole names that are sensitive only in a query, because elsewhere they have another meaning.
    private static let wholeNamesInQuery: Set<String> = [
        "code", "state", "nonce", "cnonce", "hmac", "ticket", "assertion", "samlresponse",
    ]
    /// The prefixes of `tokens` that mean a count of tokens, which is not secret.
    private static let counted = [
        "prompt", "completion", "input", "output", "max", "min", "total", "cached", "creation", "read", "reasoning",
        "thinking", "prediction", "audio", "text", "image", "context", "generated", "used", "remaining",
    ]
    /// The words that make the name of a header field sensitive at any position.
    private static let fieldWords: Set<String> = [
        "pass", "pin", "otp", "totp", "sid", "cvv", "cvc", "ssn", "iban", "sig",
    ]
    /// The words that make the name of a header field sensitive as its last word.
    private static let lastFieldWords: Set<String> = ["key", "auth", "session"]
    /// The words in the names of header fields that end in `Key` but are not secret.
    private static let harmlessKeyWords: Set<String> = [
        "idempotency", "websocket", "surrogate", "cache", "public", "partition", "routing",
    ]
    /// The words that are sensitive only in a recorded file.
    ///
    /// In a log they would redact too much that is not secret.
    private static let recordingWords: Set<String> = ["otp", "totp", "hotp", "dpop"]

    /// Returns a normalized name: in lowercase, and of ASCII only letters and digits.
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

    /// Returns true if a normalized name is sensitive.
    package static func isSensitive(_ plain: String, inQuery: Bool = false) -> Bool {
        if counts(plain) { return false }
        return wholeNames.contains(plain) || inQuery && wholeNamesInQuery.contains(plain)
            || parts.isContained(in: plain)
    }

    /// Returns true if the name of a header field is sensitive, in any case.
    package static func isSensitiveInField(_ name: String) -> Bool {
        let words = name.lowercased().utf8.split { "-_.".utf8.contains($0) }.map { String(Substring($0)) }
        // A hint about a secret does not contain it.
        guard let last = words.last, last != "hint" else { return false }
        if lastFieldWords.contains(last) { return !words.contains { harmlessKeyWords.contains($0) } }
        return words.contains { fieldWords.contains($0) } || isSensitive(plain(name.utf8))
    }

    /// Returns true if a name is sensitive in a recorded file that answers requests and is shared.
    ///
    /// These are more names than in a log, except names that often identify the resource, such as `?state=open`.
    package static func isSensitiveInRecording(_ name: some Sequence<UInt8>, inQuery: Bool = false) -> Bool {
        let name = Array(name)
        let plain = Self.plain(name)
        if plain == (inQuery ? "state" : "key") { return false }
        if isSensitive(plain, inQuery: inQuery) { return true }
        // Whole words only: `spotPrice` and `rootPath` contain `otp`, and `sessionCount` is a number.
        let words = Self.words(of: name)
        return words.last == "session" || words.contains { recordingWords.contains($0) }
    }

    /// Returns the words of a name in any style, in lowercase: `userID2_next` is `user`, `id` and `next`.
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

    /// Returns true if a normalized name is sensitive in running text, in which short words are just words.
    package static func isSensitiveInText(_ plain: String) -> Bool { !counts(plain) && parts.isContained(in: plain) }

    /// Returns true if a normalized name is a count of a language model's tokens, which is not secret.
    private static func counts(_ plain: String) -> Bool {
        // Performance: called for each word of a text.
        guard plain.utf8.last == UInt8(ascii: "s") else { return false }
        let name = plain.hasSuffix("details") ? plain.dropLast(7) : plain[...]
        guard name.hasSuffix("tokens") else { return false }
        let kind = name.dropLast(6)
        return counted.contains { kind.hasSuffix($0) }
    }
}
