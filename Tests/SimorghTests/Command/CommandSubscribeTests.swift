// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandSubscribeTests {
    @Test("subscribe prints one GraphQL event per line until the server completes the subscription")
    func graphQL() async throws {
        let url = try Witness.graphQL.url + "/strawberry"
        let outcome = try await CommandTool.run(["subscribe", url, "subscription { count(target: 3) }"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == (0..<3).map { #"{"data":{"count":\#($0)}}"# + "\n" }.joined())
        let legacy = try await CommandTool.run([
            "subscribe", url, "--protocol", "graphql-ws", "--json", "--variables", #"{"n":2}"#,
            "subscription($n: Int!) { count(target: $n) }",
        ])
        #expect(legacy.status == 0, "\(legacy.errors)")
        #expect(legacy.text.split(separator: "\n").count == 3)
        #expect(legacy.text.hasPrefix(#"{"change":"subscribed","subscription":"#))
        let token = try await CommandTool.run([
            "subscribe", url, "--payload", #"{"token":"zal"}"#, "--count", "1", "subscription { token }",
        ])
        #expect(token.text == #"{"data":{"token":"zal"}}"# + "\n")
    }

    @Test(
        "subscribe supports each protocol",
        arguments: [
            (["appsync", "/graphql", "subscription { onTick }", "--api-key", "k"], #"{"data":{"onTick":{"n":0}}}"#),
            (["appsync-events", "/with/ticks=9/event/realtime", "/chat/a", "--api-key", "k"], #"{"n":0}"#),
            (["graphql-transport-ws", "/plain", "subscription { tick }"], #"{"data":{"tick":0}}"#),
            (["graphql-ws", "/plain", "subscription { tick }"], #"{"data":{"tick":0}}"#),
            (["binance", "", "coin@trade"], nil),
            (["phoenix", "/socket/websocket", "room:1", "--event", "tick"], #"{"n":0}"#),
            (["absinthe", "/socket/websocket", "subscription { tick }"], #"{"data":{"tick":0}}"#),
            (["pusher", "/app/key", "a", "--event", "tick"], #"{"n":0}"#),
            (["json", "/ws", #"{"method":"SUBSCRIBE","params":["a@trade"],"id":1}"#], nil),
        ] as [([String], String?)])
    func protocols(arguments: [String], first: String?) async throws {
        let url = try Witness.subscriptions.url + arguments[1]
        let outcome = try await CommandTool.run(
            ["subscribe", url, "--protocol", arguments[0], "--count", "2"] + arguments.dropFirst(2))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.text.split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        if let first { #expect(lines.first == first) }
    }

    @Test("subscribe reports a connection loss with its reason and the delay before the retry")
    func interruption() async throws {
        // The server counts its dropped connections per journal, for as long as it runs.
        let journal = UUID().uuidString.lowercased()
        let url = try Witness.subscriptions.url + "/with/drop_after=1,drops=1,journal=\(journal)/socket/websocket"
        let outcome = try await CommandTool.run([
            "subscribe", url, "--protocol", "phoenix", "--json", "--count", "2", "--event", "tick", "room:1",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = try outcome.text.split(separator: "\n").map { try JSON(parsing: Data($0.utf8)) }
        let interrupted = try #require(lines.first { $0.change == "interrupted" })
        #expect(interrupted.error == "connectionLost" && interrupted.reason.string?.isEmpty == false)
        #expect(interrupted.retryAfter.double.map { $0 >= 0 } == true)
    }

    @Test(
        "subscribe unsubscribes at the server after --count and on a signal",
        arguments: ["json", "binance"], [true, false])
    func goodbye(language: String, isEnough: Bool) async throws {
        let journal = UUID().uuidString.lowercased()
        let base = try Witness.subscriptions.url
        var arguments = ["subscribe", "--protocol", language]
        if language == "json" {
            arguments += ["--unsubscribe", #"{"method":"UNSUBSCRIBE","params":["a@trade"],"id":2}"#]
            arguments += ["\(base)/with/journal=\(journal)/ws", #"{"method":"SUBSCRIBE","params":["a@trade"],"id":1}"#]
        } else {
            arguments += ["\(base)/with/journal=\(journal)", "a@trade"]
        }
        if isEnough {
            arguments += ["--count", "2"]
            let outcome = try await CommandTool.run(arguments)
            #expect(outcome.status == 0, "\(outcome.errors)")
        } else {
            let command = try CommandTool.start(arguments)
            _ = try await command.line()
            command.signal(SIGINT)
            #expect(try await command.outcome().status == 130)
        }
        let server = APIClient(baseURL: base.replacingOccurrences(of: "ws://", with: "http://"))
        var said: [[String]] = []
        // The server may still be reading the last bytes that it received.
        try await eventually {
            said = try await server.get("journal/\(journal)")
            return said.joined().count >= 2
        }
        #expect(said.map(\.count) == [2] && said.first?.last?.contains("UNSUBSCRIBE") == true)
    }

    @Test("subscribe reports the reason if the server refuses a subscription, and rejects invalid arguments")
    func refusals() async throws {
        let url = try Witness.graphQL.url + "/strawberry"
        let unknown = try await CommandTool.run(["subscribe", url, "subscription { nope }"])
        #expect(unknown.status == 9)
        #expect(unknown.errors.contains("nope"))
        let key = try await CommandTool.run(["subscribe", url, "--protocol", "appsync", "x"])
        #expect(key.status == 2 && key.errors.contains("--api-key"))
        let json = try await CommandTool.run(["subscribe", url, "--protocol", "json", "{"])
        #expect(json.status == 2)
        let zeroCount = try await CommandTool.run(["subscribe", "ws://127.0.0.1:1/", "x", "--count", "0"])
        #expect(zeroCount.status == 2)
    }
}
#endif
