// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

/// The connection options, each compared with curl and the same arguments.
@Suite(.timeLimit(.minutes(10)))
struct CommandConnectionTests {
    private static func curl(_ arguments: [String]) async throws -> ChildProcess.Outcome {
        try await CommandTool.shell(
            (["curl", "-sS"] + arguments).map { "'\($0)'" }.joined(separator: " "))
    }

    private static let setpriv = "/usr/bin/setpriv"

    @Test(
        "An unprivileged process without capabilities can connect",
        .enabled(if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: setpriv)))
    func unprivileged() async throws {
        let outcome = try await CommandTool.run(
            [
                "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", CommandTool.path, "get",
                try Witness.httpbin.url + "/get",
            ], program: Self.setpriv)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// Returns the request that the server saw, without the header fields that identify each program.
    private static func seen(_ outcome: ChildProcess.Outcome) -> JSON {
        // A response that is not JSON is compared as text.
        guard let json = try? JSON(parsing: outcome.output), case .object(var members) = json else {
            return .string(outcome.text)
        }
        // TLS libraries prefer different ciphers.
        members["cipher"] = nil
        if case .object(let headers)? = members["headers"] {
            let own = ["user-agent", "accept-encoding"]
            let pairs = headers.map { ($0.key.lowercased(), $0.value) }.filter { !own.contains($0.0) }
            members["headers"] = .object(Dictionary(pairs) { $1 })
        }
        return .object(members)
    }

    @Test("Connection options send the same request as curl")
    func likeCurl() async throws {
        let tls = try await TLSWitness.ask()
        let wire = try await WireWitness.ask()
        let root = ["--cacert", wire.root]
        let proxy = try Witness.squid.url
        // Includes the header fields that proxies add.
        let clear = try Witness.httpbin.url + "/get?show_env=1"
        let secure = "https://localhost:\(wire.tls)/x"
        let port = try #require(tls.ports["good"])
        let nginx = try #require(try Witness.nginx.url.split(separator: ":").last)
        let named = "http://nobody.invalid:\(nginx)/seen"
        let client = [
            "--cert", "\(tls.folder)/client.pem", "--key", "\(tls.folder)/client.key", "--cacert",
            "\(tls.folder)/root.pem",
        ]
        let welcoming = try Witness.nginxTLS.url
        let strict = "https://localhost:\(try #require(tls.ports["client13"]))/"
        let pin = try tls.pin("good").replacing("sha256/", with: "sha256//", maxReplacements: 1)
        let cases: [[String]] = [
            ["--proxy", proxy, "--proxy-user", "zal:feather:1", clear],
            ["--proxy", proxy, "--proxy-user", "zal:feather:1", secure] + root,
            ["--unix-socket", wire.plain, "http://bird.test/x"],
            ["--unix-socket", wire.secure, "https://localhost/x"] + root,
            ["--resolve", "localhost:\(wire.tls):127.0.0.1", secure] + root,
            ["--resolve", "*:\(nginx):127.0.0.1", named],
            ["--resolve", "+nobody.invalid:\(nginx):127.0.0.1", named],
            ["--resolve", "*:\(nginx):127.0.0.9", "--resolve", "nobody.invalid:\(nginx):127.0.0.1", named],
            ["--interface", "127.0.0.1", clear],
            ["--interface", "127.0.0.2", "http://127.0.0.1:\(nginx)/seen"],
            ["--http1.1", clear],
            ["-H", "Host: bird.test:99", clear], ["-H", "Host: bird.test", secure] + root,
            ["http://127.0.0.1:\(nginx)/200"],
            client + [strict],
            client + ["\(welcoming)/tls"],
            client + ["\(welcoming)/needs-client"],
            ["--pinnedpubkey", pin, "https://localhost:\(port)/", "--cacert", "\(tls.folder)/root.pem"],
        ]
        for arguments in cases {
            let theirs = try await Self.curl(arguments)
            let ours = try await CommandTool.run(["get"] + arguments)
            #expect(theirs.status == 0, "curl \(arguments): \(theirs.errors)")
            #expect(ours.status == 0, "\(arguments): \(ours.errors)")
            #expect(!theirs.output.isEmpty, "curl \(arguments)")
            #expect(Self.seen(ours) == Self.seen(theirs), "\(arguments)")
        }
        // In cleartext curl sends `Upgrade: h2c`; Simorgh never does.
        let plain = try await CommandTool.run(["get", clear, "--http1.1"])
        let either = try await CommandTool.run(["get", clear, "--http2"])
        #expect(either.status == 0, "\(either.errors)")
        #expect(Self.seen(either) == Self.seen(plain))
    }

    @Test("--http2-prior-knowledge sends the same cleartext HTTP/2 request as curl")
    func priorKnowledge() async throws {
        let server = try Witness.nginxOverHTTP2InTheClear.url
        let host = String(server.dropFirst("http://".count))
        let option = "--http2-prior-knowledge"
        let theirs = try await Self.curl([option, server + "/seen"])
        let ours = try await CommandTool.run(["get", option, server + "/seen", "-v"])
        #expect(ours.status == 0, "\(ours.errors)")
        #expect(ours.text == "GET \(host) /seen HTTP/2.0 */* 127.0.0.1")
        #expect(ours.text == theirs.text, "curl: \(theirs.errors)")
        #expect(ours.errors.contains("* connection #1, new, h2c, 127.0.0.1:"), "\(ours.errors)")
        let renamed = try await CommandTool.run(["get", option, server + "/seen", "-H", "Host: bird.test"])
        #expect(renamed.text == "GET bird.test /seen HTTP/2.0 */* 127.0.0.1", "\(renamed.errors)")
        let body = ["-H", "Content-Type: text/x-bird", "--data", "feathers", server + "/echo"]
        let sent = try await CommandTool.run(["post", option] + body)
        #expect(sent.status == 0, "\(sent.errors)")
        #expect(sent.text == "POST 8 text/x-bird")
        #expect(try await Self.curl([option] + body).text == sent.text)
        // The server does not support HTTP/2, and prior knowledge does not negotiate.
        let wrong = try await CommandTool.run(["get", option, try Witness.nginx.url + "/seen"])
        #expect(wrong.status != 0 && wrong.text.isEmpty, "\(wrong.text)")
        #expect(wrong.errors.hasPrefix("simorgh: "), "\(wrong.errors)")
    }

    @Test("Requests that fail in curl fail with the exit status of their error class")
    func unlikeCurl() async throws {
        let tls = try await TLSWitness.ask()
        let wire = try await WireWitness.ask()
        let proxy = try Witness.squid.url
        let secure = "https://localhost:\(wire.tls)/x"
        try await UnreachablePort.with { unreachable in
            let good = "https://localhost:\(try #require(tls.ports["good"]))/"
            let root = ["--cacert", "\(tls.folder)/root.pem"]
            let cases: [(arguments: [String], status: Int32)] = [
                ([secure], 7), ([secure, "--proxy", proxy, "--cacert", wire.root], 6),
                ([secure, "--proxy", "http://127.0.0.1:\(unreachable.port)"], 6),
                (["http://bird.test/", "--unix-socket", "/nowhere/bird.sock"], 6),
                (["http://bird.test:80/", "--resolve", "bird.test:80:127.0.0.1:x"], 2),
                (["http://bird.test:80/", "--resolve", "bird.test"], 2),
                (["http://bird.test:80/", "--resolve", "bird.test:99999:127.0.0.1"], 2),
                (["http://bird.test:80/", "--resolve", "-bird.test:80:127.0.0.1"], 2),
                ([good, "--pinnedpubkey", "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="] + root, 7),
                ([good, "--cacert", "/nowhere.pem"], 2), ([good, "--cert", "/nowhere.pem"] + root, 2),
                ([good, "--key", "/nowhere.key"] + root, 2),
                ([good, "--proxy", "ftp://127.0.0.1"] + root, 2),
                ([good, "--interface", "bird0"] + root, 2), (["http://127.0.0.1:\(unreachable.port)/"], 6),
            ]
            for (arguments, status) in cases {
                let ours = try await CommandTool.run(["get"] + arguments)
                #expect(ours.status == status, "\(arguments): \(ours.errors)")
                #expect(ours.text.isEmpty && ours.errors.hasPrefix("simorgh: ") || status == 2)
            }
        }
    }

    @Test("--verbose shows how far an attempt without a response got")
    func verboseFailure() async throws {
        let server = try await RawServer { _ in [.close] }
        let outcome = try await CommandTool.run(["get", "http://\(server.authority)/", "-v"])
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("* connection #1, new, http/1.1, 127.0.0.1:"), "\(outcome.errors)")
        #expect(outcome.errors.contains(" bytes, received 0 bytes\n"), "\(outcome.errors)")
        #expect(outcome.errors.contains("* queue "), "\(outcome.errors)")
        try await UnreachablePort.with { unreachable in
            let refused = try await CommandTool.run(["get", "http://127.0.0.1:\(unreachable.port)/", "-v"])
            #expect(refused.errors.contains("* no connection\n* queue "), "\(refused.errors)")
            #expect(refused.errors.contains(", dns -, connect "), "\(refused.errors)")
            #expect(!refused.errors.contains(", connect -"), "\(refused.errors)")
        }
    }

    @Test("--verbose shows the connection's number, reuse, protocol and addresses")
    func verbose() async throws {
        let wire = try await WireWitness.ask()
        let url = "http+unix://\(UnixSocketURL.host(of: wire.plain))/x"
        let socket = try await CommandTool.run(["get", url, "-v"])
        #expect(socket.status == 0)
        #expect(
            socket.errors.contains("new, http/1.1, this machine to \(wire.plain)"), "\(socket.errors)")
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let twice = try await CommandTool.run(["get", server.url + "/redirect/1", "-L", "-v"])
            let lines = twice.errors.split(separator: "\n").filter { $0.hasPrefix("* connection #1, ") }
            #expect(lines.count == 2, "\(twice.errors)")
            #expect(lines.first?.contains(", new, http/1.1, 127.0.0.1:") == true)
            #expect(lines.last?.contains(", reused, http/1.1, 127.0.0.1:") == true)
            #expect(twice.errors.contains("* queue "))
        }
    }

    @Test("--verbose shows the protocol, TLS cipher, phases and proxy of a tunnel, and TLS over a Unix socket")
    func verboseTunnel() async throws {
        let url = try Witness.nginxOverHTTP2.url + "/200"
        let root = try #require(ProcessInfo.processInfo.environment["SIMORGH_PEERS_ROOT"])
        let proxy = try Witness.squid.url
        let way = ["--proxy", proxy, "--proxy-user", "zal:feather:1", "--cacert", root, "-v"]
        for (version, name) in [("--http2", "h2"), ("--http2-only", "h2"), ("--http1", "http/1.1")] {
            let outcome = try await CommandTool.run(["get", url, version] + way)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = outcome.errors.split(separator: "\n").map(String.init)
            let connection = try #require(lines.first { $0.hasPrefix("* connection #") })
            #expect(connection.hasPrefix("* connection #1, new, \(name), 127.0.0.1:"), "\(connection)")
            #expect(connection.hasSuffix(" through \(proxy)"), "\(connection)")
            let tls = try #require(lines.first { $0.hasPrefix("* tls ") })
            #expect(tls.hasPrefix("* tls TLSv1.") && tls.contains(" TLS_") && tls.hasSuffix(", \(name)"), "\(tls)")
            let times = try #require(lines.first { $0.hasPrefix("* queue ") })
            for phase in ["connect", "tls", "request", "first byte", "body", "total"] {
                #expect(times.contains(", \(phase) ") && !times.contains(", \(phase) -"), "\(times)")
            }
        }
        let wire = try await WireWitness.ask()
        let socket = try await CommandTool.run([
            "get", "https://localhost/x", "--unix-socket", wire.secure, "--cacert", wire.root, "-v",
        ])
        #expect(socket.status == 0, "\(socket.errors)")
        #expect(socket.errors.contains(", this machine to \(wire.secure)\n"), "\(socket.errors)")
        #expect(socket.errors.contains("* tls TLSv1."), "\(socket.errors)")
    }
}
#endif
