// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import SimorghNetwork
import SimorghSupport
import TestSupport
import Testing

/// A namespace with a monitor of it that watches, and what it tells.
final class KernelWorld {
    let space: NetworkNamespace
    let monitor: NetworkMonitor
    var statuses: AsyncStream<NetworkStatus>.Iterator
    private(set) var last: NetworkStatus
    /// How often the loss of every way was told.
    private(set) var losses = 0

    init?(_ lines: String...) async throws {
        guard let space = try await NetworkNamespace.make() else { return nil }
        self.space = space
        if !lines.isEmpty { try await space.ip(lines) }
        monitor = NetworkMonitor(KernelWorld.source(space))
        monitor.startMonitoring()
        statuses = monitor.detailedStatusStream().makeAsyncIterator()
        last = monitor.currentStatus
    }

    /// A cable whose other end is there, too.
    static let cable = [
        "link add v0 type veth peer name v1", "addr add 192.0.2.2/24 dev v0", "link set v1 up", "link set v0 up",
    ]

    /// Waits until something is told of which something holds.
    func until(_ condition: (NetworkStatus) -> Bool) async {
        while !condition(last), let next = await statuses.next(isolation: #isolation) {
            if last.isConnected, !next.isConnected { losses += 1 }
            last = next
        }
    }

    /// Waits for a status in words.
    func becomes(_ summary: String, _ location: SourceLocation = #_sourceLocation) async {
        await until { $0.summary == summary }
        #expect(last.summary == summary, sourceLocation: location)
    }

    /// What a namespace's kernel tells: its sockets belong to the namespace, and all that is done with them need not.
    private static func source(_ space: NetworkNamespace) -> KernelNetworkSource {
        KernelNetworkSource { listens in space.run { KernelNetworkSource.socket(listens) } }
    }
}
#endif
