// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import SimorghNetwork
import SimorghSupport
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkMonitorTests {
    @Test("A stream begins with the current status, and reports each change once")
    func stream() async {
        let network = ScriptedNetwork(.connected(.wifi))
        let monitor = network.monitor()
        monitor.startMonitoring()
        var stream = monitor.statusStream().makeAsyncIterator()
        #expect(await stream.next() == .connected(.wifi))
        network.become(.connected(.wifi))
        network.become(.connected(.vpn))
        network.become(.connected(.vpn))
        network.become(.disconnected)
        network.become(.connected(.cellular))
        network.become(.connected(.ethernet))
        network.become(.connected(.other))
        var received: [Connectivity] = []
        for _ in 0..<5 { if let next = await stream.next() { received.append(next) } }
        #expect(
            received == [
                .connected(.vpn), .disconnected, .connected(.cellular), .connected(.ethernet), .connected(.other),
            ])
    }

    @Test("Any number of observers, and leaving a stream is noticed")
    func observers() async throws {
        let network = ScriptedNetwork()
        let monitor = network.monitor()
        monitor.startMonitoring()
        let tasks = (0..<20).map { _ in
            Task {
                for await connectivity in monitor.statusStream() where connectivity == .disconnected { return true }
                return false
            }
        }
        try await eventually { monitor.observerCount >= 20 }
        network.become(.disconnected)
        for task in tasks { #expect(await task.value) }
        try await eventually { monitor.observerCount == 0 }
    }

    @Test("A slow reader gets the newest 64 changes")
    func bounded() async {
        let network = ScriptedNetwork(.disconnected)
        let monitor = network.monitor()
        monitor.startMonitoring()
        let stream = monitor.detailedStatusStream()
        for number in 0..<1000 {
            var status = NetworkStatus(.connected(.wifi))
            status.dnsServers = ["192.0.2.\(number)"]
            network.become(status)
        }
        var received: [String] = []
        for await status in stream {
            received += status.dnsServers
            if received.last == "192.0.2.999" { break }
        }
        #expect(received == (936..<1000).map { "192.0.2.\($0)" })
    }

    @Test("The source is watched only between start and stop, and can be started again")
    func lifecycle() async {
        let network = ScriptedNetwork(.connected(.wifi))
        let monitor = network.monitor()
        #expect(network.watchers == 0)
        #expect(monitor.connectivity == .connected(.wifi))
        network.become(.disconnected)
        // The source is asked again.
        #expect(monitor.connectivity == .disconnected)
        #expect(network.watchers == 0)
        for _ in 0..<3 {
            monitor.startMonitoring()
            monitor.startMonitoring()
            #expect(monitor.isMonitoring && network.watchers == 1)
            monitor.stopMonitoring()
            #expect(!monitor.isMonitoring && network.watchers == 0)
        }
        var stream = monitor.statusStream().makeAsyncIterator()
        #expect(await stream.next() == .disconnected)
        monitor.startMonitoring()
        network.become(.connected(.ethernet))
        #expect(await stream.next() == .connected(.ethernet))
    }

    @Test("A released monitor stops, and its streams end")
    func letGo() async {
        let network = ScriptedNetwork()
        var monitor: NetworkMonitor? = network.monitor()
        monitor?.startMonitoring()
        let stream = monitor?.statusStream()
        monitor = nil
        #expect(network.watchers == 0)
        var count = 0
        if let stream { for await _ in stream { count += 1 } }
        #expect(count == 1)
    }

    @Test("Concurrent starts and stops end in the state of the last call")
    func race() async {
        let network = ScriptedNetwork()
        let monitor = network.monitor()
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask { number % 2 == 0 ? monitor.startMonitoring() : monitor.stopMonitoring() }
            }
        }
        monitor.stopMonitoring()
        #expect(network.watchers == 0)
        monitor.startMonitoring()
        #expect(network.watchers == 1)
    }

    @Test("since is the time of the last change of connectivity, not of a detail")
    func since() {
        let clock = TestClock()
        let network = ScriptedNetwork(.connected(.wifi))
        let monitor = network.monitor(time: clock.timeSource)
        monitor.startMonitoring()
        let began = clock.date
        #expect(monitor.currentStatus.since == began)
        clock.advance(by: .seconds(60))
        var detail = NetworkStatus(.connected(.wifi))
        detail.gateways = ["192.0.2.1"]
        network.become(detail)
        #expect(monitor.currentStatus.gateways == ["192.0.2.1"])
        #expect(monitor.currentStatus.since == began)
        network.become(.disconnected)
        #expect(monitor.currentStatus.since == clock.date)
    }

    @Test("Without VPN detection the type is that of the underlying network")
    func undetected() {
        var status = NetworkStatus(.connected(.vpn))
        status.underlyingType = .wifi
        let network = ScriptedNetwork(status)
        #expect(network.monitor().connectivity == .connected(.vpn))
        let blind = network.monitor(shouldDetectVpnAutomatically: false)
        #expect(blind.connectivity == .connected(.wifi))
        blind.startMonitoring()
        #expect(blind.connectivity == .connected(.wifi))
        #expect(blind.currentStatus.isVPNActive)
    }

    @Test("VPNChecker asks once, and never if it is bypassed", arguments: [NetworkType.vpn, .wifi])
    func checker(type: NetworkType) {
        let network = ScriptedNetwork(.connected(type))
        #expect(network.checker().isVPNActive() == (type == .vpn))
        #expect(network.checker().isVPNPresent() == (type == .vpn))
        let bypassed: any VPNChecking = network.checker(shouldBypassVpnCheck: true)
        #expect(!bypassed.isVPNActive())
        #expect(!VPNChecker(shouldBypassVpnCheck: true).isVPNActive())
    }

    @Test("waitUntilConnected watches until there is a network")
    func waits() async throws {
        let network = ScriptedNetwork(.disconnected)
        let monitor = network.monitor()
        async let connected = monitor.waitUntilConnected()
        try await network.watched()
        network.become(.connected(.cellular))
        #expect(await connected)
        try await network.unwatched()
        #expect(await monitor.waitUntilConnected(timeout: .zero))
    }

    @Test("waitUntilConnected returns false after its timeout or on cancellation")
    func waitsInVain() async throws {
        let clock = TestClock()
        let network = ScriptedNetwork(.disconnected)
        let monitor = network.monitor(time: clock.timeSource)
        async let late = monitor.waitUntilConnected(timeout: .seconds(5))
        try await clock.sleeping()
        clock.advance(by: .seconds(5))
        #expect(await late == false)
        let task = Task { await monitor.waitUntilConnected() }
        try await network.watched()
        task.cancel()
        #expect(await task.value == false)
        try await network.unwatched()
    }

    @Test("waitUntilConnected returns false at once if no network is ever reported, as on watchOS")
    func waitsForNothing() async {
        #expect(await NetworkMonitor(UnavailableNetworkSource()).waitUntilConnected() == false)
    }

    @Test("waitUntilConnected returns when a connection on demand becomes possible")
    func waitsForDemand() async throws {
        let network = ScriptedNetwork(.disconnected)
        let monitor = network.monitor()
        async let connected = monitor.waitUntilConnected()
        try await network.watched()
        var status = NetworkStatus(.disconnected)
        status.connectsOnDemand = true
        network.become(status)
        #expect(await connected)
        #expect(monitor.connectivity == .disconnected)
    }

    @Test("waitUntilConnected with a timeout of zero or less checks once", arguments: [Duration.zero, .seconds(-1)])
    func noWait(timeout: Duration) async throws {
        let network = ScriptedNetwork(.disconnected)
        let clock = TestClock()
        let monitor = network.monitor(time: clock.timeSource)
        #expect(await monitor.waitUntilConnected(timeout: timeout) == false)
        network.become(.connected(.wifi))
        #expect(await monitor.waitUntilConnected(timeout: timeout))
        #expect(clock.waits.isEmpty)
        try await network.unwatched()
    }

    @Test(
        "A network that is lost again before it was checked does not end the wait",
        arguments: [nil, Duration.seconds(300)] as [Duration?])
    func flap(timeout: Duration?) async {
        let there = NetworkStatus(.connected(.wifi))
        let gone = NetworkStatus(.disconnected)
        // Each check is another question: that of the wait itself, and those after a change.
        let source = RepliesSource([gone, there, gone, there])
        #expect(await NetworkMonitor(source).waitUntilConnected(timeout: timeout))
        #expect(source.asked >= 4)
    }

    @Test("waitForNewPath returns after a return or at another network, not because one exists")
    func newPath() async throws {
        let network = ScriptedNetwork(.connected(.wifi))
        let monitor = network.monitor()
        for next in [[Connectivity.connected(.ethernet)], [.disconnected, .connected(.ethernet)]] {
            async let arrival: Void = monitor.waitForNewPath()
            try await network.watched()
            for connectivity in next { network.become(connectivity) }
            await arrival
            try await network.unwatched()
        }
        let staying = Task { await monitor.waitForNewPath() }
        try await network.watched()
        network.become(.connected(.ethernet))
        network.become(.disconnected)
        #expect(network.watchers == 1)
        staying.cancel()
        await staying.value
        try await network.unwatched()
    }

    @Test("RouteArrivalMark knows of a path that arrived since it was made, and watches while it is retained")
    func mark() async throws {
        let network = ScriptedNetwork(.disconnected)
        let monitor = network.monitor()
        var mark: NetworkMonitor.RouteArrivalMark? = monitor.routeArrivalMark()
        try await network.watched()
        network.become(.connected(.wifi))
        network.become(.disconnected)
        await mark?.arrived()
        await mark?.arrived()
        mark = monitor.routeArrivalMark()
        let waiting = Task { [mark] in await mark?.arrived() }
        network.become(.connected(.wifi))
        await waiting.value
        mark = nil
        try await network.unwatched()
    }

    @Test("Another address in the same IPv6 prefix is the same path, one in another prefix is not")
    func privacy() async {
        func status(_ addresses: String...) -> NetworkStatus {
            var status = NetworkStatus(.connected(.wifi))
            status.primaryInterface?.addresses = ["192.0.2.1", "fe80::1"] + addresses
            return status
        }
        let one = status("2001:db8::1")
        #expect(one.route == status("2001:db8::1", "2001:db8::aaaa:bbbb").route)
        #expect(one.route == status("2001:db8::9").route)
        #expect(one.route != status("2001:db8:0:1::1").route)
        #expect(one.route != NetworkStatus(.connected(.wifi)).route)
        #expect(one.route != status("2001:db8::1", "192.0.2.2").route)
    }

    @Test("Of two concurrent queries the later one counts, even if it is answered first")
    func olderAnswer() async throws {
        let source = SlowSource()
        let monitor = NetworkMonitor(source)
        // It blocks a thread of its own, since a small machine has few threads for tasks.
        let early = Task<NetworkStatus, Never> {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: monitor.currentStatus) }
            }
        }
        try await eventually { source.asked > 0 }
        #expect(monitor.connectivity == .connected(.ethernet))
        source.answer()
        #expect(await early.value.connectivity == .connected(.ethernet))
        var stream = monitor.statusStream().makeAsyncIterator()
        #expect(await stream.next() == .connected(.ethernet))
    }

    @Test("told is the time of the last report")
    func told() {
        let clock = TestClock()
        let network = ScriptedNetwork(.connected(.wifi))
        let monitor = network.monitor(time: clock.timeSource)
        monitor.startMonitoring()
        let began = clock.date
        clock.advance(by: .seconds(60))
        network.become(.connected(.wifi))
        #expect(monitor.currentStatus.receivedAt == began)
        network.become(.disconnected)
        #expect(monitor.currentStatus.receivedAt == clock.date)
    }

    @Test("A probe runs for each new path, and again until the internet answers")
    func probe() async throws {
        let clock = TestClock()
        let network = ScriptedNetwork(.disconnected)
        let answers = Mailbox<NetworkStatus.Reachability>()
        for answer in [NetworkStatus.Reachability.captivePortal, .open, .unreachable] { answers.put(answer) }
        let probe = NetworkProbe { answers.takeNow() ?? .unknown }
        let monitor = network.monitor(probe: probe, time: clock.timeSource)
        monitor.startMonitoring()
        #expect(monitor.currentStatus.reachability == .unknown)
        network.become(.connected(.wifi))
        try await clock.sleeping()
        #expect(monitor.currentStatus.reachability == .captivePortal)
        clock.advance(by: .seconds(30))
        for await status in monitor.detailedStatusStream() where status.reachability == .open { break }
        // Another network is probed again.
        network.become(.connected(.cellular))
        for await status in monitor.detailedStatusStream() where status.reachability == .unreachable { break }
        network.become(.disconnected)
        #expect(monitor.currentStatus.reachability == .unknown)
    }

    @Test("A probe that hangs is cancelled by the next network, and its late result ignored")
    func hangingProbe() async throws {
        let network = ScriptedNetwork(.connected(.wifi))
        let (asked, gate, cancelled) = (Counter(), Gate(), Gate())
        let probe = NetworkProbe {
            guard asked.next() == 1 else { return .open }
            // It ignores its cancellation.
            _ = await Task.detached { try? await gate.wait() }.value
            if Task.isCancelled { cancelled.open() }
            return .captivePortal
        }
        let monitor = network.monitor(probe: probe)
        monitor.startMonitoring()
        try await eventually { asked.count > 0 }
        network.become(.connected(.cellular))
        for await status in monitor.detailedStatusStream() where status.reachability == .open { break }
        gate.open()
        try await cancelled.wait()
        #expect(monitor.currentStatus.reachability == .open)
        #expect(asked.count == 2)
    }

    @Test("isIsolated is true if not even the local network can be reached")
    func isolation() {
        #expect(NetworkStatus(.disconnected).isIsolated)
        #expect(!NetworkStatus(.connected(.wifi)).isIsolated)
        let lan = KernelNetworkSnapshot([.ethernet("eth0", addresses: "192.168.1.8")]).status
        #expect(!lan.isConnected && !lan.isIsolated)
        #expect(KernelNetworkSnapshot([.ethernet("eth0", addresses: "fe80::8")]).status.isIsolated)
        #expect(KernelNetworkSnapshot([Device.ethernet("eth0", addresses: "192.168.1.8").off]).status.isIsolated)
        #expect(!UnavailableNetworkSource().current().isIsolated)
    }
}

/// A source without events, which returns its replies in order and then repeats the last one.
private final class RepliesSource: NetworkSource {
    private let replies: [NetworkStatus]
    private let queries = Mutex(0)

    init(_ replies: [NetworkStatus]) { self.replies = replies }

    var asked: Int { queries.withLock { $0 } }

    func current() -> NetworkStatus {
        let number = queries.withLock { queries in
            defer { queries += 1 }
            return queries
        }
        return replies[min(number, replies.count - 1)]
    }

    func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void { {} }
}
