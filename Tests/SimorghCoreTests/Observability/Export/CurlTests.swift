// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// Requests as curl commands: a shell passes the intended arguments.
@Suite("cURL commands", .timeLimit(.minutes(10)))
struct CurlTests {
    /// Returns the arguments that a shell passes to a function named curl, and its standard input.
    private static func words(_ command: String) async throws -> (arguments: [String], input: Data) {
        let script = "curl() { printf '%s\\0' \"$@\"; case \"$*\" in *@-*) cat;; esac; }; \(command)"
        let outcome = try await ChildProcess("/bin/sh", arguments: ["-c", script]).outcome()
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        var parts = outcome.output.split(separator: 0, omittingEmptySubsequences: false)
        let input = command.hasPrefix("printf") ? Data(parts.removeLast()) : Data()
        if !command.hasPrefix("printf"), parts.last?.isEmpty == true { parts.removeLast() }
        return (parts.map { String(decoding: $0, as: UTF8.self) }, input)
    }

    private static func request(
        _ method: HTTPRequest.Method = .get, _ path: String = "/x", _ fields: HTTPFields = [:],
        _ body: RequestBody = .empty
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(
                method: method, scheme: "https", authority: "api.test", path: path, headerFields: fields), body: body)
    }

    @Test("A plain request becomes a plain command")
    func plain() {
        #expect(
            Self.request(.get, "/x?a=1", [.accept: "application/json"]).cURL()
                == "curl --compressed --globoff --path-as-is --header 'Accept: application/json' 'https://api.test/x?a=1'"
        )
        #expect(
            Self.request(.delete).cURL(prettyPrinted: true) == """
                curl \\
                  --request DELETE \\
                  --compressed \\
                  --globoff \\
                  --path-as-is \\
                  https://api.test/x
                """)
    }

    @Test(
        "Any text in a request reaches curl unchanged, pretty-printed or not",
        arguments: [
            "it's", "'; echo owned; '", "$(id)", "`id`", "a\\'b\"c", "é 雪 🕊", "@/etc/passwd", "-x", "a\nb", "%s", "!!",
        ])
    func hostile(text: String) async throws {
        var fields: HTTPFields = [:]
        let value = text.replacing("\n", with: " ")
        fields[try #require(HTTPField.Name("X-A"))] = value
        let body = RequestBody.text(text, contentType: "text/plain")
        let request = Self.request(.post, "/x", fields, body)
        for isPretty in [false, true] {
            let words = try await Self.words(request.cURL(showing: .none, prettyPrinted: isPretty)).arguments
            #expect(
                words == [
                    "--compressed", "--globoff", "--path-as-is", "--header", "X-A: \(value)", "--header",
                    "Content-Type: text/plain", "--data-raw", text, "https://api.test/x",
                ])
        }
    }

    @Test("A pasted command has no control character that a terminal obeys, and curl gets it nevertheless")
    func controls() async throws {
        let text = String(repeating: "a", count: 600) + "\u{1B}[201~\u{3}\nid\r\n"
        let body = RequestBody.text(text, contentType: "text/plain\u{1B}\u{F}")
        let command = Self.request(.post, "/x", [:], body).cURL(showing: .none)
        #expect(command.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        let words = try await Self.words(command)
        #expect(words.input == Data(text.utf8) && words.arguments.contains("@-"))
        #expect(words.arguments.contains("Content-Type: text/plain\u{1B}\u{F}"))
    }

    @Test("Bytes that are not text are piped in by printf")
    func bytes() async throws {
        let bytes = Data((0...255).map { UInt8($0) })
        let command = Self.request(.put, "/x", [:], .bytes(bytes)).cURL(showing: .none)
        #expect(command.hasPrefix("printf "))
        // A shell argument cannot hold the zero byte, so only the pipe is checked.
        let feed = command.prefix(upTo: try #require(command.range(of: " | curl")).lowerBound)
        let outcome = try await ChildProcess("/bin/sh", arguments: ["-c", String(feed)]).outcome()
        #expect(outcome.output == bytes)
        #expect(command.contains("--data-binary @-"))
    }

    @Test("A body that is not in memory, or is binary, is read from a file")
    func files() {
        let large = RequestBody.text(String(repeating: "x", count: CurlText.maximumBodyBytes + 1))
        #expect(Self.request(.post, "/x", [:], large).cURL(showing: .none).contains("--data-binary @body.bin"))
        #expect(Self.request(.post, "/x", [:], .bytes(Data([0, 1]))).cURL().contains("--data-binary @body.bin"))
    }

    @Test(
        "Methods and HTTP versions become curl options",
        arguments: [
            (HTTPRequest.Method.get, "curl --compressed"), (.head, "curl --head"), (.post, "curl --request POST"),
            (.patch, "curl --request PATCH"),
        ])
    func methods(method: HTTPRequest.Method, start: String) {
        #expect(Self.request(method).cURL().hasPrefix(start))
        var request = Self.request(method)
        request.options.httpVersion = .http2PriorKnowledge
        #expect(request.cURL().contains("--http2-prior-knowledge"))
        request.options.decompresses = false
        #expect(!request.cURL().contains("--compressed"))
    }

    @Test("An empty header field stays empty, and a missing Content-Type is removed")
    func emptyFields() async throws {
        let name = try #require(HTTPField.Name("X-E"))
        let words = try await Self.words(
            Self.request(.post, "/x", [name: ""], .bytes(Data("a".utf8), contentType: nil))
                .cURL(showing: .none)
        ).arguments
        #expect(words.contains("X-E;") && words.contains("Content-Type:"))
    }

    @Test("Call.cURL() sends nothing and has the client's fields; secrets are hidden unless requested")
    func call() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) { $0.headers = ["X-API-Key": "s3cret", "A": "b"] }
        let call = client.call(
            .post, "login", query: ["token": "s3cret"], body: .json(["password": "s3cret", "user": "zal"]))
        let command = try await call.cURL()
        #expect(!command.contains("s3cret") && command.contains("zal") && command.contains("'A: b'"))
        #expect(command.contains("'https://api.test/login?token=[hidden]'"))
        let whole = try await call.cURL(showing: RedactionRules.none)
        #expect(whole.contains("'X-API-Key: s3cret'") && whole.contains("token=s3cret"))
        #expect(transport.requestCount == 0)
    }
}
