// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import HTTPTypes
import Simorgh
import SimorghCommand
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("The command and REST APIs", .timeLimit(.minutes(10)))
struct CommandPaginateTests {
    /// Adds the pages of a list, linked by `Link` fields.
    private static func serve(_ bodies: [String], type: String = "application/json", on server: MockServer) {
        server.on("/list") { request in
            let page = request.query.first { $0.name == "page" }.flatMap { Int($0.value) } ?? 1
            let answer = StubResponse.text(bodies[page - 1], contentType: type)
            return page < bodies.count ? answer.header(.link, value: "<?page=\(page + 1)>; rel=\"next\"") : answer
        }
    }

    @Test("--paginate prints the arrays of all pages as one array, also into a file")
    func arrays() async throws {
        try await MockServer.with { server in
            Self.serve([" [1, {\"a\": 1.50}]\n", "[]", "[ ]", "[\"]\"]\n"], on: server)
            let outcome = try await CommandTool.run(["get", server.url + "/list", "--paginate"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == "[1, {\"a\": 1.50},\"]\"]\n")
            let file = FileManager.default.temporaryDirectory.appending(path: "pages \(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: file) }
            let saved = try await CommandTool.run(["get", server.url + "/list", "--paginate", "--output", file])
            #expect(saved.status == 0 && saved.output.isEmpty, "\(saved.errors)")
            #expect(try JSON(parsing: Data(contentsOf: URL(filePath: file))) == [1, ["a": 1.5], "]"])
            #expect(server.requestCount == 8)
        }
    }

    @Test("--paginate prints other bodies one after the other: objects on lines of their own, text as it is")
    func bodies() async throws {
        try await MockServer.with { server in
            Self.serve(["{\"a\": 1}", "{\"a\": 2}\n", "{\"a\": 3}"], on: server)
            let objects = try await CommandTool.run(["get", server.url + "/list", "--paginate"])
            #expect(objects.text == "{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}")
        }
        try await MockServer.with { server in
            Self.serve(["a,b", "c\n", "d"], type: "text/csv", on: server)
            let texts = try await CommandTool.run(["get", server.url + "/list", "--paginate"])
            #expect(texts.text == "a,bc\nd")
        }
    }

    @Test("--paginate sends the arguments with every page, and fails for a page that is not as the first")
    func arguments() async throws {
        try await MockServer.with { server in
            Self.serve(["[1]", "[2]", "{}"], on: server)
            let outcome = try await CommandTool.run([
                "get", server.url + "/list", "--paginate", "--bearer", "t0ken", "-H", "X-A: b", "--query", "q=1",
            ])
            #expect(outcome.status == 9)
            #expect(outcome.text == "[1,2")
            #expect(outcome.errors.contains("page 3 is not a JSON array"))
            #expect(server.requests.count == 3)
            for request in server.requests {
                #expect(request.header(.authorization) == "Bearer t0ken")
                #expect(request.head.headerFields[.known("X-A")] == "b")
            }
        }
    }

    @Test(
        "--paginate excludes arguments that are about one response",
        arguments: [
            ["--etag-save", "tag"], ["--etag-compare", "tag"], ["-H", "If-None-Match: \"a\""],
            ["-H", "Range: bytes=0-1"],
        ])
    func exclusions(arguments: [String]) async throws {
        try await MockServer.with { server in
            Self.serve(["[1]", "[2]"], on: server)
            let outcome = try await CommandTool.run(["get", server.url + "/list", "--paginate"] + arguments)
            #expect(outcome.status == 2 && outcome.errors.contains("--paginate"), "\(outcome.errors)")
            #expect(server.requestCount == 0)
        }
    }

    @Test("--paginate refuses a page at another origin, a loop, and the pages after an error")
    func refusals() async throws {
        try await MockServer.with { server in
            let port = server.port
            server.on("/away") { _ in
                .json("[1]").header(.link, value: "<http://localhost:\(port)/list>; rel=next")
            }
            server.on("/loop") { _ in .json("[1]").header(.link, value: "<>; rel=next") }
            server.on("/half") { request in
                request.query.isEmpty
                    ? .json("[1]").header(.link, value: "<?page=2>; rel=next")
                    : .text(
                        #"{"title": "Slow down", "detail": "try \u001b[31mlater"}"#,
                        contentType: "application/problem+json", status: .tooManyRequests)
            }
            let url = "http://127.0.0.1:\(port)"
            let away = try await CommandTool.run(["get", url + "/away", "--paginate", "--user", "a:b"])
            #expect(away.status == 1)
            #expect(away.errors.contains("another origin"), "\(away.errors)")
            let loop = try await CommandTool.run(["get", url + "/loop", "--paginate"])
            #expect(loop.status == 1 && loop.errors.contains("loop"), "\(loop.errors)")
            let half = try await CommandTool.run(["get", url + "/half", "--paginate"])
            #expect(half.status == 4 && half.text == "[1")
            #expect(
                half.errors == "simorgh: the server answered 429 Too Many Requests: Slow down: try \\u{1b}[31mlater\n")
        }
    }

    @Test("An error that has problem details prints the body, and the problem in the message")
    func problems() async throws {
        let url = try Witness.problems.url
        for format in ["json", "xml"] {
            let outcome = try await CommandTool.run(["get", url + "/problems/out-of-credit", "--query", "as=\(format)"])
            #expect(outcome.status == 4)
            #expect(outcome.text.contains("balance"))
            #expect(
                outcome.errors
                    == "simorgh: the server answered 403 Forbidden: You do not have enough credit. Your current balance "
                    + "is 30, but that costs 50. (https://example.com/probs/out-of-credit)\n")
        }
        let paged = try await CommandTool.run(["get", url + "/problems/blank", "--paginate"])
        #expect(paged.errors == "simorgh: the server answered 404 Not Found: Not Found\n")
        #expect(paged.text.contains("Not Found"))
        let controls = try await CommandTool.run(["get", url + "/problems/controls"])
        #expect(!controls.errors.contains("s3cret") && controls.errors.count < 800, "\(controls.errors)")
        #expect(!controls.errors.dropLast().unicodeScalars.contains { $0.value < 0x20 })
    }
}
#endif
