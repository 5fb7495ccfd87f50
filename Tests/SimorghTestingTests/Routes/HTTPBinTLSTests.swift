// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if TestCertificates
import Foundation
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HTTPBinTLSTests {
    @Test(
        "A client that trusts the authority is served over TLS, under each host name",
        arguments: ["localhost", "127.0.0.1"])
    func trusted(host: String) async throws {
        try await serve { server, authority in
            let port = server.port
            let url = "https://\(host):\(port)/get?a=1"
            let result = try await ChildProcess.run("/usr/bin/curl", arguments: ["-s", "--cacert", authority, url])
            #expect(result.status == 0)
            #expect(try object(String(decoding: result.output, as: UTF8.self))["url"] as? String == url)
            #expect(server.requests.first?.arrival?.isSecure == true)
            let bytes = try await ChildProcess.run(
                "/usr/bin/curl", arguments: ["-s", "--cacert", authority, "https://\(host):\(port)/bytes/3000000"])
            #expect(bytes.output == MockServer.bytes(3_000_000))
            let reset = try await ChildProcess.run(
                "/usr/bin/curl", arguments: ["-s", "--cacert", authority, "https://\(host):\(port)/fault/reset"])
            #expect(reset.status != 0)
        }
    }

    @Test("A client that trusts the authorities of two servers is served by both")
    func two() async throws {
        try await serve { first, authority in
            try await serve { second, other in
                let lineBreak = Data("\n".utf8)
                let both =
                    try Data(contentsOf: URL(filePath: authority)) + lineBreak + Data(contentsOf: URL(filePath: other))
                let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pem")
                try both.write(to: file)
                defer { try? FileManager.default.removeItem(at: file) }
                for server in [first, second] {
                    let result = try await ChildProcess.run(
                        "/usr/bin/curl", arguments: ["-sS", "--cacert", file.path(), "\(server.url)/get"])
                    #expect(result.status == 0, "\(result.errors)")
                }
            }
        }
    }

    @Test(
        "A flawed certificate is refused by a client that verifies",
        arguments: CertificateFlaw.allCases)
    func refused(flaw: CertificateFlaw) async throws {
        try await serve(flaw) { server, authority in
            let refused = try await ChildProcess.run(
                "/usr/bin/curl", arguments: ["-s", "--cacert", authority, "\(server.url)/get"])
            #expect(refused.status == 60)
            #expect(server.requestCount == 0)
            #expect(try await ChildProcess.run("/usr/bin/curl", arguments: ["-sk", "\(server.url)/get"]).status == 0)
        }
    }

    private func serve(
        _ flaw: CertificateFlaw? = nil, _ body: (MockServer, String) async throws -> Void
    ) async throws {
        let (configuration, pem) = try MockServer.Configuration.secure(flaw)
        try await MockServer.with(configuration) { server in
            server.addHTTPBinRoutes()
            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pem")
            try Data(pem.utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            try await body(server, file.path())
        }
    }
}
#endif
