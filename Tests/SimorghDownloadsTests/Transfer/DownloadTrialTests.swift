// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import SimorghTesting
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Additional connections beside one over HTTP/2.
@Suite(.timeLimit(.minutes(5)))
struct DownloadTrialTests {
    /// A download from a server with a fixed number of bytes per second.
    private struct Paced {
        static let second = 160 * 1024
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(6 * 1024 * 1024)
        let origin: FakeOrigin
        let clock = TestClock()
        let manager: DownloadManager
        let id: UUID

        init(_ change: (inout APIClient.Configuration) -> Void = { _ in }) throws {
            origin = FakeOrigin(bytes)
            origin.change { state in
                state.speaksHTTP2 = true
                state.granted = 0
            }
            var client = APIClient.Configuration()
            client.time = clock.timeSource
            change(&client)
            manager = try place.manager(origin, client: client) { config in
                config.segments = 4
                config.retryPolicy = .none
            }
            id = try manager.enqueue(url: DownloadTestFolder.url)
        }

        /// Lets each connection receive some bytes, then advances the clock by a second.
        ///
        /// - Parameters:
        ///   - connections: The number of connections that must be open.
        ///   - count: The number of bytes that each receives.
        /// - Throws: `CancellationError`.
        func second(of connections: Int, each count: Int = Self.second) async throws {
            try await settled(connections)
            origin.change { $0.granted = ($0.granted ?? 0) + count }
            try await settled(connections)
            // Not a whole number of seconds, as the next measurement is then the only wait for just a second.
            try await clock.sleeping(1, for: .seconds(1))
            clock.advance(by: .milliseconds(1100))
            try await clock.sleeping(1, for: .seconds(1))
        }

        /// Waits until that many connections have received all granted bytes.
        private func settled(_ connections: Int) async throws {
            try await eventually {
                origin.state.withLock { state in
                    state.active == connections && state.parked.count == connections
                        && state.parked.values.allSatisfy { $0 == state.granted }
                }
            }
        }

        /// Lets all remaining bytes arrive, and compares the file.
        func finish() async throws {
            origin.change { $0.granted = nil }
            let last = try #require(await manager.progress(for: id).last())
            #expect(last.state == .completed)
            #expect(try Array(Data(contentsOf: #require(last.localURL))) == bytes)
            await place.end(manager)
        }

        /// The HTTP version option of each request.
        var versions: [TransportOptions.HTTPVersion] { origin.state.withLock { $0.versions } }
        var extras: Int { versions.count { $0 == .http1Only } }
    }

    @Test("HTTP/2: if each response is rate limited, connections double up to the limit")
    func helps() async throws {
        let paced = try Paced()
        for connections in [1, 1, 2, 2, 4, 4] { try await paced.second(of: connections) }
        // The second connection has fetched its first piece by now, and may have requested another.
        #expect(paced.versions.first == .automatic && (3...4).contains(paced.extras))
        #expect(paced.versions.count == paced.extras + 1)
        try await paced.finish()
    }

    @Test("HTTP/2: a second connection that does not help is closed")
    func doesNotHelp() async throws {
        let paced = try Paced()
        for connections in [1, 1, 2, 2, 2] {
            try await paced.second(of: connections, each: Paced.second / connections)
        }
        try await paced.finish()
        #expect(paced.extras == 1)
    }

    @Test(
        "HTTP/2: a further connection that fails ends the trial, and the download goes on with the first one",
        arguments: [
            FakeOrigin.HTTP1.status(503), .status(404), .status(505), .noConnection, .otherVersion, .whole,
            .breaks(after: 0),
        ])
    func fails(http1: FakeOrigin.HTTP1) async throws {
        let paced = try Paced()
        paced.origin.change { $0.http1 = http1 }
        for _ in 0..<2 { try await paced.second(of: 1) }
        try await eventually { paced.extras > 0 }
        for _ in 0..<4 { try await paced.second(of: 1) }
        try await paced.finish()
        #expect(paced.extras == (http1 == .whole ? 2 : 1))
        #expect(paced.versions.first == .automatic)
    }

    @Test("HTTP/2: a further connection that is lost loses no byte")
    func breaks() async throws {
        let paced = try Paced()
        paced.origin.change { $0.http1 = .breaks(after: 48 * 1024) }
        for _ in 0..<2 { try await paced.second(of: 1) }
        try await eventually { paced.extras > 0 }
        try await paced.finish()
        #expect(paced.extras == 1)
    }

    @Test("HTTP/2: pausing during the trial closes all connections, and resuming fetches the rest")
    func pauses() async throws {
        let paced = try Paced()
        for connections in [1, 1, 2] { try await paced.second(of: connections) }
        paced.manager.pause(id: paced.id)
        try await eventually { paced.origin.state.withLock { $0.active } == 0 }
        for await state in paced.manager.states(for: paced.id) where state == .paused { break }
        let sent = paced.origin.sent
        try paced.manager.resume(id: paced.id)
        try await paced.finish()
        #expect(sent == 4 * Paced.second && paced.origin.sent < paced.bytes.count + Paced.second)
    }

    @Test("HTTP/2: cancelling during the trial closes all connections")
    func cancels() async throws {
        let paced = try Paced()
        for connections in [1, 1, 2] { try await paced.second(of: connections) }
        paced.manager.cancel(id: paced.id)
        let last = await paced.manager.progress(for: paced.id).last()
        #expect(last == nil || last?.state == .cancelled)
        try await eventually { paced.origin.state.withLock { $0.active } == 0 }
        await paced.place.end(paced.manager)
    }

    @Test("HTTP/2: an http2Only client opens no further connection")
    func http2Only() async throws {
        let paced = try Paced { $0.httpVersion = .http2Only }
        for _ in 0..<5 { try await paced.second(of: 1) }
        try await paced.finish()
        #expect(paced.versions == [.http2Only])
    }
}
