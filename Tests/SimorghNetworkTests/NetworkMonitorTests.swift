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
    @Test("A stream begins with what is so, and tells each change once")
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
        var heard: [Connectivity] = []
        for _ in 0..<5 { if let next = await stream.next() { heard.append(next) } }
        #expect(
            heard == [
                .connected(.vpn), .disconnected, .connected(.cellular), .connected(.ethernet), .connected(.other),
            ])
    }

    @Test("Any number observe, and leaving a stream is noticed")
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
        var heard: [String] = []
        for await status in stream {
            heard += status.dnsServers
            if heard.last == "192.0.2.999" { break }
        }
        #expect(heard == (936..<1000).map { "192.0.2.\($0)" })
    }

    @Test("Nothing is watched before it is started and after it is stopped, and starting again works")
    func lifecycle() async {
        let network = ScriptedNetwork(.connected(.wifi))
        let monitor = network.monitor()
        #expect(network.watchers == 0)
        #expect(monitor.connectivity == .connected(.wifi))
        network.become(.disconnected)
        // It is asked for anew.
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

    @Test("A monitor that is let go stops, and its streams end")
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

    @Test("Starting and stopping from many tasks ends as the last one wanted it")
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

    @Test("It is told since when the connectivity is what it is, not since when a detail is")
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

    @Test("Without detection a VPN is what it runs over")
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

    @Test("A checker asks once, and a bypassed one never", arguments: [NetworkType.vpn, .wifi])
    func checker(type: NetworkType) {
        let network = ScriptedNetwork(.connected(type))
        #expect(network.checker().isVPNActive() == (type == .vpn))
        #expect(network.checker().isVPNPresent() == (type == .vpn))
        let bypassed: any VPNChecking = network.checker(shouldBypassVpnCheck: true)
        #expect(!bypassed.isVPNActive())
        #expect(!VPNChecker(shouldBypassVpnCheck: true).isVPNActive())
    }

    @Test("A wait for the network watches while it lasts, and ends when there is one")
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

    @Test("A wait ends when its time is up or its task is cancelled")
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

    @Test("A wait of no time, or of less, is a look", arguments: [Duration.zero, .seconds(-1)])
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
        "A way that is gone again before it was looked at ends no wait",
        arguments: [nil, Duration.seconds(300)] as [Duration?])
    func flap(timeout: Duration?) async {
        let there = NetworkStatus(.connected(.wifi))
        let gone = NetworkStatus(.disconnected)
        // Each look is another question: the wait's own, and then those of whoever waits for a change.
        let source = RepliesSource([gone, there, gone, there])
        #expect(await NetworkMonitor(source).waitUntilConnected(timeout: timeout))
        #expect(source.asked >= 4)
    }

    @Test("A wait for a new path ends at a return or at another network, and not because there is one")
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

    @Test("A mark knows of a way that came since it was made, and watches as long as it is held")
    func mark() async throws {
        let network = ScriptedNetwork(.disconnected)
        let monitor = network.monitor()
        var mark: NetworkMonitor.RouteArrivalMark? = monitor.pathMark()
        try await network.watched()
        network.become(.connected(.wifi))
        network.become(.disconnected)
        await mark?.arrived()
        await mark?.arrived()
        mark = monitor.pathMark()
        let waiting = Task { [mark] in await mark?.arrived() }
        network.become(.connected(.wifi))
        await waiting.value
        mark = nil
        try await network.unwatched()
    }

    @Test("Another address of the same IPv6 network is no other way, and one of another network is")
    func privacy() async {
        func status(_ addresses: String...) -> NetworkStatus {
            var status = NetworkStatus(.connected(.wifi))
            status.primaryInterface?.addresses = ["192.0.2.1", "fe80::1"] + addresses
            return status
        }
        let one = status("2001:db8::1")
        #expect(one.way == status("2001:db8::1", "2001:db8::aaaa:bbbb").way)
        #expect(one.way == status("2001:db8::9").way)
        #expect(one.way != status("2001:db8:0:1::1").way)
        #expect(one.way != NetworkStatus(.connected(.wifi)).way)
        #expect(one.way != status("2001:db8::1", "192.0.2.2").way)
    }

    @Test("Of two who ask at once the one who asked later is believed, though it was quicker")
    func olderAnswer() async throws {
        let source = SlowSource()
        let monitor = NetworkMonitor(source)
        // It waits for its answer on a thread that is none of the tasks', of which a small machine has few.
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

    @Test("A status says when it was told")
    func told() {
        let clock = TestClock()
        let network = ScriptedNetwork(.connected(.wifi))
        let monitor = network.monitor(time: clock.timeSource)
        monitor.startMonitoring()
        let began = clock.date
        clock.advance(by: .seconds(60))
        network.become(.connected(.wifi))
        #expect(monitor.currentStatus.told == began)
        network.become(.disconnected)
        #expect(monitor.currentStatus.told == clock.date)
    }

    @Test("A probe is asked on each new way, and again until the internet answers")
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
        // Another network is another question.
        network.become(.connected(.cellular))
        for await status in monitor.detailedStatusStream() where status.reachability == .unreachable { break }
        network.become(.disconnected)
        #expect(monitor.currentStatus.reachability == .unknown)
    }

    @Test("A probe that hangs in one network is cancelled in the next, and its late answer is not believed")
    func hangingProbe() async throws {
        let network = ScriptedNetwork(.connected(.wifi))
        let (asked, gate, cancelled) = (Counter(), Gate(), Gate())
        let probe = NetworkProbe {
            guard asked.next() == 1 else { return .open }
            // It does not look at its cancellation.
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

    @Test("A status knows whether not even a neighbour can be reached")
    func isolation() {
        #expect(NetworkStatus(.disconnected).isIsolated)
        #expect(!NetworkStatus(.connected(.wifi)).isIsolated)
        let lan = KernelNetworkSnapshot([.ethernet("eth0", "192.168.1.8")]).status
        #expect(!lan.isConnected && !lan.isIsolated)
        #expect(KernelNetworkSnapshot([.ethernet("eth0", "fe80::8")]).status.isIsolated)
        #expect(KernelNetworkSnapshot([Device.ethernet("eth0", "192.168.1.8").off]).status.isIsolated)
        #expect(!UnsupportedNetworkSource().current().isIsolated)
    }
}

/// Tells nothing by itself, and answers one thing after the other; the last one for ever.
private final class RepliesSource: NetworkSource {
    private let replies: [NetworkStatus]
    private let questions = Mutex(0)

    init(_ replies: [NetworkStatus]) { self.replies = replies }

    var asked: Int { questions.withLock { $0 } }

    func current() -> NetworkStatus {
        let number = questions.withLock { questions in
            defer { questions += 1 }
            return questions
        }
        return replies[min(number, replies.count - 1)]
    }

    func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void { {} }
}
