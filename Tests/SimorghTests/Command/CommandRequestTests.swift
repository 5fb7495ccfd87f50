// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import HTTPTypes
import Simorgh
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandRequestTests {
    @Test("Each verb sends its HTTP method", arguments: ["get", "post", "put", "patch", "delete"])
    func verbs(verb: String) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let outcome = try await CommandTool.run([verb, server.url + "/anything/x"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.isEmpty)
            #expect(try JSON(parsing: outcome.output).method.string == verb.uppercased())
        }
    }

    @Test("HEAD prints the response head with redacted credentials, and no body")
    func head() async throws {
        try await MockServer.with { server in
            server.on("/signed") { _ in .text("body").header(.setCookie, value: "id=s3cret") }
            let outcome = try await CommandTool.run(["head", server.url + "/signed"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text.hasPrefix("HTTP/1.1 200 OK\n"))
            #expect(outcome.text.contains("Set-Cookie: [hidden]\n"))
            #expect(!outcome.text.contains("body\n"))
        }
    }

    @Test("Header fields, query and body arrive as typed")
    func everything() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let outcome = try await CommandTool.run([
                "post", "127.0.0.1:\(server.port)/anything?z=0", "--query", "q=salt & pepper", "--query", "q=+",
                "-H", "X-A: 1", "-H", "X-A: 2", "-H", "accept: text/x", "--json", #"{"n": 1.50}"#,
            ])
            let echo = try JSON(parsing: outcome.output)
            #expect(echo.args == ["z": "0", "q": ["salt & pepper", "+"]])
            #expect(echo["data"].string == #"{"n": 1.50}"#)
            #expect(echo.headers["X-A"].string == "1,2")
            #expect(echo.headers.Accept.string == "text/x")
            #expect(echo.headers["Content-Type"].string == "application/json")
            #expect(echo.headers["User-Agent"].string?.hasPrefix("simorgh/") == true)
        }
    }

    @Test("Form fields, a file and standard input are sent as the request body")
    func bodies() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let url = server.url + "/anything"
            let form = try await CommandTool.run(["post", url, "--form", "a=b&c", "--form", "é=+ "])
            #expect(try JSON(parsing: form.output).form == ["a": "b&c", "é": "+ "])

            let piped = try await CommandTool.run(["put", url, "--data", "@-"], input: "from a pipe\n")
            #expect(try JSON(parsing: piped.output)["data"] == "from a pipe\n")
            let redirected = try await CommandTool.shell("exec \"$simorgh\" put \(url) --json @- < /proc/version")
            #expect(try JSON(parsing: redirected.output)["data"].string?.isEmpty == false)

            let file = FileManager.default.temporaryDirectory.appending(path: "body \(UUID())")
            try Data("from a file".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let sent = try await CommandTool.run(["put", url, "--data", "@\(file.path)"])
            #expect(try JSON(parsing: sent.output)["data"] == "from a file")
            #expect(try JSON(parsing: sent.output).headers["Content-Length"] == "11")

            let missing = try await CommandTool.run(["put", url, "--data", "@/no/such/file"])
            #expect(missing.status == 2)
            #expect(missing.errors.contains("/no/such/file"))
        }
    }

    @Test("A binary body reaches a pipe byte for byte, even if it is megabytes large")
    func raw() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let outcome = try await CommandTool.run(["get", server.url + "/bytes/3000000?seed=7"])
            #expect(outcome.output == MockServer.bytes(3_000_000, seed: 7))
        }
    }

    @Test("--output saves a complete success, and keeps the old file if the body breaks off or the request is refused")
    func output() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "saved-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "out")
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let saved = try await CommandTool.run(["get", server.url + "/bytes/200000", "--output", file.path])
            #expect(saved.status == 0 && saved.output.isEmpty, "\(saved.errors)")
            #expect(try Data(contentsOf: file) == MockServer.bytes(200_000))

            let broken = try await CommandTool.run(["get", server.url + "/fault/truncate/99", "--output", file.path])
            #expect(broken.status == 9)
            server.on("/refused") { _ in .text("the reason", status: .forbidden) }
            let refused = try await CommandTool.run(["get", server.url + "/refused", "--output", file.path])
            #expect(refused.status == 4)
            #expect(refused.text == "the reason")
            #expect(try Data(contentsOf: file) == MockServer.bytes(200_000))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
        }
    }

    @Test("--verbose prints both heads and the phases on standard error, without credentials")
    func verbose() async throws {
        try await MockServer.with { server in
            server.on("/signed") { _ in
                .text("body").header(.setCookie, value: "id=s3cret").header(
                    .location, value: "/there?token=s3cret&page=2")
            }
            let outcome = try await CommandTool.run([
                "post", server.url + "/signed?api_key=s3cret&page=1", "--data", "x", "-H",
                "Authorization: Bearer s3cret", "-H", "Cookie: s3cret", "--verbose",
            ])
            #expect(outcome.text == "body")
            let lines = outcome.errors.split(separator: "\n").map(String.init)
            #expect(lines.first == "> POST /signed?api_key=[hidden]&page=1 HTTP/1.1")
            #expect(lines.contains("< Location: /there?token=[hidden]&page=2"))
            #expect(lines.contains("> Host: 127.0.0.1:\(server.port)"))
            #expect(lines.contains("> Authorization: Bearer [hidden]"))
            #expect(lines.contains("> Content-Length: 1"))
            #expect(lines.contains("< HTTP/1.1 200 OK"))
            #expect(lines.contains("< Set-Cookie: [hidden]"))
            let times = try #require(lines.first { $0.hasPrefix("* queue ") })
            for phase in ["connect", "request", "first byte", "body", "total"] {
                #expect(times.contains(", \(phase) "), "\(times)")
            }
            let bytes = try #require(lines.first { $0.hasPrefix("* sent ") })
            #expect(bytes.contains(" bytes, received ") && bytes.hasSuffix(" bytes (body: 4)"), "\(bytes)")
            #expect(!bytes.hasPrefix("* sent 0 "))
            #expect(!outcome.errors.contains("s3cret"))
            // The printed header fields are the ones that the server received.
            let sent = lines.filter { $0.hasPrefix("> ") && $0.contains(":") }.map {
                $0.dropFirst(2).prefix { $0 != ":" }
            }
            let came = try #require(server.requests.first).head.headerFields.map(\.name.rawName) + ["Host"]
            #expect(Set(sent.map { $0.lowercased() }) == Set(came.map { $0.lowercased() }))
        }
    }

    @Test(
        "Each class of failure has its own exit status and prints one line that names it",
        arguments: [
            ("/status/204", 0, ""), ("/redirect/1", 3, "points to"), ("/status/404", 4, "404 Not Found"),
            ("/status/500", 5, "500"), ("/fault/garbage", 9, "badServerResponse"),
            ("/fault/close-before-head", 9, "networkConnectionLost"),
            ("/fault/truncate/50", 9, "networkConnectionLost"),
            ("/fault/bad-gzip", 9, "cannotDecodeContentData"),
        ])
    func statuses(path: String, status: Int32, word: String) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let outcome = try await CommandTool.run(["get", server.url + path])
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(word.isEmpty || outcome.errors.contains(word))
            #expect(outcome.errors.split(separator: "\n").count == (status == 0 ? 0 : 1), "\(outcome.errors)")
            #expect(status == 0 || outcome.errors.hasPrefix("simorgh: "))
        }
    }

    @Test("The body of an error response is printed")
    func refusal() async throws {
        try await MockServer.with { server in
            server.on("/refused") { _ in .json(#"{"why":"so"}"#, status: .conflict) }
            let outcome = try await CommandTool.run(["get", server.url + "/refused"])
            #expect(outcome.status == 4)
            #expect(outcome.text == #"{"why":"so"}"#)
        }
    }

    @Test("An unrequested content coding is written undecoded to a pipe and to a file, with a warning")
    func unaskedCoding() async throws {
        try await MockServer.with { server in
            server.on("/plume") { _ in .text("as it came").header(.contentEncoding, value: "none, x-plume") }
            let file = FileManager.default.temporaryDirectory.appending(path: "plume-\(UUID())")
            defer { try? FileManager.default.removeItem(at: file) }
            let warning =
                "simorgh: the body has the content coding x-plume, which was not requested and is not decoded "
            let piped = try await CommandTool.run(["get", server.url + "/plume"])
            #expect(piped.status == 0)
            #expect(piped.text == "as it came")
            #expect(piped.errors == warning + "here; it is written unchanged\n")
            let saved = try await CommandTool.run(["get", server.url + "/plume", "--output", file.path])
            #expect(saved.status == 0)
            #expect(saved.errors == piped.errors)
            #expect(try String(contentsOf: file, encoding: .utf8) == "as it came")
            let asked = try await CommandTool.run(["get", server.url + "/plume", "-H", "Accept-Encoding: x-plume"])
            #expect(asked.text == "as it came")
            #expect(asked.errors.isEmpty)
            let head = try await CommandTool.run(["head", server.url + "/plume"])
            #expect(head.status == 0)
            #expect(head.errors.isEmpty)
            // `stream` must decode the body to read records, so it fails.
            let stream = try await CommandTool.run(["stream", server.url + "/plume"])
            #expect(stream.status == 9)
            #expect(stream.text.isEmpty)
            #expect(stream.errors.hasPrefix(warning))
        }
    }

    private static let unsent: [([String], Int32)] = [
        (["get"], 2), (["get", "http://127.0.0.1:1/"], 6), (["get", "http://nowhere.invalid/"], 6),
        (["get", "ftp://localhost/"], 2), (["get", "localhost:99999"], 2), (["frobnicate"], 2),
        (["get", "localhost", "--json", "1", "--data", "2"], 2), (["get", "localhost", "--timeout", "0"], 2),
        (["get", "localhost", "--cacert", "/no/such/file"], 2), (["get", "https://user:s3cret@localhost/"], 2),
        (["serve", "--port", "70000"], 2), (["--help"], 0), (["--version"], 0), (["help", "get"], 0),
        (["--generate-completion-script", "bash"], 0), (["--generate-completion-script", "zsh"], 0),
        (["--generate-completion-script", "fish"], 0),
    ]

    @Test("Usage errors and unreachable hosts have their own exit statuses", arguments: unsent)
    func unreachable(arguments: [String], status: Int32) async throws {
        let outcome = try await CommandTool.run(arguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == (status == 0 ? 0 : 1), "\(outcome.errors)")
        #expect(outcome.output.isEmpty == (status != 0))
        #expect(!outcome.errors.contains("s3cret"))
    }

    @Test("--timeout limits the whole call: the response head and a slow body")
    func timeout() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            for path in ["/delay/30", "/fault/stall-body"] {
                let outcome = try await CommandTool.run(["get", server.url + path, "--timeout", "0.3"])
                #expect(outcome.status == 8, "\(outcome.errors)")
                #expect(outcome.errors.contains("timedOut"))
            }
        }
    }

    @Test("--verbose prints the HTTP version used")
    func versions() async throws {
        let url = try Witness.nginxOverHTTP2.url + "/200"
        let root = try #require(ProcessInfo.processInfo.environment["SIMORGH_PEERS_ROOT"])
        for (arguments, version) in [
            ([], "HTTP/2 200"), (["--http1"], "HTTP/1.1 200"), (["--http2"], "HTTP/2 200"),
            (["--http2-only"], "HTTP/2 200"),
        ] {
            let outcome = try await CommandTool.run(["get", url, "--cacert", root, "-v"] + arguments)
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("< \(version)"), "\(outcome.errors)")
        }
        // As in curl, --http2 falls back to HTTP/1.1 over cleartext.
        let clear = try await CommandTool.run(["get", try Witness.nginx.url + "/200", "--http2", "-v"])
        #expect(clear.status == 0 && clear.errors.contains("< HTTP/1.1 200"))
        let refused = try await CommandTool.run(["get", try Witness.nginx.url + "/200", "--http2-only"])
        #expect(refused.status == 2, "\(refused.errors)")
        let alone = try await CommandTool.run([
            "get", try Witness.nginxTLS.url + "/200", "--http2-only", "--cacert", root,
        ])
        #expect(alone.status == 7, "\(alone.errors)")
    }

    @Test("Server certificates are verified, and --cacert trusts another authority")
    func tls() async throws {
        let (configuration, pem) = try MockServer.Configuration.secure()
        try await MockServer.with(configuration) { server in
            server.addHTTPBinRoutes()
            let url = server.url + "/get"
            let refused = try await CommandTool.run(["get", url])
            #expect(refused.status == 7, "\(refused.errors)")
            let file = FileManager.default.temporaryDirectory.appending(path: "ca-\(UUID()).pem")
            try Data(pem.utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let trusted = try await CommandTool.run(["get", url, "--cacert", file.path])
            #expect(trusted.status == 0, "\(trusted.errors)")
        }
    }

    @Test("A closed output pipe ends the command quietly")
    func brokenPipe() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let line = "{ \"$simorgh\" get \(server.url)/stream/90000; echo $? >&2; } | head -n 1"
            let outcome = try await CommandTool.shell(line)
            #expect(outcome.text.hasPrefix("{") && outcome.text.hasSuffix("\n"))
            #expect(outcome.errors == "141\n")
        }
    }

    @Test(
        "A signal cancels the request, and the exit status identifies the signal",
        arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func signals(signal: Int32, status: Int32) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let tool = try CommandTool.start(["get", server.url + "/delay/60"])
            _ = try await server.request(at: 0)
            tool.signal(signal)
            let outcome = try await tool.outcome()
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(outcome.errors.isEmpty)
            try await server.waitForOpenConnections(atMost: 0)
        }
    }
}
#endif
