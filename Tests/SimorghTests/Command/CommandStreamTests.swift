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
            server.on(.get, "/s") { _ in .text(text, contentType: type) }
            try await work(server)
        }
    }

    @Test(
        "Records are printed one on each line, framed as the media type says",
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

    @Test("Another framing can be asked for, and what does not fit it ends the command")
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

    @Test("A refusal is told with its status, and its body is no record")
    func refusal() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let outcome = try await CommandTool.run(["stream", server.url + "/status/404"])
            #expect(outcome.status == 4)
            #expect(outcome.text.isEmpty)
        }
    }

    @Test("With --resume it goes on after the last id, until the server says that it is over")
    func resume() async throws {
        try await MockServer.with { server in
            server.on(.get, "/s") { request in
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

    @Test("The time limit of a stream that goes on is one for all its connections", arguments: [200, 503])
    func resumeTimeout(status: Int) async throws {
        try await MockServer.with { server in
            server.on(.get, "/s") { _ in
                .text(
                    "retry: 1\n: hi\n\n", contentType: "text/event-stream", status: HTTPResponse.Status(code: status))
            }
            let outcome = try await CommandTool.run(["stream", server.url + "/s", "--resume", "--timeout", "1"])
            #expect(outcome.status == 8, "\(outcome.errors)")
            #expect(outcome.text.isEmpty)
        }
    }

    @Test("An id that is given as a header field is the first one, and no more")
    func ownID() async throws {
        try await MockServer.with { server in
            server.on(.get, "/s") { request in
                request.header(HTTPField.Name("Last-Event-ID") ?? .accept) == "2"
                    ? .text("retry: 1\nid: 3\ndata: c\n\n", contentType: "text/event-stream") : .status(.noContent)
            }
            let outcome = try await CommandTool.run(["stream", server.url + "/s", "--resume", "-H", "last-event-id: 2"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == "c\n")
        }
    }

    @Test("A body is sent again, and a stream of events is asked for by name")
    func resumePost() async throws {
        try await MockServer.with { server in
            server.on(.post, "/s") { request in
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
        "What does not go together is refused",
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
