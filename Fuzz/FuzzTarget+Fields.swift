// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Header fields: an accepted field cannot end its line, and the fast check is as strict as the slow one.
    static let headerFields = FuzzTarget(name: "header-fields") { bytes in
        let input = bytes.rest
        input.withUnsafeBytes { all in
            // From each offset, since the fast check reads eight bytes at a time.
            for start in 0..<min(9, all.count) {
                let part = UnsafeRawBufferPointer(rebasing: all[start...])
                precondition(HeaderRules.isValue(part) == part.allSatisfy(HeaderRules.isValueByte))
                precondition(HeaderRules.isASCII(part) == part.allSatisfy { $0 < 0x80 })
            }
        }
        let texts = bytes.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard texts.count == 2, let field = try? HeaderRules.field(name: texts[0], value: texts[1]) else { return }
        precondition(field.name.rawName == texts[0] && !texts[0].isEmpty)
        precondition(field.withUnsafeBytesOfValue { $0.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } })
        _ = try? HeaderRules.bearer(texts[1])
    }

    /// Cookies: a cookie is sent back unchanged, only to matching origins, and cannot start another field or cookie.
    static let cookies = FuzzTarget(name: "cookies") { bytes in
        let origins = [
            "https://www.example.com/a/b", "http://example.com/", "https://192.0.2.1/", "https://example.co.uk/x",
        ]
        var jar = CookieJar()
        for (index, field) in bytes.rest.split(separator: 0).prefix(100).enumerated() {
            guard let origin = try? CookieOrigin(origins[index % origins.count]) else { return }
            _ = jar.receive(field, from: origin, at: now)
        }
        for cookie in jar.cookies {
            precondition(!PublicSuffixes.contains(cookie.domain) || cookie.isHostOnly, "a cookie for a public suffix")
            precondition(cookie.expires.map { $0 <= now + CookieJar.maximumAge } ?? true, "the lifetime is too long")
        }
        for url in origins + ["https://evil.com/", "https://notexample.com/"] {
            guard let origin = try? CookieOrigin(url) else { return }
            guard let header = jar.header(for: origin, at: now) else { continue }
            precondition(!url.contains("evil") && !url.contains("notexample"), "sent to an unrelated host")
            precondition(header.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }, "a control character")
            let pairs = header.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            precondition(pairs.count <= jar.count, "one cookie reads as two")
        }
    }

    /// Challenges: parsed within their limits, and the answer has no control character that was not in them.
    static let challenges = FuzzTarget(name: "challenges") { bytes in
        let values = bytes.texts
        let challenges = AuthenticationChallenge.parse(values)
        precondition(challenges.count <= 16 && challenges.allSatisfy { $0.parameters.count <= 32 })
        _ = AuthenticationChallenge.parameters(values[0])
        guard let origin = WebOrigin("https://api.example.com"),
            let challenge = DigestChallenge.strongest(challenges, origin: origin)
        else { return }
        _ = challenge.covers("/a/b")
        let answer = DigestCredentials(
            username: "zal", password: "feather", challenge: challenge, count: 1, clientNonce: "c")
        let value = answer.value(method: "GET", target: "/a\"b", bodyHash: "h")
        precondition(!value.contains("feather"), "the answer contains the password")
        guard let read = AuthenticationChallenge.parse([value]).first else {
            preconditionFailure("the answer cannot be parsed")
        }
        precondition(
            read.parameters["realm"] == challenge.realm && read.parameters["nonce"] == challenge.nonce
                && read.parameters["uri"] == "/a\"b", "the answer has other parameters")
    }

    /// Dates and delays: within their limits, and a written date parses back.
    static let dates = FuzzTarget(name: "dates") { bytes in
        let text = bytes.text
        if let date = HTTPDate.parse(text, now: now) {
            precondition(HTTPDate.parse(HTTPDate.text(date), now: now) == date, "does not parse back")
        }
        if let delay = RetryAfter.delay(text, now: now) {
            precondition((.zero ... .seconds(3_155_760_000)).contains(delay))
        }
        if let date = HTTPDate.cookie(bytes.rest[...]) {
            precondition(HTTPDate.parse(HTTPDate.text(date), now: now) == date, "does not parse back")
        }
    }
}
