// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import SimorghCommand
import SimorghTesting
import TestSupport
import Testing

/// The end of `simorgh ws`, and its errors for a refused upgrade.
@Suite(.timeLimit(.minutes(10)))
struct CommandWebSocketEndTests {
    @Test("ws: after the end of standard input it waits for answers that take 0.3 s each")
    func late() async throws {
        let url = try Witness.realtime.url + "/late/300"
        let outcome = try await CommandTool.run(["ws", url], input: "1\n2\n3\n4\n5\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == "1\n2\n3\n4\n5\n")
        #expect(outcome.errors.contains("disconnected: 1000"))
    }

    @Test("ws: no answer of Python's websockets echo server is lost", arguments: 0..<5)
    func echo(run: Int) async throws {
        let url = try Witness.realtime.url + "/echo"
        let outcome = try await CommandTool.run(["ws", url], input: "hi\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == "hi\n")
    }

    @Test("ws: the quiet period starts at the end of standard input, not at an earlier message")
    func pause() async throws {
        let url = try Witness.realtime.url + "/late/500"
        // The pause between the two lines is longer than the quiet period.
        let outcome = try await CommandTool.shell(
            #"{ echo a; sleep 4; echo b; } | "$simorgh" ws "$url""#, environment: ["url": url])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == "a\nb\n")
    }

    @Test("ws --wait 0 closes the connection at the end of standard input")
    func atOnce() async throws {
        let url = try Witness.realtime.url + "/late/60000"
        let outcome = try await CommandTool.run(["ws", url, "--wait", "0"], input: "x\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.isEmpty)
    }

    @Test("ws: an unanswered close handshake is a failure with code 1006")
    func unanswered() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/deaf") { _ in
                .webSocket { socket in
                    socket.answersClose = false
                    try await socket.closed()
                }
            }
            // The server stops answering during the quiet period of two seconds.
            let outcome = try await CommandTool.run(["ws", server.url + "/deaf"], input: "x\n")
            #expect(outcome.status == 9)
            #expect(outcome.errors.contains("disconnected: 1006 the server did not answer the close frame"))
            #expect(!outcome.errors.contains("1000"))
            let json = try await CommandTool.run(["ws", server.url + "/deaf", "--json"], input: "x\n")
            #expect(json.text.contains(#"{"code":1006,"event":"disconnected""#), "\(json.text)")
        }
    }

    @Test("ws: the server's close code is reported, even if the client closed first")
    func serversCode() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/rude") { _ in
                .webSocket { socket in
                    socket.answersClose = false
                    while try await socket.receive() != nil {}
                    // A close frame with code 1011 and a reason of one letter, unmasked as a server sends it.
                    try await socket.sendRaw([0x88, 3, 0x03, 0xF3, 0x78])
                    try await socket.closed()
                }
            }
            // The command waits one second for the server's close frame, which may be late on a busy machine.
            var errors = ""
            for _ in 0..<10 where !errors.contains("1011 x") {
                let outcome = try await CommandTool.run(["ws", server.url + "/rude"], input: "x\n")
                #expect(outcome.status == 9, "\(outcome.errors)")
                errors = outcome.errors
            }
            #expect(errors.contains("1011 x"))
        }
    }

    @Test(
        "ws: a token in a subprotocol is redacted wherever it is offered, sent, chosen or reported",
        arguments: [
            ("base64url.bearer.authorization.k8s.io.c2VjcmV0LXRva2Vu", "c2VjcmV0LXRva2Vu"), ("bearer.TOKEN9", "TOKEN9"),
        ])
    func token(subprotocol: String, secret: String) async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/t") { _ in .webSocket { _ in } }
            for options in [[], ["-v"], ["--json"], ["-v", "--json"]] {
                let outcome = try await CommandTool.run(
                    ["ws", server.url + "/t", "--listen", "--subprotocol", subprotocol] + options)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let told = outcome.errors + outcome.text
                #expect(!told.contains(secret), "\(told)")
                #expect(told.contains("[hidden]"))
            }
        }
    }

    @Test("ws: a token offered after access_token is redacted when the server chooses it")
    func followingToken() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/t") { _ in .webSocket(subprotocol: { $0.last }) { _ in } }
            for options in [["-v"], ["--json"]] {
                let outcome = try await CommandTool.run(
                    ["ws", server.url + "/t", "--listen", "--subprotocol", "access_token", "--subprotocol", "sesame42"]
                        + options)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(!(outcome.errors + outcome.text).contains("sesame42"), "\(outcome.errors)")
            }
        }
    }

    @Test("ws --verbose shows the upgrade request's header fields")
    func head() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/t") { _ in .webSocket { _ in } }
            let outcome = try await CommandTool.run([
                "ws", server.url + "/t", "--listen", "-v", "--subprotocol", "chat.v1", "--compressed",
            ])
            let lines = outcome.errors.split(separator: "\n").map(String.init)
            for field in [
                "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Protocol: chat.v1",
            ] {
                #expect(lines.contains("> \(field)"), "\(outcome.errors)")
            }
            #expect(lines.contains { $0.hasPrefix("> Sec-WebSocket-Extensions: permessage-deflate") })
            // The key is the one that was sent, because the answer matches it.
            let key = lines.first { $0.hasPrefix("> Sec-WebSocket-Key: ") }?.dropFirst(21).description ?? ""
            let answer = "< Sec-WebSocket-Accept: \(WebSocketHandshake.answer(to: key))"
            #expect(lines.contains(answer), "\(outcome.errors)")
        }
    }

    @Test("ws: a refused upgrade reports its redirect target, and --verbose shows its body")
    func refusal() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            server.on(.get, path: "/old") { _ in
                StubResponse(status: .movedPermanently, headerFields: [.location: "/ws/echo"])
            }
            server.on(.get, path: "/no") { _ in .json(#"{"reason":"too many"}"#, status: .forbidden) }
            let moved = try await CommandTool.run(["ws", server.url + "/old", "--listen"])
            #expect(moved.status == 3)
            #expect(moved.errors.contains("301 Moved Permanently and points to /ws/echo; --location follows it"))
            let refused = try await CommandTool.run(["ws", server.url + "/no", "--listen", "-v"])
            #expect(refused.status == 4)
            #expect(refused.errors.contains(#"{"reason":"too many"}"#), "\(refused.errors)")
            let followed = try await CommandTool.run(["ws", server.url + "/old", "-L"], input: "x\n")
            #expect(followed.status == 0, "\(followed.errors)")
            #expect(followed.text == "x\n")
            server.on(.get, path: "/round") { _ in StubResponse(status: .found, headerFields: [.location: "/round"]) }
            let round = try await CommandTool.run(["ws", server.url + "/round", "-L", "--listen"])
            #expect(round.status == 3 && round.errors.contains("more than 20 times"), "\(round.errors)")
        }
    }

    @Test("ws --location: another origin receives no credentials, and wss is not downgraded to ws")
    func origins() throws {
        var request = RequestDescription(method: .get, url: "wss://a.test/socket")
        request.credential = .bearer("secret")
        request.oauth = "birds"
        request.query = [QueryItem(name: "q", value: "1")]
        let plain = try #require(HTTPField.Name("X-Plain"))
        request.fields = [
            HTTPField(name: .authorization, value: "a"), HTTPField(name: .cookie, value: "b"),
            HTTPField(name: plain, value: "c"),
        ]
        let same = try request.redirected(from: "wss://a.test/socket?q=1", to: "next?r=2")
        #expect(same.url == "wss://a.test/next?r=2")
        #expect(same.query.isEmpty && same.credential == request.credential && same.fields == request.fields)
        #expect(same.oauth == "birds")
        let other = try request.redirected(from: "wss://a.test/socket", to: "https://b.test/x")
        #expect(other.url == "wss://b.test/x")
        #expect(other.credential == nil && other.oauth == nil && other.fields.map(\.name) == [plain])
        for location in [
            "ws://a.test/", "http://a.test/", "ftp://a.test/", "ws+unix://%2Frun%2Fx/", "wss://u:p@a.test/",
        ] {
            #expect(throws: CommandError.self, "\(location)") {
                try request.redirected(from: "wss://a.test/", to: location)
            }
        }
    }

    @Test(
        "ws rejects contradictory options before a request is sent",
        arguments: [["--wait", "-1"], ["--wait", "nan"], ["--wait", "1", "--stay"], ["--wait", "1", "--listen"]])
    func usage(arguments: [String]) async throws {
        let outcome = try await CommandTool.run(["ws", "ws://127.0.0.1:1/"] + arguments)
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("--wait"))
    }
}
#endif
