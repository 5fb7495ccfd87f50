// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import TestSupport
import Testing

/// The client subcommands against `simorgh serve`.
@Suite(.timeLimit(.minutes(10)))
struct CommandServeRoutesTests {
    private static func serve(_ work: (_ url: String) async throws -> Void) async throws {
        let tool = try CommandTool.start(["serve"])
        try await work(try await tool.line())
        tool.signal(SIGTERM)
        #expect(try await tool.outcome().status == 0)
    }

    @Test("serve: ws, stream and subscribe each have a matching route")
    func all() async throws {
        try await Self.serve { url in
            let echo = try await CommandTool.run(["ws", url + "/ws/echo"], input: "hello\nyou\n")
            #expect(echo.status == 0, "\(echo.errors)")
            #expect(echo.text == "hello\nyou\n")
            let ticks = try await CommandTool.run(["ws", url + "/ws/ticks?count=3&delay=0", "--listen"])
            #expect(ticks.status == 0, "\(ticks.errors)")
            #expect(ticks.text == "{\"tick\":1}\n{\"tick\":2}\n{\"tick\":3}\n")
            let events = try await CommandTool.run(["stream", url + "/sse/3?delay=0"])
            #expect(events.status == 0, "\(events.errors)")
            #expect(events.text == "{\"tick\":1}\n{\"tick\":2}\n{\"tick\":3}\n")
            let list = try await CommandTool.run(["get", url])
            #expect(["/ws/echo", "/ws/ticks", "/sse/{n}", "/graphql"].allSatisfy(list.text.contains))
        }
    }

    @Test("serve: an event stream that ends early is resumed until all events have arrived")
    func resumed() async throws {
        try await Self.serve { url in
            let outcome = try await CommandTool.run(["stream", url + "/sse/5?each=2&delay=0&retry=0", "--resume"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text.split(separator: "\n").count == 5)
            #expect(outcome.errors.contains("the stream ended; connecting again in"))
        }
    }

    @Test(
        "serve: GraphQL supports queries, and subscriptions in both protocols",
        arguments: ["graphql-transport-ws", "graphql-ws"])
    func graphQL(language: String) async throws {
        try await Self.serve { url in
            let outcome = try await CommandTool.run([
                "subscribe", url + "/graphql", "--protocol", language, "--variables", #"{"n": 2}"#,
                "subscription($n: Int) { price(count: $n, delay: 0) }",
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == #"{"data":{"price":1}}"# + "\n" + #"{"data":{"price":2}}"# + "\n")
            let endless = try await CommandTool.run([
                "subscribe", url + "/graphql", "--protocol", language, "--count", "2", "subscription { a(delay: 0) }",
            ])
            #expect(endless.text.split(separator: "\n").count == 2)
            let failed = try await CommandTool.run(["subscribe", url + "/graphql", "--protocol", language, "{ fail }"])
            #expect(failed.status == 9 && failed.errors.contains("it fails"), "\(failed.errors)")
            let query = try await CommandTool.run(["post", url + "/graphql", "--json", #"{"query":"{ hello }"}"#])
            #expect(query.text == #"{"data":{"hello":"hello"}}"#)
            let nothing = try await CommandTool.run(["post", url + "/graphql", "--json", "{}"])
            #expect(nothing.status == 4)
        }
    }

    @Test("serve: a WebSocket route answers a plain request with 426")
    func plain() async throws {
        try await Self.serve { url in
            let outcome = try await CommandTool.run(["get", url + "/ws/echo", "-v"])
            #expect(outcome.status == 4)
            #expect(outcome.errors.contains("426 Upgrade Required"))
        }
    }
}
#endif
