// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import SimorghTesting
import TestSupport
import Testing

/// `simorgh subscribe` against a server with unusual messages, which the servers of Tests/Peers do not send.
@Suite(.timeLimit(.minutes(10)))
struct CommandSubscribeServerTests {
    /// Runs a graphql-transport-ws server that answers each subscription with messages; `ID` in them is its id.
    private static func serve(
        _ messages: @escaping @Sendable (Int) -> String?, answersClose: Bool = true,
        _ work: (_ url: String) async throws -> Void
    ) async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/graphql") { _ in
                .webSocket { socket in
                    socket.answersClose = answersClose
                    while let text = try await socket.receiveText() {
                        let message = try JSON(parsing: Data(text.utf8))
                        switch message.type.string {
                        case "connection_init": try await socket.send(#"{"type":"connection_ack"}"#)
                        case "subscribe":
                            let id = message.id.string ?? ""
                            var number = 0
                            while let text = messages(number) {
                                try await socket.send(text.replacing("ID", with: id))
                                number += 1
                            }
                        default: continue
                        }
                    }
                    // A server that does not answer the close frame does not end the connection either.
                    if !answersClose { try await socket.closed() }
                }
            }
            try await work(server.url + "/graphql")
        }
    }

    private static func next(_ payload: String) -> String { #"{"id":"ID","type":"next","payload":\#(payload)}"# }

    @Test("subscribe: 20,000 events in a burst to a slow pipe arrive completely and in order")
    func burst() async throws {
        let count = 20_000
        let end = #"{"id":"ID","type":"complete"}"#
        let messages: @Sendable (Int) -> String? = { $0 < count ? Self.next("\($0)") : $0 == count ? end : nil }
        try await Self.serve(messages) { url in
            // A shell reads from a pipe one byte at a time.
            let slow = #"{ while read -r line; do echo "$line"; done; }"#
            let outcome = try await CommandTool.shell(
                #""$simorgh" subscribe "$url" 'subscription { v }' | "# + slow, environment: ["url": url])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.isEmpty, "\(outcome.errors.prefix(200))")
            let lines = outcome.text.split(separator: "\n")
            #expect(lines.count == count)
            #expect(lines.elementsEqual((0..<count).map { "\($0)" }))
        }
    }

    @Test(
        "subscribe prints an event verbatim: numbers, order of names, and duplicate names",
        arguments: [
            (#"{"z":1e400,"a":1.10,"b":-0.0,"c":1E5,"z":2}"#, #"{"z":1e400,"a":1.10,"b":-0.0,"c":1E5,"z":2}"#),
            (#"{"a": [1, 2]}"#, #"{"a": [1, 2]}"#), ("{\r\n  \"a\" : \"b c\"\n}", #"{"a":"b c"}"#),
            (#""a\nb""#, #""a\nb""#),
            ("12345678901234567890123456789", "12345678901234567890123456789"),
        ])
    func verbatim(payload: String, line: String) async throws {
        try await Self.serve({ $0 == 0 ? Self.next(payload) : nil }) { url in
            let plain = try await CommandTool.run(["subscribe", url, "subscription { v }", "--count", "1"])
            #expect(plain.status == 0, "\(plain.errors)")
            #expect(plain.text == line + "\n")
            let json = try await CommandTool.run(["subscribe", url, "s", "--count", "1", "--json"])
            let last = json.text.split(separator: "\n").last.map(String.init)
            #expect(last == #"{"event":\#(line),"subscription":"s"}"#)
        }
    }

    @Test("subscribe accepts a subscription id that the server sends as a number")
    func numericID() async throws {
        try await Self.serve({ $0 == 0 ? #"{"id":ID,"type":"next","payload":7}"# : nil }) { url in
            let outcome = try await CommandTool.run(["subscribe", url, "s", "--count", "1"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == "7\n")
        }
    }

    @Test(
        "subscribe exits after --count or a signal, even if the server does not answer the close frame",
        arguments: [true, false])
    func silent(isEnough: Bool) async throws {
        try await Self.serve({ $0 == 0 ? Self.next("1") : nil }, answersClose: false) { url in
            let command = try CommandTool.start(["subscribe", url, "s"] + (isEnough ? ["--count", "1"] : []))
            #expect(try await command.line() == "1")
            if !isEnough { command.signal(SIGINT) }
            #expect(try await command.outcome().status == (isEnough ? 0 : 130))
        }
    }

    @Test(
        "--payload and --variables require a JSON object",
        arguments: ["--payload", "--variables"], ["[]", "1", "{", "null"])
    func objects(option: String, value: String) async throws {
        let outcome = try await CommandTool.run(["subscribe", "ws://127.0.0.1:1/", "s", option, value])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(option) && outcome.errors.contains("JSON"), "\(outcome.errors)")
    }
}
#endif
