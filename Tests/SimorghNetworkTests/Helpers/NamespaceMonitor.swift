// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import SimorghNetwork
import SimorghSupport
import TestSupport
import Testing

/// A network namespace with a running monitor, and the statuses that the monitor reported.
final class NamespaceMonitor {
    let space: NetworkNamespace
    let monitor: NetworkMonitor
    var statuses: AsyncStream<NetworkStatus>.Iterator
    private(set) var last: NetworkStatus
    /// The number of changes from connected to disconnected.
    private(set) var losses = 0

    init?(_ lines: String...) async throws {
        guard let space = try await NetworkNamespace.make() else { return nil }
        self.space = space
        if !lines.isEmpty { try await space.ip(lines) }
        monitor = NetworkMonitor(NamespaceMonitor.source(space))
        monitor.startMonitoring()
        statuses = monitor.detailedStatusStream().makeAsyncIterator()
        last = monitor.currentStatus
    }

    /// A cable whose other end exists as well.
    static let cable = [
        "link add v0 type veth peer name v1", "addr add 192.0.2.2/24 dev v0", "link set v1 up", "link set v0 up",
    ]

    /// Waits until a status fulfills a condition.
    func until(_ condition: (NetworkStatus) -> Bool) async {
        while !condition(last), let next = await statuses.next(isolation: #isolation) {
            if last.isConnected, !next.isConnected { losses += 1 }
            last = next
        }
    }

    /// Waits for a status with a summary.
    func becomes(_ summary: String, _ location: SourceLocation = #_sourceLocation) async {
        await until { $0.summary == summary }
        #expect(last.summary == summary, sourceLocation: location)
    }

    /// Returns a source in a namespace: its sockets belong to the namespace, and can be used from outside.
    private static func source(_ space: NetworkNamespace) -> KernelNetworkSource {
        KernelNetworkSource { listens in space.run { KernelNetworkSource.socket(listens) } }
    }
}
#endif
