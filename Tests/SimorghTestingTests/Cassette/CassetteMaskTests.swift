// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

/// A client that plays a cassette gets masks for the tokens that the server gave, and sends them.
@Suite("Masks that are played back", .timeLimit(.minutes(10)))
struct CassetteMaskTests {
    private static let url = "https://api.example.com/users"

    @Test(
        "A request with a token that an answer gave is found by its mask, in a URL in a URL, too",
        arguments: [
            ("next=%2Fcb%3Faccess_token%3Dabc&page=2", "%5Bhidden%5D"),
            ("next=%2Flogin%3Fnext%3D%252Fcb%253Faccess_token%253Dabc", "%255Bhidden%255D"),
            ("next=https://zal:abc@b.test/", "%5Bhidden%5D"), ("https://b.test/?sig=abc", "%5Bhidden%5D"),
            ("filter=%7B%22pin%22:%22abc%22%7D", "%5Bhidden%5D"),
            ("x=Bearer+abc", "%5bhidden%5d"), ("x=for+abc", "%5Bhidden%5D"), ("page=abc", "%255Bhidden%255D"),
        ])
    func playedBack(query: String, mask: String) async throws {
        let token = "m1nted-by-server"
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let transport = ScriptedTransport { request in
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

    @Test("Requests that differ in the JSON of an item are told apart, whatever secret stands beside it")
    func jsonOfItems() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        func query(_ id: Int, _ secret: String) throws -> String {
            var allowed = CharacterSet.alphanumerics
            allowed.insert("-")
            let json = #"{"id": \#(id), "z": "a b", "pin": \#(secret.utf8.count), "token": "\#(secret)"}"#
            return "v=" + (try #require(json.addingPercentEncoding(withAllowedCharacters: allowed)))
        }
        let transport = ScriptedTransport { request in .text(request.url.contains("%201%2C") ? "one" : "two") }
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
}
