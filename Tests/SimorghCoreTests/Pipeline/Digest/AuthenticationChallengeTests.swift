// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AuthenticationChallengeTests {
    typealias Challenge = AuthenticationChallenge

    @Test(
        "Challenges are parsed from one or several fields, with quotes, escapes, tokens and commas",
        arguments: [
            (["Basic realm=\"a\""], [Challenge(scheme: "basic", parameters: ["realm": "a"])]),
            (["Basic"], [Challenge(scheme: "basic")]),
            (
                ["Negotiate, Basic realm=x"],
                [Challenge(scheme: "negotiate"), Challenge(scheme: "basic", parameters: ["realm": "x"])]
            ),
            (["Negotiate YWJj/+==, NTLM"], [Challenge(scheme: "negotiate"), Challenge(scheme: "ntlm")]),
            (["NTLM abc"], [Challenge(scheme: "ntlm")]),
            (
                ["Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\""],
                [
                    Challenge(
                        scheme: "newauth", parameters: ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
                    Challenge(scheme: "basic", parameters: ["realm": "simple"]),
                ]
            ),
            (
                ["Digest realm=\"a, b=c\" , nonce = \"n\"", "Basic realm=\"z\""],
                [
                    Challenge(scheme: "digest", parameters: ["realm": "a, b=c", "nonce": "n"]),
                    Challenge(scheme: "basic", parameters: ["realm": "z"]),
                ]
            ),
            (
                [",, Basic realm=a ,, , Bearer ,"],
                [Challenge(scheme: "basic", parameters: ["realm": "a"]), Challenge(scheme: "bearer")]
            ),
            (["", " ", ",", "=", "\"", "Basic realm=\"open", "Digest a=1, a=2", "é"], []),
            (
                ["Digest nonce=abc==, domain=/, opaque=, stale=false, stale=false, Basic realm=x"],
                [
                    Challenge(
                        scheme: "digest",
                        parameters: ["nonce": "abc==", "domain": "/", "opaque": "", "stale": "false"]),
                    Challenge(scheme: "basic", parameters: ["realm": "x"]),
                ]
            ),
        ])
    func challenges(fields: [String], expected: [Challenge]) {
        #expect(Challenge.parse(fields) == expected)
    }

    @Test("A field with thousands of challenges or parameters is parsed with bounded cost")
    func bounds() {
        let many = (0..<5_000).map { "S\($0) realm=r" }.joined(separator: ", ")
        #expect(Challenge.parse([many]).count == 16)
        let wide = "Digest " + (0..<5_000).map { "p\($0)=1" }.joined(separator: ", ")
        #expect(Challenge.parse([wide]).isEmpty)
    }

    @Test("Arbitrary bytes are parsed without a trap")
    func hostile() {
        let pieces = ["Digest", " ", "=", "\"", "\\", ",", "realm", "é", "\t", "==", "/", "a"]
        for seed in 0..<20_000 {
            var (text, rest) = ("", seed)
            while rest > 0 {
                text += pieces[rest % pieces.count]
                rest /= pieces.count
            }
            _ = Challenge.parse([text])
            _ = Challenge.parameters(text)
        }
    }
}
