// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import TestSupport
import Testing

/// HSTS against nginx and tls.py, whose ports speak nothing but TLS.
@Suite("HSTS over the engine", .timeLimit(.minutes(5)))
struct TransportSecurityTests {
    struct Echo: WebSocketRouter {
        let baseURLString: String
        let path = "websockets/echo"
    }

    /// Returns a client that trusts the test authority, and the URL of nginx with `http`.
    private static func client(_ store: HSTSStore?) async throws -> (client: APIClient, url: String, plain: String) {
        let witness = try await TLSWitness.ask()
        let url = try Witness.nginxTLS.url
        var configuration = APIClient.Configuration()
        configuration.tls.trust = .only([witness.file("root.pem")])
        configuration.hsts = store
        let plain = url.replacing("https://", with: "http://")
        return (APIClient(configuration: configuration, transport: NIOTransport()), url, plain)
    }

    @Test("A host that sent the field is then reached over TLS: requests, streams, WebSockets and downloads")
    func learned() async throws {
        let store = HSTSStore()
        let (client, url, plain) = try await Self.client(store)
        // nginx answers a request without TLS on this port with 400.
        await #expect(throws: NetworkError.self) { try await client.text(plain + "/strict") }
        #expect(store.hosts.isEmpty)
        #expect(try await client.text(url + "/strict") == "strict")
        #expect(store.hosts.map(\.name) == ["localhost"])

        let response = try await client.call(.get, plain + "/strict").response().response
        #expect(response.url == url + "/strict" && response.connection?.tlsVersion != nil)
        var streamed = ""
        for try await line in try await client.stream(.get, plain + "/strict").lines() { streamed += line }
        #expect(streamed == "strict")

        let socket = Echo(baseURLString: plain.replacing("http://", with: "ws://"))
        let echo = try await client.withWebSocket(socket) { socket in
            try await socket.sendText("\"hello\"")
            for try await message in socket.messages(of: String.self) { return message }
            return ""
        }
        #expect(echo == "hello")

        let folder = FileManager.default.temporaryDirectory.appending(path: "hsts-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let manager = try DownloadManager(
            config: DownloadManagerConfig(downloadDirectory: folder, minFreeDiskSpace: 0), client: client)
        var file: URL?
        let target = try #require(URL(string: plain + "/strict"))
        for await progress in try manager.download(url: target) { file = progress.localURL }
        #expect(try Data(contentsOf: #require(file)) == Data("strict".utf8))
        await manager.close()
    }

    @Test("A connection is prepared over TLS")
    func prewarming() async throws {
        let store = HSTSStore()
        store.add("localhost", for: .seconds(1000))
        let (client, _, plain) = try await Self.client(store)
        try await client.prewarm(plain + "/strict")
        let response = try await client.call(.get, plain + "/strict").response().response
        #expect(response.connection?.tlsVersion != nil && client.connectionStatistics?.dialed == 1)
    }

    @Test("The certificate errors of a known host remain errors", arguments: ["expired", "stranger", "selfsigned"])
    func certificates(port: String) async throws {
        let witness = try await TLSWitness.ask()
        let store = HSTSStore()
        store.add("localhost", for: .seconds(1000))
        let (client, _, _) = try await Self.client(store)
        let error = try #require(
            await client.transportError(try witness.url(port).replacing("https://", with: "http://")))
        #expect(error.underlying is TLSError, "\(error)")
        #expect(error.url.hasPrefix("https://"))
    }
}
