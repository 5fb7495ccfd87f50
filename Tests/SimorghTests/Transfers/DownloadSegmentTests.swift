// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import Synchronization
import Testing

/// Downloads from nginx over HTTP/2, and the number of connections that they use.
@Suite(.timeLimit(.minutes(5)))
struct DownloadSegmentTests {
    /// A transport that records the connections of its responses.
    private final class Recorder: Transport, Sendable {
        private let engine = NIOTransport()
        private let seen = Mutex<[ConnectionInfo]>([])

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            let response = try await engine.send(request)
            if let connection = response.connection { seen.withLock { $0.append(connection) } }
            return response
        }

        /// The protocol of each connection, in the order of their first responses.
        var protocols: [String?] {
            var ids = Set<UInt64>()
            return seen.withLock { $0.filter { ids.insert(UInt64($0.id)).inserted }.map(\.applicationProtocol) }
        }
    }

    private func download(_ path: String) async throws -> (data: Data, protocols: [String?]) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segments-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = APIClient.Configuration()
        let root = try #require(ProcessInfo.processInfo.environment["SIMORGH_PEERS_ROOT"])
        configuration.tls.trust = .only([.file(root)])
        let recorder = Recorder()
        var config = DownloadManagerConfig(downloadDirectory: folder, minFreeDiskSpace: 0)
        config.minimumSegmentSize = 64 * 1024
        let manager = try DownloadManager(
            config: config, client: APIClient(configuration: configuration, transport: recorder))
        let url = try #require(URL(string: try Witness.nginxOverHTTP2.url + path))
        var file: URL?
        for await progress in try manager.download(url: url) { file = progress.localURL }
        let data = try Data(contentsOf: #require(file))
        await manager.close()
        return (data, recorder.protocols)
    }

    @Test("HTTP/2: a file whose responses are rate-limited is fetched over several connections")
    func limited() async throws {
        let limited = try await download("/limited/16m")
        #expect(limited.protocols.first == "h2" && limited.protocols.dropFirst().contains("http/1.1"))
        // The number of connections for this file depends on the load of the machine.
        let fast = try await download("/16m")
        #expect(fast.protocols.first == "h2" && fast.data.count == 16 * 1024 * 1024)
        #expect(limited.data == fast.data)
    }
}
