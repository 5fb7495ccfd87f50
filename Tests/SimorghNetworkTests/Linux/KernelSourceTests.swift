// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import Glibc
import SimorghNetwork
import SimorghSupport
import Synchronization
import TestSupport
import Testing

/// KernelNetworkSource without rtnetlink, on the network of this machine.
@Suite(.timeLimit(.minutes(5)))
struct KernelSourceTests {
    @Test("Without permission for rtnetlink the source polls, and says so")
    func polling() async throws {
        let source = KernelNetworkSource(interval: .milliseconds(5), retry: .seconds(3600)) { _ in -EPERM }
        let listening = KernelNetworkSource().current()
        let polled = source.current()
        #expect(polled.source == .polling)
        #expect(listening.source == .system)
        // The files describe the namespace of this process.
        #expect(polled.connectivity == listening.connectivity)
        #expect(polled.primaryInterface?.name == listening.primaryInterface?.name)
        #expect(polled.primaryInterface?.kind == listening.primaryInterface?.kind)
        #expect(Set(polled.interfaces.map(\.name)) == Set(listening.interfaces.map(\.name)))
        #expect(polled.gateways == listening.gateways)
        let monitor = NetworkMonitor(source)
        monitor.startMonitoring()
        #expect(monitor.currentStatus.source == .polling)
        monitor.stopMonitoring()
        monitor.startMonitoring()
        #expect(monitor.currentStatus.isConnected == polled.isConnected)
    }

    @Test("A polling source changes to rtnetlink as soon as that is allowed", arguments: [EPERM, EMFILE])
    func listensLater(failure: CInt) async throws {
        let failure = Failing(failure)
        let source = KernelNetworkSource(interval: .milliseconds(1), retry: .milliseconds(1)) { listens in
            failure.isOver ? KernelNetworkSource.socket(listens) : -failure.number
        }
        let monitor = NetworkMonitor(source)
        monitor.startMonitoring()
        #expect(monitor.currentStatus.source != .system)
        failure.end()
        for await status in monitor.detailedStatusStream() where status.source == .system { break }
        #expect(monitor.currentStatus.source == .system)
    }

    @Test("EMFILE does not count as a lost network")
    func noDescriptor() {
        let status = KernelNetworkSource { _ in -EMFILE }.current()
        #expect(status.source == .unavailable)
        #expect(!status.isIsolated)
        #expect(!HostReachability.explainsFailure(for: "example.com") { status })
    }

    @Test("10,000 quick queries share few requests")
    func quickQueries() {
        let requests = Counter()
        let source = KernelNetworkSource { listens in
            _ = requests.next()
            return KernelNetworkSource.socket(listens)
        }
        let start = ContinuousClock.now
        for _ in 0..<10_000 { _ = source.quickStatus() }
        let maximum = Int(start.duration(to: .now) / .milliseconds(100)) + 1
        #expect(requests.count <= maximum)
        #expect(source.quickStatus().isConnected == source.current().isConnected)
    }

    @Test("The status of this machine has a loopback, and each device once")
    func now() {
        let status = KernelNetworkSource().current()
        #expect(status.interfaces.contains { $0.kind == .loopback })
        let indexes = status.interfaces.map(\.index)
        #expect(Set(indexes).count == indexes.count)
    }

    @Test("isNowhere works without rtnetlink, and is false on a connected machine")
    func nowhere() {
        let source = KernelNetworkSource { _ in -EPERM }
        #expect(!source.isDefinitelyOffline || !KernelNetworkSource().current().isConnected)
    }
}

/// A failure that ends at some time.
private final class Failing: Sendable {
    let number: CInt
    private let over = Mutex(false)

    init(_ number: CInt) { self.number = number }

    var isOver: Bool { over.withLock { $0 } }

    func end() { over.withLock { $0 = true } }
}
#endif
