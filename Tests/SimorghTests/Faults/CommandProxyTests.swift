// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import ArgumentParser
import Foundation
import Simorgh
import SimorghCommand
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CommandProxyTests {
    /// Starts `simorgh proxy` in front of a server with the routes of httpbin, and passes its URL to a function.
    private static func withProxy(
        _ arguments: [String], signal: Int32 = SIGTERM, _ body: (String) async throws -> Void
    ) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let tool = try CommandTool.start(["proxy", "--to", "127.0.0.1:\(server.port)"] + arguments)
            let url = try await tool.line()
            try await body(url)
            tool.signal(signal)
            let outcome = try await tool.outcome()
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.isEmpty)
            #expect(outcome.text == url + "\n")
        }
    }

    @Test(
        "proxy prints its URL, relays requests, and exits with success on a signal", arguments: [SIGINT, SIGTERM])
    func relays(signal: Int32) async throws {
        try await Self.withProxy([], signal: signal) { url in
            #expect(url.hasPrefix("http://127.0.0.1:"))
            let echo = try await APIClient(transport: NIOTransport()).call(.get, url + "/get", query: ["q": "1"]).json()
            #expect(echo.args.q == "1")
        }
    }

    @Test("--latency delays each direction")
    func latency() async throws {
        try await Self.withProxy(["--latency", "100ms"]) { url in
            let start = ContinuousClock.now
            try await APIClient(transport: NIOTransport()).call(.get, url + "/get").void()
            #expect(start.duration(to: .now) >= .milliseconds(200))
        }
    }

    @Test("--cut-after ends a connection in the middle of a response", arguments: ["reset", "close"])
    func cut(ending: String) async throws {
        try await Self.withProxy(["--cut-after", "2k", "--cut", ending, "--direction", "down"]) { url in
            let client = APIClient(transport: NIOTransport())
            let error = await #expect(throws: NetworkError.self) {
                try await client.call(.get, url + "/bytes/100000").void()
            }
            guard case .urlError(let failure)? = error else {
                Issue.record("the error is \(error as Any)")
                return
            }
            #expect(failure.code == .networkConnectionLost)
        }
    }

    @Test(
        "--bandwidth and --loss slow a response down, which arrives whole",
        arguments: [(["--bandwidth", "20k"], .milliseconds(800)), (["--loss", "50%"], .milliseconds(1000))]
            as [([String], Duration)])
    func slow(arguments: [String], least: Duration) async throws {
        try await Self.withProxy(arguments) { url in
            let client = APIClient(transport: NIOTransport())
            let start = ContinuousClock.now
            let data = try await client.call(.get, url + "/bytes/20000").data()
            #expect(data.count == 20_000)
            #expect(start.duration(to: .now) >= least)
        }
    }

    @Test("proxy reports a port that is in use in one line")
    func taken() async throws {
        try await Self.withProxy([]) { url in
            let port = try #require(url.split(separator: ":").last)
            let second = try await CommandTool.run(["proxy", "--to", "127.0.0.1:1", "--port", String(port)])
            #expect(second.status == 6)
            #expect(second.errors.split(separator: "\n").count == 1)
        }
    }

    private static let invalid: [([String], String)] = [
        ([], "--to"), (["--to", "http://a.test/path"], "without a path"), (["--to", "ftp://a.test"], "ftp"),
        (["--to", "a.test", "--latency", "fast"], "--latency takes"),
        (["--to", "a.test", "--latency", "-1"], "--latency takes"),
        (["--to", "a.test", "--latency", "11m"], "10 minutes"),
        (["--to", "a.test", "--bandwidth", "0"], "--bandwidth takes"),
        (["--to", "a.test", "--loss", "51%"], "at most 50%"),
        (["--to", "a.test", "--cut-after", "much"], "--cut-after takes"),
        (["--to", "a.test", "--cut-after", "9999999999999g"], "--cut-after takes"),
        (["--to", "a.test", "--cut", "reset"], "--cut requires --cut-after"),
        (["--to", "a.test", "--direction", "left"], "left"),
        (["--to", "a.test", "--connections", "0"], "1 to 10000"), (["--to", "a.test", "--port", "-1"], "0 to 65535"),
        (["--to", "zal:sesame@a.test"], "leave them out"),
    ]

    @Test("An invalid argument is a usage error that says what is valid", arguments: invalid)
    func usage(arguments: [String], reason: String) async throws {
        let outcome = try await CommandTool.run(["proxy"] + arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(!outcome.errors.contains("sesame"))
    }

    @Test("The help has examples and every option")
    func help() async throws {
        let outcome = try await CommandTool.run(["proxy", "--help"])
        #expect(outcome.status == 0)
        for option in ["--to", "--latency", "--bandwidth", "--loss", "--cut-after", "--cut", "--direction", "--port"] {
            #expect(outcome.text.contains(option))
        }
    }

    @Test(
        "The target of a URL has the port of its scheme, and no brackets",
        arguments: [
            ("example.com", "https example.com 443"), ("localhost:8080", "http localhost 8080"),
            ("http://[::1]", "http ::1 80"), ("wss://a.test/", "wss a.test 443"),
        ])
    func target(text: String, parts: String) throws {
        let target = try ProxyCommand.target(text)
        #expect("\(target.scheme) \(target.host) \(target.port)" == parts)
    }

    @Test("The options describe the faults of the chosen direction")
    func faults() throws {
        let text = [
            "--latency", "0.1", "--loss", "1%", "--bandwidth", "1.5k", "--cut-after", "1M", "--direction", "up",
        ]
        let (upstream, downstream) = try FaultArguments.parse(text).faults()
        #expect(downstream == FaultProxy.Faults())
        #expect(upstream.delay == .milliseconds(100))
        #expect(upstream.bytesPerSecond == 1536)
        var pauses = FaultProxy.Pauses(every: 146_000, for: .milliseconds(400))
        pauses.beginsAtRandom = true
        #expect(upstream.pauses == pauses)
        #expect(upstream.cut == .init(after: 1024 * 1024, .reset))
    }

    @Test(
        "A quantity is a number with a unit",
        arguments: [("0", 0), ("1", 1), ("0.1", 1), ("2k", 2048), ("1.5M", 1_572_864), ("1g", 1_073_741_824)]
            as [(String, Int64)])
    func bytes(text: String, count: Int64) { #expect(Quantity.bytes(text) == count) }

    @Test("A text that is not a quantity is refused", arguments: ["", "k", "-1", "nan", "inf", "1t", "1e15", "1 k"])
    func notBytes(text: String) { #expect(Quantity.bytes(text) == nil) }

    @Test(
        "A duration is in seconds, or has a unit",
        arguments: [
            ("0", .zero), ("200ms", .milliseconds(200)), ("1.5s", .milliseconds(1500)), ("2m", .seconds(120)),
            ("3", .seconds(3)), ("-1s", nil), ("ms", nil), ("2h", nil), ("1e9", nil),
        ] as [(String, Duration?)])
    func duration(text: String, duration: Duration?) { #expect(Quantity.duration(text) == duration) }
}
#endif
