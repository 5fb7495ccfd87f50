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

    /// The lines of `--json` as objects.
    private static func events(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

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
        let events = try Self.events(outcome.text)
        #expect(events.compactMap { $0["event"] as? String } == ["connected", "message", "message", "disconnected"])
        #expect(events.compactMap { $0["text"] as? String } == ["0", "1"])
        #expect(events.compactMap { $0["bytes"] as? Int } == [1, 1])
        #expect(events.last?["code"] as? Int == 1000)
        #expect(outcome.errors.isEmpty)
    }

    @Test("With --ping it asks again and again, and tells how long each answer took")
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

    @Test("Without --json a pong is told on standard error, with --verbose, too", arguments: [[], ["--verbose"]])
    func pong(more: [String]) async throws {
        // The shell puts both streams into the one that is read by lines, and then is the command.
        let command = try ChildProcess(
            "/bin/sh",
            ["-c", #"exec "$simorgh" "$@" 2>&1"#, "sh", "ws", Self.url("/echo"), "--listen", "--ping", "0.01"] + more,
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

    @Test("With --verbose each message's way, kind and size are told beside it")
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

    @Test("With --json and --verbose the line of a message that came says its size, and standard error what was sent")
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

    @Test("Bytes without --binary are told by their number and the first of them", arguments: [3, 40])
    func bytes(count: Int) async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/bytes/\(count)"), "--listen"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.isEmpty)
        let start = "00 01 02"
        #expect(outcome.errors.contains("* \(count) bytes: \(start)"))
        #expect(outcome.errors.contains(count == 3 ? "02\n" : " 1e 1f …\n"))
        #expect(!outcome.errors.contains(" 20"))
    }

    @Test("Bytes in --json are in base64, with their number", arguments: [[], ["--binary"]])
    func bytesInJSON(more: [String]) async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/bytes/40"), "--listen", "--json"] + more)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let message = try #require(try Self.events(outcome.text).first { $0["event"] as? String == "message" })
        #expect(message["data"] as? String == Data(0..<40).base64EncodedString())
        #expect(message["bytes"] as? Int == 40)
        #expect(message["text"] == nil)
        #expect(outcome.errors.isEmpty)
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

    @Test("With --reconnect a connection that stood and was lost comes back, and that is shown")
    func comeback() async throws {
        let outcome = try await CommandTool.run(["ws", Self.url("/numbers"), "--listen", "--reconnect", "1"])
        // The second loss is one more than was asked for.
        #expect(outcome.status == 9, "\(outcome.errors)")
        #expect(outcome.text.split(separator: "\n").count == 20)
        let told = outcome.errors.split(separator: "\n")
        #expect(told.filter { $0.hasPrefix("* connected to ") }.count == 2)
        let again = told.filter { $0.contains("; connecting again in ") }
        #expect(again.count == 1)
        #expect(again.first?.hasPrefix("simorgh: ") == true)
        #expect(again.first?.hasSuffix("milliseconds (attempt 1)") == true, "\(again)")
    }

    @Test("With --reconnect and --json the lines tell the loss and the connection that comes after it")
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
#endif
