// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandWebSocketTests {
    private static func url(_ path: String) throws -> String { try Witness.realtime.url + path }

    @Test("Each line is a message, and what comes back is printed")
    func echo() async throws {
        let outcome = try await CommandTool.run(
            ["ws", Self.url("/echo/3"), "--stay", "--subprotocol", "chat.v1", "--compressed"],
            input: "hello\nsalaam\nlast")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == "hello\nsalaam\nlast\n")
        #expect(outcome.errors.contains("connected to ws://127.0.0.1:"))
        #expect(outcome.errors.contains("subprotocol chat.v1, permessage-deflate"))
        #expect(outcome.errors.contains("disconnected: 1000"))
    }

    @Test("With --binary bytes go and come as they are")
    func binary() async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/echo/2"), "--stay", "--binary"], input: "one\ntwo\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == "onetwo")
    }

    @Test("At the end of standard input it says goodbye")
    func end() async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/echo")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("disconnected: 1000"))
    }

    @Test("With --json everything is a line of JSON on standard output")
    func json() async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/send/2"), "--json", "--listen"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let events = try outcome.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(events.compactMap { $0["event"] as? String } == ["connected", "message", "message", "disconnected"])
        #expect(events.compactMap { $0["text"] as? String } == ["0", "1"])
        #expect(events.last?["code"] as? Int == 1000)
        #expect(outcome.errors.isEmpty)
    }

    @Test("With --ping it asks again and again, and tells how long each answer took")
    func ping() async throws {
        let command = try CommandTool.start(["ws", Self.url("/echo"), "--listen", "--json", "--ping", "0.01"])
        #expect(try await command.line().contains("connected"))
        for _ in 0..<3 { #expect(try await command.line() == #"{"event":"pong"}"#) }
        command.signal(SIGINT)
        let outcome = try await command.outcome()
        #expect(outcome.status == 130)
        #expect(outcome.errors.contains("pong after "))
    }

    @Test("A refusal ends it with the number of its status", arguments: [(403, 4), (500, 5), (302, 3)])
    func refusal(status: Int, code: Int32) async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/reject/\(status)"), "--listen"])
        #expect(outcome.status == code)
        #expect(outcome.text.isEmpty)
        #expect(outcome.errors.contains("\(status)"))
        #expect(!outcome.errors.contains("connected"))
    }

    @Test("A server's goodbye that is no success, a loss, and a server that is not there have numbers of their own")
    func ends() async throws {
        let closed = try await CommandTool.run(["ws", Self.url("/close/1008"), "--stay"], input: "x\n")
        #expect(closed.status == 9)
        #expect(closed.errors.contains("1008 as you wished"))
        let lost = try await CommandTool.run(["ws", Self.url("/numbers"), "--listen"])
        #expect(lost.status == 9)
        #expect(lost.text.split(separator: "\n").count == 10)
        let nobody = try await CommandTool.run(["ws", "ws://127.0.0.1:1/", "--listen"])
        #expect(nobody.status == 6)
    }

    @Test("With --reconnect it comes back, and says why")
    func reconnect() async throws {
        let outcome = try await CommandTool.run(
            ["ws", Self.url("/later/1/1?\(UUID().uuidString)"), "--stay", "--reconnect", "3"], input: "x\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == "x\n")
        #expect(outcome.errors.contains("503"))
        #expect(outcome.errors.contains("connecting again in"))
    }

    @Test(
        "A signal says goodbye, and ends it with its number", arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func interrupt(signal: Int32, status: Int32) async throws {
        let command = try CommandTool.start(["ws", Self.url("/echo"), "--listen", "--json"])
        #expect(try await command.line().contains("connected"))
        command.signal(signal)
        #expect(try await command.outcome().status == status)
    }

    @Test(
        "What cannot be is refused before anything is sent",
        arguments: [
            ["ftp://x"], ["ws://x", "--ping", "0"], ["ws://x", "--reconnect", "-1"], ["ws://x", "-H", "no colon"],
            ["ws://x", "--user", "a:b", "--bearer", "c"], ["ws://x", "--subprotocol", "a b"], ["ws://u:p@x"],
        ])
    func usage(arguments: [String]) async throws {
        let outcome = try await CommandTool.run(["ws"] + arguments + ["--listen"])
        #expect(outcome.status == 2, "\(outcome.errors)")
    }
}
