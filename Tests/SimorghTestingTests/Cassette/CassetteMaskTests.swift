// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

/// Replay to a client that receives masks in place of the server's tokens, and sends the masks back.
@Suite("Cassette masks on replay", .timeLimit(.minutes(10)))
struct CassetteMaskTests {
    private static let url = "https://api.example.com/users"

    @Test(
        "A request with a token from a response is matched by the token's mask, also in a nested URL",
        arguments: [
            ("next=%2Fcb%3Faccess_token%3Dabc&page=2", "%5Bhidden%5D"),
            ("next=%2Flogin%3Fnext%3D%252Fcb%253Faccess_token%253Dabc", "%255Bhidden%255D"),
            ("next=https://zal:abc@b.test/", "%5Bhidden%5D"), ("https://b.test/?sig=abc", "%5Bhidden%5D"),
            ("filter=%7B%22pin%22:%22abc%22%7D", "%5Bhidden%5D"),
            ("x=Bearer+abc", "%5bhidden%5d"), ("x=for+abc", "%5Bhidden%5D"), ("page=abc", "%255Bhidden%255D"),
            ("x=for+abc", "%5bhidden%5d"), ("next=%252Fof%252Fabc", "%255Bhidden%255D"),
        ])
    func playedBack(query: String, mask: String) async throws {
        try await playBack(query, "m1nted-by-server", mask)
    }

    @Test(
        "A request with a token recognized by its format is matched by the token's mask",
        arguments: [
            ("x=for+abc", "%5Bhidden%5D"), ("next=https://b.test/of/abc?page=2", "%5Bhidden%5D"),
            ("ids=1,abc", "%5Bhidden%5D"), ("next=%252Fof%252Fabc", "%255Bhidden%255D"),
            ("x=abc", "%5Bhidden%5D"), ("abc", "%5Bhidden%5D"), ("x=100%25abc", "%5Bhidden%5D"),
            ("v=%7B%22of%22:%22abc%22%7D", "%5Bhidden%5D"),
        ])
    func playedBackTokens(query: String, mask: String) async throws {
        try await playBack(query, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmVk", mask)
    }

    private func playBack(_ query: String, _ token: String, _ mask: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let transport = StubServer { request in
            guard request.method == .post else { return .text("found") }
            return .json(#"{"token": "\#(token)"}"#)
        }
        func ask(_ cassette: Cassette, _ token: String) async throws {
            _ = try await cassette.ask(.post, Self.url)
            let answer = try await cassette.ask(.get, Self.url + "?" + query.replacing("abc", with: token))
            #expect(answer.text == "found")
        }
        try await Cassette.with(file.path(), mode: .record, over: transport) { try await ask($0, token) }
        #expect(try !String(contentsOf: file, encoding: .utf8).contains(token))
        try await Cassette.with(file.path(), mode: .replay) { try await ask($0, mask) }
    }

    @Test("Requests that differ only in the JSON of a query item are distinguished, whatever secret the JSON contains")
    func jsonOfItems() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        func query(_ id: Int, _ secret: String) throws -> String {
            var allowed = CharacterSet.alphanumerics
            allowed.insert("-")
            let json = #"{"id": \#(id), "z": "a b", "pin": \#(secret.utf8.count), "token": "\#(secret)"}"#
            return "v=" + (try #require(json.addingPercentEncoding(withAllowedCharacters: allowed)))
        }
        let transport = StubServer { request in .text(request.url.contains("%201%2C") ? "one" : "two") }
        try await Cassette.with(file.path(), mode: .record, over: transport) { cassette in
            for id in [1, 2] {
                let url = try Self.url + "?" + query(id, "first-s3cret")
                _ = try await cassette.ask(.get, url)
            }
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        #expect(!kept.contains("s3cret"))
        for secret in ["an0ther", "[hidden]"] {
            try await Cassette.with(file.path(), mode: .replay) { cassette in
                for (id, answer) in [(2, "two"), (1, "one")] {
                    let url = try Self.url + "?" + query(id, secret)
                    #expect(try await cassette.ask(.get, url).text == answer)
                }
            }
        }
    }

    @Test("A request is matched if JSON in an item repeats a redacted header value, whatever its formatting")
    func repeatedInJSON() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let item = "v=%7B%22z%22%3A%201%2C%20%22by%22%3A%20%22abc%22%7D"
        func ask(_ cassette: Cassette, _ token: String) async throws {
            let item = item.replacing("abc", with: token)
            let answer = try await cassette.ask(
                .post, Self.url + "?" + item, body: .text("page=2&" + item),
                fields: [
                    .authorization: "Bearer \(token)", .contentType: "application/x-www-form-urlencoded",
                    .referer: "https://b.test/?\(item)",
                ])
            #expect(answer.text == "found")
        }
        let transport = StubServer { _ in .text("found") }
        var rules = Cassette.Rules()
        rules.headers = ["Referer"]
        try await Cassette.with(file.path(), mode: .record, over: transport) { try await ask($0, "t0ken-of-joe") }
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("t0ken"))
        for token in ["t0ken-of-joe", "t0ken-of-jane"] {
            try await Cassette.with(file.path(), mode: .replay, rules: rules) { try await ask($0, token) }
        }
    }

    @Test(
        "A secret escaped inside JSON in an item is redacted, and so is one that a response repeats alone",
        arguments: [
            "v=%7B%22z%22:1,%22next%22:%22%252Fcb%253Faccess_token%253Dabc%22%7D",
            "v=%7B%22z%22:1,%22next%22:%22%252Fof%252FeyJhbGciOiJIUzI1NiJ9.abc%22%7D",
            "v=%7B%22z%22:1,%22%252Fof%252FeyJhbGciOiJIUzI1NiJ9.abc%22:2%7D",
            "v=%7B%22z%22:1,%22pin%22:%22abc%22%7D",
        ], [false, true])
    func escapedInJSON(query: String, isForm: Bool) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        func ask(_ cassette: Cassette, _ secret: String) async throws {
            let query = query.replacing("abc", with: secret)
            if isForm {
                let fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
                _ = try await cassette.ask(.post, Self.url, body: .text(query), fields: fields)
            } else {
                _ = try await cassette.ask(.get, Self.url + "?" + query)
            }
        }
        let answer = query.contains("pin") ? "you are s3cret-12345" : "found"
        let transport = StubServer { _ in .text(answer) }
        try await Cassette.with(file.path(), mode: .record, over: transport) { try await ask($0, "s3cret-12345") }
        let kept = try String(contentsOf: file, encoding: .utf8)
        #expect(!kept.contains("s3cret"))
        #expect(kept.contains("%22z%22%3A1"))
        try await Cassette.with(file.path(), mode: .replay) { try await ask($0, "an0ther-12345") }
    }

    @Test("Names in JSON that become equal after redaction are compared in a stable way")
    func namesThatBecomeOne() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        func ask(_ cassette: Cassette, _ secret: String) async throws {
            let members = (0..<16).map { "%22%252Fof%252FeyJhbGciOiJIUzI1NiJ9.\(secret)\($0)%22:\($0)" }
            _ = try await cassette.ask(.get, Self.url + "?v=%7B\(members.joined(separator: ","))%7D")
        }
        let transport = StubServer { _ in .text("found") }
        try await Cassette.with(file.path(), mode: .record, over: transport) { try await ask($0, "s3cret-12345") }
        for secret in ["an0ther-12345", "th1rd-12345"] {
            try await Cassette.with(file.path(), mode: .replay) { try await ask($0, secret) }
        }
    }
}
