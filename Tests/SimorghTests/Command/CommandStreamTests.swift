// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandStreamTests {
    private static func server(
        _ type: String, _ text: String, _ work: (MockServer) async throws -> Void
    ) async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/s") { _ in .text(text, contentType: type) }
            try await work(server)
        }
    }

    @Test(
        "stream prints one record per line, framed according to the media type",
        arguments: [
            ("text/plain", "a\r\nb\n\nc", "a\nb\n\nc\n"),
            ("application/x-ndjson", "{\"a\":1}\n\n[2]\r\n", "{\"a\":1}\n[2]\n"),
            ("text/event-stream", ": hi\n\ndata: a\ndata: b\n\nid: 7\ndata: c\n\n", "a\nb\nc\n"),
        ])
    func framings(type: String, text: String, expected: String) async throws {
        try await Self.server(type, text) { server in
            let outcome = try await CommandTool.run(["stream", server.url + "/s"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == expected)
        }
    }

    @Test("--lines and --ndjson override the framing, and a record that does not parse ends the command")
    func asked() async throws {
        try await Self.server("text/plain", "{\"a\":1}\nrubbish\n") { server in
            let lines = try await CommandTool.run(["stream", server.url + "/s", "--lines"])
            #expect(lines.text == "{\"a\":1}\nrubbish\n")
            let records = try await CommandTool.run(["stream", server.url + "/s", "--ndjson"])
            #expect(records.status == 9)
            #expect(records.text == "{\"a\":1}\n")
            #expect(records.errors.contains("line 2 is not valid JSON: rubbish"))
        }
    }

    @Test("stream reports the status of a refused request, and does not print its body as records")
    func refusal() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let outcome = try await CommandTool.run(["stream", server.url + "/status/404"])
            #expect(outcome.status == 4)
            #expect(outcome.text.isEmpty)
        }
    }

    @Test("stream --resume continues after the last event id until the server answers 204")
    func resume() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/s") { request in
                switch request.header(HTTPField.Name("Last-Event-ID") ?? .accept) {
                case nil: .text("retry: 1\nid: 1\ndata: a\n\n", contentType: "text/event-stream")
                case "1": .text("id: 2\ndata: b\n\nid: 3\ndata: cut", contentType: "text/event-stream")
                case "2": .text("id: 3\ndata: c\n\n", contentType: "text/event-stream")
                default: .status(.noContent)
                }
            }
            let outcome = try await CommandTool.run(["stream", server.url + "/s", "--resume", "-v"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == "a\nb\nc\n")
            #expect(outcome.errors.contains("connecting again in"))
            #expect(outcome.errors.contains("* event message 3"))
            let later = try await CommandTool.run(
                ["stream", server.url + "/s", "--resume", "--last-event-id", "2"])
            #expect(later.text == "c\n")
        }
    }

    @Test("stream --resume --timeout limits the total time over all connections", arguments: [200, 503])
    func resumeTimeout(status: Int) async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/s") { _ in
                .text(
                    "retry: 1\n: hi\n\n", contentType: "text/event-stream", status: HTTPResponse.Status(code: status))
            }
            let outcome = try await CommandTool.run(["stream", server.url + "/s", "--resume", "--timeout", "1"])
            #expect(outcome.status == 8, "\(outcome.errors)")
            #expect(outcome.text.isEmpty)
        }
    }

    @Test("stream --resume: a Last-Event-ID header field sets only the initial id")
    func ownID() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/s") { request in
                request.header(HTTPField.Name("Last-Event-ID") ?? .accept) == "2"
                    ? .text("retry: 1\nid: 3\ndata: c\n\n", contentType: "text/event-stream") : .status(.noContent)
            }
            let outcome = try await CommandTool.run(["stream", server.url + "/s", "--resume", "-H", "last-event-id: 2"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == "c\n")
        }
    }

    @Test("stream --resume resends the body, and requests text/event-stream")
    func resumePost() async throws {
        try await MockServer.with { server in
            server.on(.post, path: "/s") { request in
                guard request.text == "hello", request.header(.accept) == "text/event-stream" else {
                    return .status(.badRequest)
                }
                return request.header(HTTPField.Name("Last-Event-ID") ?? .accept) == nil
                    ? .text("retry: 1\nid: 1\ndata: a\n\n", contentType: "text/event-stream") : .status(.noContent)
            }
            let url = server.url + "/s"
            let resumed = try await CommandTool.run(["stream", url, "--resume", "--data", "hello"])
            #expect(resumed.text == "a\n", "\(resumed.errors)")
            let once = try await CommandTool.run(["stream", url, "--sse", "--data", "hello"])
            #expect(once.text == "a\n", "\(once.errors)")
        }
    }

    @Test(
        "Contradictory stream options are rejected",
        arguments: [
            ["--resume", "--lines"], ["--last-event-id", "3"], ["--output", "x"], ["--method", "HEAD"],
            ["--sse", "--lines"],
        ])
    func usage(arguments: [String]) async throws {
        let outcome = try await CommandTool.run(["stream", "http://127.0.0.1:1/s"] + arguments)
        #expect(outcome.status == 2, "\(outcome.errors)")
    }
}
#endif
