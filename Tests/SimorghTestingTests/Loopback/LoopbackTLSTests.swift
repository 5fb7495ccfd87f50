// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LoopbackTLSTests {
    @Test(
        "A client that trusts the authority is served over TLS, under each name", arguments: ["localhost", "127.0.0.1"])
    func trusted(host: String) async throws {
        try await serve(.trusted) { server, authority in
            let port = try #require(server.securePort)
            let url = "https://\(host):\(port)/get?a=1"
            let result = try await ChildProcess.run("/usr/bin/curl", ["-s", "--cacert", authority, url])
            #expect(result.status == 0)
            #expect(try object(String(decoding: result.output, as: UTF8.self))["url"] as? String == url)
            #expect(server.requests.first?.isSecure == true)
            let bytes = try await ChildProcess.run(
                "/usr/bin/curl", ["-s", "--cacert", authority, "https://\(host):\(port)/bytes/3000000"])
            #expect(bytes.output == LoopbackServer.bytes(3_000_000))
            let reset = try await ChildProcess.run(
                "/usr/bin/curl", ["-s", "--cacert", authority, "https://\(host):\(port)/fault/reset"])
            #expect(reset.status != 0)
            #expect(try await ChildProcess.run("/usr/bin/curl", ["-s", "\(server.url)/get"]).status == 0)
        }
    }

    @Test("A client that trusts the authorities of two servers is served by both")
    func two() async throws {
        try await serve(.trusted) { first, authority in
            try await serve(.trusted) { second, other in
                let lineBreak = Data("\n".utf8)
                let both =
                    try Data(contentsOf: URL(filePath: authority)) + lineBreak + Data(contentsOf: URL(filePath: other))
                let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pem")
                try both.write(to: file)
                defer { try? FileManager.default.removeItem(at: file) }
                for server in [first, second] {
                    let url = try #require(server.httpsURL)
                    let result = try await ChildProcess.run(
                        "/usr/bin/curl", ["-sS", "--cacert", file.path(), "\(url)/get"])
                    #expect(result.status == 0, "\(result.errors)")
                }
            }
        }
    }

    @Test(
        "A bad certificate is refused by a client that looks",
        arguments: LoopbackServer.Certificate.allCases.filter { $0 != .trusted })
    func refused(certificate: LoopbackServer.Certificate) async throws {
        try await serve(certificate) { server, authority in
            let url = try #require(server.httpsURL)
            let refused = try await ChildProcess.run("/usr/bin/curl", ["-s", "--cacert", authority, "\(url)/get"])
            #expect(refused.status == 60)
            #expect(server.requestCount == 0)
            #expect(try await ChildProcess.run("/usr/bin/curl", ["-sk", "\(url)/get"]).status == 0)
        }
    }

    private func serve(
        _ certificate: LoopbackServer.Certificate, _ body: (LoopbackServer, String) async throws -> Void
    ) async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.tls = certificate
        try await LoopbackServer.with(configuration) { server in
            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pem")
            try Data(#require(server.certificatePEM).utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            try await body(server, file.path())
        }
    }
}
