// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import SimorghCommand
import SimorghTesting
import TestSupport
import Testing

/// The end of `simorgh ws`, and its errors for an upgrade that is refused.
@Suite(.timeLimit(.minutes(10)))
struct CommandWebSocketEndTests {
    @Test("At the end of standard input the answers are waited for, though each takes 0.3 s")
    func late() async throws {
        let url = try Witness.realtime.url + "/late/300"
        let outcome = try await CommandTool.run(["ws", url], input: "1\n2\n3\n4\n5\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == "1\n2\n3\n4\n5\n")
        #expect(outcome.errors.contains("disconnected: 1000"))
    }

    @Test("A line, and Python's websockets that echoes it: no answer is lost", arguments: 0..<5)
    func echo(run: Int) async throws {
        let url = try Witness.realtime.url + "/echo"
        let outcome = try await CommandTool.run(["ws", url], input: "hi\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == "hi\n")
    }

    @Test("Quiet is counted from the end of standard input, and not from a message before it")
    func pause() async throws {
        let url = try Witness.realtime.url + "/late/500"
        // The pause between the two lines is longer than the quiet that is waited for.
        let outcome = try await CommandTool.shell(
            #"{ echo a; sleep 4; echo b; } | "$simorgh" ws "$url""#, environment: ["url": url])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == "a\nb\n")
    }

    @Test("With --wait 0 the connection is closed at the end of standard input")
    func atOnce() async throws {
        let url = try Witness.realtime.url + "/late/60000"
        let outcome = try await CommandTool.run(["ws", url, "--wait", "0"], input: "x\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.isEmpty)
    }

    @Test("A closing that the server never answers is no success, and no code of the server's")
    func unanswered() async throws {
        try await MockServer.with { server in
            server.on(.get, "/deaf") { _ in
                .webSocket { socket in
                    socket.answersClose = false
                    try await socket.closed()
                }
            }
            // The two seconds of quiet leave the server the time to turn deaf.
            let outcome = try await CommandTool.run(["ws", server.url + "/deaf"], input: "x\n")
            #expect(outcome.status == 9)
            #expect(outcome.errors.contains("disconnected: 1006 the server did not answer the close frame"))
            #expect(!outcome.errors.contains("1000"))
            let json = try await CommandTool.run(["ws", server.url + "/deaf", "--json"], input: "x\n")
            #expect(json.text.contains(#"{"code":1006,"event":"disconnected""#), "\(json.text)")
        }
    }

    @Test("The code of the server's own closing is told, also where this side closed first")
    func serversCode() async throws {
        try await MockServer.with { server in
            server.on(.get, "/rude") { _ in
                .webSocket { socket in
                    socket.answersClose = false
                    while try await socket.receive() != nil {}
                    // A closing with 1011 and a reason of one letter, unmasked as a server sends it.
                    try await socket.sendRaw([0x88, 3, 0x03, 0xF3, 0x78])
                    try await socket.closed()
                }
            }
            // The command waits a second for the server, which may be late on a busy machine.
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
        "A token in a subprotocol is hidden in every line, be it offered, sent, chosen or told",
        arguments: [
            ("base64url.bearer.authorization.k8s.io.c2VjcmV0LXRva2Vu", "c2VjcmV0LXRva2Vu"), ("bearer.TOKEN9", "TOKEN9"),
        ])
    func token(subprotocol: String, secret: String) async throws {
        try await MockServer.with { server in
            server.on(.get, "/t") { _ in .webSocket { _ in } }
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

    @Test("A token that follows access_token is hidden where the server chooses it")
    func followingToken() async throws {
        try await MockServer.with { server in
            server.on(.get, "/t") { _ in .webSocket(subprotocol: { $0.last }) { _ in } }
            for options in [["-v"], ["--json"]] {
                let outcome = try await CommandTool.run(
                    ["ws", server.url + "/t", "--listen", "--subprotocol", "access_token", "--subprotocol", "sesame42"]
                        + options)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(!(outcome.errors + outcome.text).contains("sesame42"), "\(outcome.errors)")
            }
        }
    }

    @Test("With --verbose the request is shown with the fields of the upgrade")
    func head() async throws {
        try await MockServer.with { server in
            server.on(.get, "/t") { _ in .webSocket { _ in } }
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
            // It is the key that was sent: the answer belongs to it.
            let key = lines.first { $0.hasPrefix("> Sec-WebSocket-Key: ") }?.dropFirst(21).description ?? ""
            let answer = "< Sec-WebSocket-Accept: \(WebSocketHandshake.answer(to: key))"
            #expect(lines.contains(answer), "\(outcome.errors)")
        }
    }

    @Test("A refusal of the upgrade tells where it points, and with --verbose its body")
    func refusal() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            server.on(.get, "/old") { _ in
                StubResponse(status: .movedPermanently, headerFields: [.location: "/ws/echo"])
            }
            server.on(.get, "/no") { _ in .json(#"{"reason":"too many"}"#, status: .forbidden) }
            let moved = try await CommandTool.run(["ws", server.url + "/old", "--listen"])
            #expect(moved.status == 3)
            #expect(moved.errors.contains("301 Moved Permanently and points to /ws/echo; --location follows it"))
            let refused = try await CommandTool.run(["ws", server.url + "/no", "--listen", "-v"])
            #expect(refused.status == 4)
            #expect(refused.errors.contains(#"{"reason":"too many"}"#), "\(refused.errors)")
            let followed = try await CommandTool.run(["ws", server.url + "/old", "-L"], input: "x\n")
            #expect(followed.status == 0, "\(followed.errors)")
            #expect(followed.text == "x\n")
            server.on(.get, "/round") { _ in StubResponse(status: .found, headerFields: [.location: "/round"]) }
            let round = try await CommandTool.run(["ws", server.url + "/round", "-L", "--listen"])
            #expect(round.status == 3 && round.errors.contains("more than 20 times"), "\(round.errors)")
        }
    }

    @Test("A redirect of the upgrade: another origin sees no credentials, and wss does not become ws")
    func origins() throws {
        var request = RequestDescription(method: .get, url: "wss://a.test/socket")
        request.credential = .bearer("secret")
        request.query = [QueryItem("q", "1")]
        let plain = try #require(HTTPField.Name("X-Plain"))
        request.fields = [
            HTTPField(name: .authorization, value: "a"), HTTPField(name: .cookie, value: "b"),
            HTTPField(name: plain, value: "c"),
        ]
        let same = try request.redirected(from: "wss://a.test/socket?q=1", to: "next?r=2")
        #expect(same.url == "wss://a.test/next?r=2")
        #expect(same.query.isEmpty && same.credential == request.credential && same.fields == request.fields)
        let other = try request.redirected(from: "wss://a.test/socket", to: "https://b.test/x")
        #expect(other.url == "wss://b.test/x")
        #expect(other.credential == nil && other.fields.map(\.name) == [plain])
        for location in [
            "ws://a.test/", "http://a.test/", "ftp://a.test/", "ws+unix://%2Frun%2Fx/", "wss://u:p@a.test/",
        ] {
            #expect(throws: CommandError.self, "\(location)") {
                try request.redirected(from: "wss://a.test/", to: location)
            }
        }
    }

    @Test(
        "What cannot be is refused before anything is sent",
        arguments: [["--wait", "-1"], ["--wait", "nan"], ["--wait", "1", "--stay"], ["--wait", "1", "--listen"]])
    func usage(arguments: [String]) async throws {
        let outcome = try await CommandTool.run(["ws", "ws://127.0.0.1:1/"] + arguments)
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("--wait"))
    }
}
#endif
