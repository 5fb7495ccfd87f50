// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Harness
import Simorgh

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
import SimorghNIO
#endif

#if canImport(Darwin)
private let streamSocket = SOCK_STREAM
#else
private let streamSocket = CInt(SOCK_STREAM.rawValue)
#endif

/// Background load of a transport while requests are measured: requests without a response, requests that wait for a
/// connection, and hosts with an idle connection.
struct BackgroundLoad {
    let transport: NIOTransport
    private let tasks: [Task<Void, Never>]

    /// Creates the background load, or returns `nil` if the options ask for none.
    init?(_ harness: Harness) async throws {
        let (open, waiting, hosts) = (harness.open, harness.waiting, harness.hosts)
        guard open + waiting + hosts > 0 else { return nil }
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnections = 100_000
        // A request waits for a connection only if the host is at its connection limit.
        let perHost = waiting > 0 ? max(16, harness.inFlight) : 100_000
        configuration.maximumConnectionsPerHost = perHost
        configuration.maximumWaitingPerHost = 100_000
        configuration.idleTimeout = .seconds(3600)
        let transport = NIOTransport(configuration: configuration)
        self.transport = transport
        // The system accepts up to 4,096 connections into the backlog of each port, and no process responds.
        let ports = try (0...(open + hosts) / 4_000).map { _ in try Self.unacceptedPort() }
        var patience = APIClient.Configuration()
        // All of them connect at once, which takes long under Valgrind.
        patience.timeouts.connect = .seconds(3600)
        patience.timeouts.head = .seconds(3600)
        patience.timeouts.queue = .seconds(3600)
        patience.timeouts.total = .seconds(7200)
        let client = APIClient(configuration: patience, transport: transport)
        for number in 0..<hosts {
            // All of 127.0.0.0/8 is this machine, so each address is another host.
            let address = "127.\(1 + number / 65_025).\(number / 255 % 255).\(1 + number % 254)"
            try await client.prewarm("http://\(address):\(ports[number / 4_000])/")
        }
        let leased = waiting > 0 ? perHost : open
        tasks = (0..<(leased + waiting)).map { number in
            let port = ports[waiting > 0 ? 0 : (hosts + number) / 4_000]
            let url = "http://127.0.0.1:\(port)/\(number)"
            return Task { _ = try? await client.call(.get, url).data() }
        }
        while transport.statistics.leased < leased || transport.statistics.waiting < waiting {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Returns a port whose connections stay in the backlog, since no process accepts them.
    private static func unacceptedPort() throws -> Int {
        let descriptor = socket(AF_INET, streamSocket, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 4_096) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isOpen else { throw NoPort() }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private struct NoPort: Error {}
}
