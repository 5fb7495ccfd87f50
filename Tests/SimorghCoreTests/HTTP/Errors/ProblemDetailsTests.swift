// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

@Suite("Problem details (RFC 9457)", .timeLimit(.minutes(5)))
struct ProblemDetailsTests {
    /// Returns the error of a call that a server answers with a body.
    private static func error(
        _ body: String, type: String = "application/problem+json", status: HTTPResponse.Status = .forbidden,
        configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) async throws -> NetworkError {
        let server = StubServer { _ in .text(body, contentType: type, status: status) }
        return try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(server, configure: configure).call(.get, "accounts/7?key=s3cret").void()
        }
    }

    private static let outOfCredit = """
        {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.",
         "detail": "Your current balance is 30, but that costs 50.", "instance": "/account/12345/msgs/abc",
         "balance": 30, "accounts": ["/account/12345", "/account/67890"], "status": 403}
        """

    private static let outOfCreditXML = """
        <?xml version="1.0" encoding="UTF-8"?>
        <problem xmlns="urn:ietf:rfc:7807">
          <type>https://example.com/probs/out-of-credit</type>
          <title>You do not have enough credit.</title>
          <detail>Your current balance is 30, but that costs 50.</detail>
          <instance>https://example.net/account/12345/msgs/abc</instance>
          <balance>30</balance>
          <status> 403 </status>
          <accounts>
            <i>https://example.net/account/12345</i>
            <i>https://example.net/account/67890</i>
          </accounts>
          <owner><name>Zal &amp; Rudabeh</name></owner>
        </problem>
        """

    @Test("The example of section 3 is read, with its extensions and a resolved instance")
    func json() async throws {
        let error = try await Self.error(Self.outOfCredit)
        let problem = try #require(error.problem)
        #expect(problem.type == "https://example.com/probs/out-of-credit")
        #expect(problem.title == "You do not have enough credit.")
        #expect(problem.status == 403)
        #expect(problem.detail == "Your current balance is 30, but that costs 50.")
        #expect(problem.instance == "https://api.test/account/12345/msgs/abc")
        #expect(problem.extensions == ["balance": 30, "accounts": ["/account/12345", "/account/67890"]])
        #expect(
            error.description == "GET https://api.test/accounts/7?… was answered with 403: "
                + "You do not have enough credit. Your current balance is 30, but that costs 50. "
                + "(https://example.com/probs/out-of-credit)")
    }

    @Test("The XML format of appendix B is read")
    func xml() async throws {
        let error = try await Self.error(Self.outOfCreditXML, type: "application/problem+xml; charset=utf-8")
        let problem = try #require(error.problem)
        #expect(problem.title == "You do not have enough credit." && problem.status == 403)
        #expect(problem.instance == "https://example.net/account/12345/msgs/abc")
        #expect(problem.extensions.balance == "30")
        #expect(problem.extensions.accounts[1] == "https://example.net/account/67890")
        #expect(problem.extensions.owner.name == "Zal & Rudabeh")
    }

    @Test("Missing members and those of a wrong type are ignored, and the type is about:blank")
    func wrongTypes() async throws {
        for body in [
            "{}", #"{"type": 7, "title": [], "status": "403", "detail": {}, "instance": null}"#,
            #"{"status": 403.5}"#, #"{"status": 99}"#, #"{"status": 1e300}"#,
        ] {
            let problem = try #require(try await Self.error(body).problem)
            #expect(problem.type == "about:blank")
            #expect(problem.title == nil && problem.status == nil && problem.detail == nil && problem.instance == nil)
            #expect(problem.extensions == [:])
        }
        let error = try await Self.error(#"{"status": 403}"#)
        #expect(error.problem?.status == 403)
        // Nothing to show but the body itself.
        #expect(error.description.hasSuffix(#"403: {"status": 403}"#))
    }

    @Test(
        "A relative type is resolved against the URL of the response",
        arguments: [("../probs/x", "https://api.test/probs/x"), ("about:blank", "about:blank"), ("urn:a:b", "urn:a:b")])
    func relative(type: String, resolved: String) async throws {
        #expect(try await Self.error(#"{"type": "\#(type)"}"#).problem?.type == resolved)
    }

    @Test(
        "Another media type, another root, and a malformed or truncated body are no problem details",
        arguments: [
            ("application/json", "{}"), ("application/problem", "{}"), ("text/html", "{}"), ("", "{}"),
            ("application/problem+json", "[]"), ("application/problem+json", #"{"title": "x""#),
            ("application/problem+json", ""), ("application/problem+xml", "<error><title>x</title></error>"),
            ("application/problem+xml", "<problem><title>x</problem>"), ("application/problem+xml", "{}"),
            (
                "application/problem+xml",
                "<!DOCTYPE problem [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><problem><title>&x;</title></problem>"
            ),
        ])
    func others(type: String, body: String) async throws {
        #expect(try await Self.error(body, type: type).problem == nil)
    }

    @Test("The body may be up to the limit of error bodies")
    func truncated() async throws {
        let body = #"{"title": "\#(String(repeating: "x", count: 5000))"}"#
        #expect(try await Self.error(body) { $0.maximumErrorBodyBytes = 6000 }.problem?.title?.count == 5000)
        #expect(try await Self.error(body) { $0.maximumErrorBodyBytes = 4000 }.problem == nil)
    }

    @Test("A media type in any case with parameters counts")
    func mediaType() async throws {
        #expect(
            try await Self.error(#"{"title": "x"}"#, type: "Application/Problem+JSON ; charset=utf-8").problem != nil)
    }

    @Test("The description is one bounded line without control characters and secrets")
    func description() async throws {
        let long = String(repeating: "y", count: 5000)
        let error = try await Self.error(
            #"{"title": "a\u001b[31m\nb\u202e", "detail": "access_token=s3cretS3cret \#(long)", "#
                + #""type": "https://u:s3cretS3cret@example.com/p?key=s3cretS3cret"}"#)
        let text = error.description
        #expect(text.contains(#"a\u{1b}[31m\nb\u{202e}: access_token="#))
        #expect(!text.contains("s3cret"), "\(text)")
        #expect(text.contains("(https://example.com/p?…)"))
        #expect(text.count < 1200)
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 })
        // The value itself is unchanged.
        #expect(error.problem?.title == "a\u{1b}[31m\nb\u{202e}")
    }

    @Test("An error without a response has no problem")
    func none() {
        #expect(NetworkError.unknown.problem == nil)
    }
}
