// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Simorgh
import SimorghNIO
import SimorghSupport
import Testing

/// The Unix sockets of Tests/Peers/wire.py, in cleartext and over TLS.
@Suite("Unix sockets", .timeLimit(.minutes(10)))
struct UnixSocketTests {
    private struct Answer: Decodable {
        let path: String
        let headers: [String: String]
    }

    @Test(
        "An http+unix URL reaches its socket, and the server sees the host localhost without the socket path",
        arguments: [false, true])
    func reached(isSecure: Bool) async throws {
        let witness = try await WireWitness.ask()
        let socket = isSecure ? witness.secure : witness.plain
        let host = UnixSocketURL.host(of: socket)
        #expect(host.contains("%20"))
        var configuration = APIClient.Configuration()
        configuration.baseURL = "\(isSecure ? "https" : "http")+unix://\(host)/v1"
        configuration.tls.trust = .only([.file(witness.root)])
        // A proxy applies only to remote hosts.
        configuration.route.proxy = .url("http://127.0.0.1:1")
        let transport = NIOTransport()
        let client = APIClient(configuration: configuration, transport: transport)
        for turn in 0..<2 {
            let response = try await client.call(.get, "nests", query: ["a": "b"]).response().response
            let answer = try JSONDecoder().decode(Answer.self, from: response.body)
            #expect(answer.path == "/v1/nests?a=b")
            #expect(answer.headers["Host"] == "localhost")
            #expect(response.connection?.remoteAddress == socket)
            #expect(response.connection?.applicationProtocol == "http/1.1")
            #expect((response.connection?.tlsVersion != nil) == isSecure)
            let timings = response.timings
            #expect(timings.isReusedConnection == (turn == 1))
            #expect((timings.connect != nil) == (turn == 0))
            #expect((timings.tls != nil) == (turn == 0 && isSecure))
            #expect(timings.dns == nil && timings.firstByte != nil && timings.total != nil)
            #expect(timings.sentBytes > 0 && timings.receivedBytes > 0)
        }
        #expect(transport.statistics.dialed == 1)
    }

    @Test("A missing socket fails with cannotConnectToHost")
    func missing() async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await APIClient(transport: NIOTransport()).call(.get, "http+unix://%2Fnowhere%2Fbird.sock/").void()
        }
        guard case .urlError(let cause) = error else { throw error ?? .unknown }
        #expect(cause.code == .cannotConnectToHost)
        #expect(!cause.requestMayHaveBeenSent)
    }
}
