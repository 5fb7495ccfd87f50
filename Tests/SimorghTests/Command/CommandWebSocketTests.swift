// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import SimorghCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandWebSocketTests {
    private static func url(_ path: String) throws -> String { try Witness.realtime.url + path }

    /// Decodes the lines of `--json` as objects.
    private static func events(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test("ws sends each line as a message and prints each received message")
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

    @Test("ws --binary sends and prints bytes unchanged")
    func binary() async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/echo/2"), "--stay", "--binary"], input: "one\ntwo\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == "onetwo")
    }

    @Test("ws closes the connection at the end of standard input")
    func end() async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/echo")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("disconnected: 1000"))
    }

    @Test("ws --json prints each event as a JSON line on standard output")
    func json() async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/send/2"), "--json", "--listen"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let events = try Self.events(outcome.text)
        #expect(events.compactMap { $0["event"] as? String } == ["connected", "message", "message", "disconnected"])
        #expect(events.compactMap { $0["text"] as? String } == ["0", "1"])
        #expect(events.compactMap { $0["bytes"] as? Int } == [1, 1])
        #expect(events.last?["code"] as? Int == 1000)
        #expect(outcome.errors.isEmpty)
    }

    @Test("ws --ping sends pings repeatedly and reports each round-trip time")
    func ping() async throws {
        let command = try CommandTool.start(["ws", Self.url("/echo"), "--listen", "--json", "--ping", "0.01"])
        #expect(try await command.line().contains("connected"))
        for _ in 0..<3 {
            let line = try await command.line()
            let pong = try #require(try Self.events(line).first)
            #expect(pong.keys.sorted() == ["event", "seconds"])
            #expect(pong["event"] as? String == "pong")
            let seconds = try #require(pong["seconds"] as? Double)
            #expect(seconds > 0 && seconds < 60)
        }
        command.signal(SIGINT)
        let outcome = try await command.outcome()
        #expect(outcome.status == 130)
        #expect(!outcome.errors.contains("pong"))
    }

    @Test(
        "ws --ping without --json reports pongs on standard error, also with --verbose", arguments: [[], ["--verbose"]])
    func pong(more: [String]) async throws {
        // The shell merges both streams into the one that is read by lines, then replaces itself with the command.
        let command = try ChildProcess(
            "/bin/sh",
            arguments: [
                "-c", #"exec "$simorgh" "$@" 2>&1"#, "sh", "ws", Self.url("/echo"), "--listen", "--ping", "0.01",
            ] + more,
            environment: ["simorgh": CommandTool.path])
        var lines: [String] = []
        repeat {
            lines.append(try await command.line())
        } while lines.last?.isEmpty == false && lines.last?.hasPrefix("* pong after ") == false
        command.signal(SIGINT)
        #expect(try await command.outcome().status == 130)
        #expect(lines.last?.hasSuffix(" ms") == true, "\(lines)")
        #expect(!lines.contains("* pong"))
        #expect(lines.contains { $0.hasPrefix("> GET /echo") } == !more.isEmpty)
    }

    @Test("ws --verbose reports the direction, kind and size of each message")
    func verbose() async throws {
        let text = try await CommandTool.run(
            ["ws", Self.url("/echo/2"), "--stay", "--verbose"], input: "hello\nسلام\n")
        #expect(text.status == 0, "\(text.errors)")
        #expect(text.text == "hello\nسلام\n")
        let told = text.errors.split(separator: "\n")
        #expect(told.filter { $0.hasPrefix("> text") } == ["> text, 5 bytes", "> text, 8 bytes"])
        #expect(told.filter { $0.hasPrefix("< text") } == ["< text, 5 bytes", "< text, 8 bytes"])
        #expect(told.contains { $0.hasPrefix("> GET /echo/2") })
        #expect(told.contains { $0.hasPrefix("< HTTP/1.1 101") })

        let binary = try await CommandTool.run(
            ["ws", Self.url("/echo/1"), "--stay", "--verbose", "--binary"], input: "one\n")
        #expect(binary.text == "one")
        #expect(binary.errors.contains("> binary, 3 bytes\n"))
        #expect(binary.errors.contains("< binary, 3 bytes\n"))

        let quiet = try await CommandTool.run(["ws", Self.url("/echo/1"), "--stay"], input: "one\n")
        #expect(!quiet.errors.contains("text, "))
    }

    @Test("ws --json --verbose prints a received message with its size, and reports sent messages on standard error")
    func verboseJSON() async throws {
        let outcome = try await CommandTool.run(
            ["ws", Self.url("/echo/1"), "--stay", "--verbose", "--json"], input: "سلام\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("> text, 8 bytes\n"))
        #expect(!outcome.errors.contains("< text"))
        let message = try #require(try Self.events(outcome.text).first { $0["event"] as? String == "message" })
        #expect(message["text"] as? String == "سلام")
        #expect(message["bytes"] as? Int == 8)
    }

    @Test("ws without --binary reports a binary message by its size and first bytes", arguments: [3, 40])
    func bytes(count: Int) async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/bytes/\(count)"), "--listen"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.isEmpty)
        let start = "00 01 02"
        #expect(outcome.errors.contains("* \(count) bytes: \(start)"))
        #expect(outcome.errors.contains(count == 3 ? "02\n" : " 1e 1f …\n"))
        #expect(!outcome.errors.contains(" 20"))
    }

    @Test("ws --json prints binary messages in base64, with their size", arguments: [[], ["--binary"]])
    func bytesInJSON(more: [String]) async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/bytes/40"), "--listen", "--json"] + more)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let message = try #require(try Self.events(outcome.text).first { $0["event"] as? String == "message" })
        #expect(message["data"] as? String == Data(0..<40).base64EncodedString())
        #expect(message["bytes"] as? Int == 40)
        #expect(message["text"] == nil)
        #expect(outcome.errors.isEmpty)
    }

    @Test("ws: a refused upgrade exits with the status of its HTTP class", arguments: [(403, 4), (500, 5), (302, 3)])
    func refusal(status: Int, code: Int32) async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/reject/\(status)"), "--listen"])
        #expect(outcome.status == code)
        #expect(outcome.text.isEmpty)
        #expect(outcome.errors.contains("\(status)"))
        #expect(!outcome.errors.contains("connected"))
    }

    @Test("ws: a close code that is an error, a lost connection and an unreachable server have their own exit statuses")
    func ends() async throws {
        let closed = try await CommandTool.run(["ws", Self.url("/close/1008"), "--stay"], input: "x\n")
        #expect(closed.status == 9)
        #expect(closed.errors.contains("1008 as you wished"))
        let lost = try await CommandTool.run(["ws", Self.url("/numbers"), "--listen"])
        #expect(lost.status == 9)
        #expect(lost.text.split(separator: "\n").count == 10)
        let unreachable = try await CommandTool.run(["ws", "ws://127.0.0.1:1/", "--listen"])
        #expect(unreachable.status == 6)
    }

    @Test("ws --reconnect reconnects after a refused upgrade, and reports the reason")
    func reconnect() async throws {
        let outcome = try await CommandTool.run(
            ["ws", Self.url("/later/1/1?\(UUID().uuidString)"), "--stay", "--reconnect", "3"], input: "x\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == "x\n")
        #expect(outcome.errors.contains("503"))
        #expect(outcome.errors.contains("connecting again in"))
    }

    @Test("ws --reconnect reconnects after a lost connection, and reports it")
    func comeback() async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/numbers"), "--listen", "--reconnect", "1"])
        // The second loss exceeds the one reconnect that was allowed.
        #expect(outcome.status == 9, "\(outcome.errors)")
        #expect(outcome.text.split(separator: "\n").count == 20)
        let told = outcome.errors.split(separator: "\n")
        #expect(told.filter { $0.hasPrefix("* connected to ") }.count == 2)
        let again = told.filter { $0.contains("; connecting again in ") }
        #expect(again.count == 1)
        #expect(again.first?.hasPrefix("simorgh: ") == true)
        #expect(again.first?.hasSuffix("milliseconds (attempt 1)") == true, "\(again)")
    }

    @Test("ws --reconnect --json prints events for the loss and for the new connection")
    func comebackInJSON() async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/numbers"), "--listen", "--reconnect", "1", "--json"])
        #expect(outcome.status == 9, "\(outcome.errors)")
        let events = try Self.events(outcome.text)
        let ten = Array(repeating: "message", count: 10)
        #expect(
            events.compactMap { $0["event"] as? String }
                == ["connected"] + ten + ["reconnecting", "connected"] + ten + ["disconnected"])
        let loss = try #require(events.first { $0["event"] as? String == "reconnecting" })
        #expect(loss["attempt"] as? Int == 1)
        let delay = try #require(loss["delay"] as? Double)
        #expect(delay >= 0 && delay <= 0.5)
        #expect((loss["reason"] as? String)?.isEmpty == false)
        #expect(events.last?["code"] as? Int == 1006)
    }

    @Test(
        "A signal closes the connection and sets the exit status",
        arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func interrupt(signal: Int32, status: Int32) async throws {
        let command = try CommandTool.start(["ws", Self.url("/echo"), "--listen", "--json"])
        #expect(try await command.line().contains("connected"))
        command.signal(signal)
        #expect(try await command.outcome().status == status)
    }

    @Test(
        "ws rejects invalid arguments before a request is sent",
        arguments: [
            ["ftp://x"], ["ws://x", "--ping", "0"], ["ws://x", "--reconnect", "-1"], ["ws://x", "-H", "no colon"],
            ["ws://x", "--user", "a:b", "--bearer", "c"], ["ws://x", "--subprotocol", "a b"], ["ws://u:p@x"],
        ])
    func usage(arguments: [String]) async throws {
        let outcome = try await CommandTool.run(["ws"] + arguments + ["--listen"])
        #expect(outcome.status == 2, "\(outcome.errors)")
    }
}
#endif
