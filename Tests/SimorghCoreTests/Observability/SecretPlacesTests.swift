// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import Testing

/// Secrets where a name alone does not tell: under another type, in a URL in a URL, under escaped names.
@Suite("Secrets in other places", .timeLimit(.minutes(10)))
struct SecretPlacesTests {
    @Test(
        "JSON that is called a form is JSON, and a form is a form",
        arguments: [
            (#"{"user":"zal","password":"hunter22"}"#, #"{"user":"zal","password":"[hidden]"}"#),
            ("\n\t [{\"pin\":1234}]", "\n\t [{\"pin\":\"[hidden]\"}]"),
            ("user=zal&pin=1234&code={}", "user=zal&pin=[hidden]&code=[hidden]"),
        ])
    func forms(text: String, shown: String) {
        let type = "application/x-www-form-urlencoded; charset=utf-8"
        let body = Redactor(.standard).body(Data(text.utf8), type: type, upTo: 1000)
        #expect(body.text == shown)
    }

    @Test("What JSON that is called a form holds is looked for where an answer repeats it")
    func sentAsForm() {
        let head = HTTPRequest(method: .post, scheme: "https", authority: "a.test", path: "/")
        let body = RequestBody.text(#"{"password":"hunter22"}"#, contentType: "application/x-www-form-urlencoded")
        let redactor = Redactor(.standard, TransportRequest(head: head, body: body))
        #expect(redactor.text("you are hunter22") == "you are [hidden]")
    }
}
