// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import SimorghNetwork
import SimorghSupport
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// Events while a monitor starts or stops watching.
@Suite(.timeLimit(.minutes(5)))
struct NetworkMonitorCoreTests {
    private let network = HookedSource()

    @Test("Where the platform never reports its network, a stream of connectivity does not say that it is disconnected")
    func unavailable() async {
        var monitor: NetworkMonitor? = NetworkMonitor(UnavailableNetworkSource())
        let (connectivity, statuses) = (monitor?.statusStream(), monitor?.detailedStatusStream())
        monitor?.startMonitoring()
        #expect(monitor?.currentStatus.source == .unavailable)
        monitor = nil
        #expect(await connectivity?.first { _ in true } == nil)
        #expect(await statuses?.first { _ in true }?.source == .unavailable)
    }

    @Test("A path that arrives between the end of one watch and the begin of the next is not missed")
    func between() async throws {
        let monitor = NetworkMonitor(network)
        network.onStop { [network] in
            // A watch is needed again, and the network is back, before the next watch begins.
            network.keep(monitor.routeArrivalMark())
            network.become(.connected(.wifi))
        }
        monitor.startMonitoring()
        #expect(!monitor.currentStatus.isConnected)
        monitor.stopMonitoring()
        // The next watch begins on another thread.
        try await eventually { monitor.knownStatus?.isConnected == true }
        await network.mark?.arrived()
        network.keep(nil)
        try await eventually { monitor.knownStatus == nil }
    }

    @Test("A path that arrives as soon as the watch begins is an arrival", arguments: [true, false])
    func atOnce(isMarked: Bool) async {
        let monitor = NetworkMonitor(network)
        network.onWatch { [network] in network.become(.connected(.wifi)) }
        if isMarked { await monitor.routeArrivalMark().arrived() } else { await monitor.waitForNewPath() }
        #expect(monitor.connectivity == .connected(.wifi))
    }

    @Test(
        "A path that arrives between the mark and the first report is an arrival if there was none before",
        arguments: [true, false], [true, false])
    func beforeFirstWord(isMarked: Bool, isQuick: Bool) async {
        let monitor = NetworkMonitor(network)
        if isQuick { network.answerQuickly() } else { #expect(!monitor.currentStatus.isConnected) }
        network.onBeginning { [network] in network.become(.connected(.wifi)) }
        if isMarked { await monitor.routeArrivalMark().arrived() } else { await monitor.waitForNewPath() }
        #expect(monitor.connectivity == .connected(.wifi))
    }

    @Test(
        "A path that was lost before the mark and is back at the first report is an arrival",
        arguments: ["a quick query", "the system"], [true, false])
    func backAtFirstWord(witness: String, wasKnown: Bool) async {
        let monitor = NetworkMonitor(network)
        network.become(.connected(.wifi))
        if wasKnown { #expect(monitor.currentStatus.isConnected) }
        network.become(.disconnected)
        if witness == "a quick query" { network.answerQuickly() } else { network.beCertain() }
        network.onBeginning { [network] in network.become(.connected(.wifi)) }
        await monitor.routeArrivalMark().arrived()
        #expect(monitor.connectivity == .connected(.wifi))
    }

    @Test("A path that exists at the mark is not an arrival", arguments: ["status query", "quick query", "not known"])
    func thereBefore(knowledge: String) async throws {
        network.become(.connected(.wifi))
        let hub = NetworkMonitorCore(network, detectsVPN: true, probe: nil, time: .system)
        if knowledge == "status query" { #expect(hub.status.isConnected) }
        if knowledge == "quick query" { network.answerQuickly() }
        let count = hub.leaseAndMark()
        try await eventually { hub.knownStatus != nil }
        #expect(hub.arrivals == count)
        network.become(.connected(.cellular))
        #expect(hub.arrivals == count + 1)
        hub.release()
    }

    @Test("A quick status with another kind of device is not an arrival, and a loss counts for both of two marks")
    func gaps() throws {
        let here = NetworkStatus(.connected(.vpn))
        var quickStatus = NetworkStatus(.connected(.other))
        quickStatus.primaryInterface = here.primaryInterface
        let (nothing, other) = (NetworkStatus(.disconnected), NetworkStatus(.connected(.wifi)))
        let quickState = try #require(PreWatchState.marked(quickStatus: quickStatus, status: other, after: nil))
        #expect(!quickState.isArrival(here) && !quickState.isArrival(nothing))
        quickStatus.gateways = ["192.0.2.9"]
        let elsewhere = try #require(PreWatchState.marked(quickStatus: quickStatus, status: here, after: nil))
        #expect(elsewhere.isArrival(here))
        let asked = try #require(PreWatchState.marked(quickStatus: nil, status: other, after: nil))
        #expect(asked.isArrival(here) && !asked.isArrival(other))
        let lost = try #require(PreWatchState.marked(quickStatus: nothing, status: nil, after: asked))
        #expect(lost.isArrival(other))
        let kept = try #require(PreWatchState.marked(quickStatus: other, status: nil, after: lost))
        #expect(kept.isArrival(other))
        #expect(PreWatchState.marked(quickStatus: nil, status: UnavailableNetworkSource().current(), after: nil) == nil)
    }

    @Test("A route that can come up on demand now is an arrival")
    func onDemand() async throws {
        var status = NetworkStatus(.disconnected)
        status.source = .script
        var onDemand = status
        onDemand.connectsOnDemand = true
        let before = try #require(PreWatchState.marked(quickStatus: nil, status: status, after: nil))
        #expect(before.isArrival(onDemand) && !before.isArrival(status))
        let after = try #require(PreWatchState.marked(quickStatus: nil, status: onDemand, after: nil))
        #expect(!after.isArrival(onDemand) && after.isArrival(NetworkStatus(.connected(.vpn))))
        // A quick query of the system may not know it.
        status.source = .system
        let quick = try #require(PreWatchState.marked(quickStatus: status, status: nil, after: nil))
        #expect(!quick.isArrival(onDemand) && quick.isArrival(NetworkStatus(.connected(.wifi))))
        let scripted = ScriptedNetwork(.disconnected)
        let arrived = NetworkReturnWaiter(scripted.monitor()).begin()
        scripted.become(onDemand)
        await arrived()
    }

    @Test("A watch that begins slowly blocks only startMonitoring")
    func slowWatch() async throws {
        let monitor = NetworkMonitor(network)
        let gate = DispatchSemaphore(value: 0)
        network.onWatch { gate.wait() }
        let mark = monitor.routeArrivalMark()
        // It has reported, and has not returned.
        try await eventually { monitor.knownStatus != nil }
        gate.signal()
        monitor.startMonitoring()
        #expect(monitor.knownStatus?.isConnected == false)
        withExtendedLifetime(mark) {}
        monitor.stopMonitoring()
    }

    @Test("startMonitoring during a stopMonitoring of another thread returns after the start")
    func startMeanwhile() async throws {
        let monitor = NetworkMonitor(network)
        let (isStopping, gate) = (Gate(), DispatchSemaphore(value: 0))
        monitor.startMonitoring()
        network.onStop {
            isStopping.open()
            gate.wait()
        }
        let stopping = Task { await Self.aside { monitor.stopMonitoring() } }
        try await isStopping.wait()
        let starting = Task {
            await Self.aside {
                monitor.startMonitoring()
                return monitor.knownStatus
            }
        }
        // A watch is needed again, and the other call has not returned.
        try await eventually { monitor.isMonitoring }
        gate.signal()
        #expect(await starting.value != nil)
        await stopping.value
        #expect(monitor.isMonitoring && network.isWatched)
        monitor.stopMonitoring()
        #expect(!network.isWatched)
    }

    @Test("stopMonitoring during a startMonitoring of another thread returns after the stop")
    func stopMeanwhile() async throws {
        let monitor = NetworkMonitor(network)
        let (isStarting, gate) = (Gate(), DispatchSemaphore(value: 0))
        network.onWatch {
            isStarting.open()
            gate.wait()
        }
        let starting = Task { await Self.aside { monitor.startMonitoring() } }
        try await isStarting.wait()
        let stopping = Task { [network] in
            await Self.aside {
                monitor.stopMonitoring()
                return network.isWatched
            }
        }
        try await eventually { !monitor.isMonitoring }
        gate.signal()
        #expect(await stopping.value == false)
        await starting.value
        #expect(monitor.knownStatus == nil && !network.isWatched)
    }

    /// Runs a closure that may block on a thread of its own.
    private static func aside<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }

    @Test("Concurrent questions share one answer without blocking threads")
    func questions() async throws {
        let queue = DispatchQueue(label: "simorgh.test")
        let questions = CoalescedStatusQuery(on: queue)
        let asked = Counter()
        // More than there are threads for tasks; none of them is blocked.
        queue.suspend()
        let answers = (0..<100).map { _ in
            Task {
                await questions.answer { completion in
                    _ = asked.next()
                    completion(NetworkStatus(.connected(.wifi)))
                }
            }
        }
        try await eventually { questions.count == 100 }
        queue.resume()
        for answer in answers { #expect(await answer.value.type == .wifi) }
        #expect(asked.count == 1)
        let later = await questions.answer { $0(NetworkStatus(.disconnected)) }
        #expect(!later.isConnected)
    }

    @Test("An answer to an earlier question does not overwrite a later report")
    func lateAnswer() {
        let monitor = NetworkMonitor(network)
        network.onQuestion { [network] in
            network.become(.connected(.wifi))
            monitor.startMonitoring()
            monitor.stopMonitoring()
        }
        #expect(monitor.currentStatus.isConnected)
    }
}

/// A source that calls hooks when it is asked, and when a watch begins or ends; each once.
private final class HookedSource: NetworkSource {
    private struct State {
        var status = NetworkStatus(.disconnected)
        var hasQuickStatus = false
        var isCertain = false
        var onQuestion: (@Sendable () -> Void)?
        var onBeginning: (@Sendable () -> Void)?
        var onWatch: (@Sendable () -> Void)?
        var onStop: (@Sendable () -> Void)?
        var tell: (@Sendable (NetworkStatus) -> Void)?
        var mark: NetworkMonitor.RouteArrivalMark?
    }

    private let state = Mutex(State())

    var mark: NetworkMonitor.RouteArrivalMark? { state.withLock { $0.mark } }

    var isWatched: Bool { state.withLock { $0.tell != nil } }

    func onQuestion(_ hook: @escaping @Sendable () -> Void) { state.withLock { $0.onQuestion = hook } }

    /// From now on the current status counts as a recent quick status.
    func answerQuickly() { state.withLock { $0.hasQuickStatus = true } }

    var recentQuickStatus: NetworkStatus? { state.withLock { $0.hasQuickStatus ? $0.status : nil } }

    /// From now on it knows at once that there is no network.
    func beCertain() { state.withLock { $0.isCertain = true } }

    var isDefinitelyOffline: Bool { state.withLock { $0.isCertain && !$0.status.isConnected } }

    /// Called before a watch reads the status.
    func onBeginning(_ hook: @escaping @Sendable () -> Void) { state.withLock { $0.onBeginning = hook } }

    /// Called after a watch has reported the status.
    func onWatch(_ hook: @escaping @Sendable () -> Void) { state.withLock { $0.onWatch = hook } }

    func onStop(_ hook: @escaping @Sendable () -> Void) { state.withLock { $0.onStop = hook } }

    func keep(_ mark: NetworkMonitor.RouteArrivalMark?) {
        // Releasing the last mark ends a watch, which must not happen under the lock.
        let former = state.withLock { state in
            defer { state.mark = mark }
            return state.mark
        }
        withExtendedLifetime(former) {}
    }

    func become(_ connectivity: Connectivity) {
        let tell = state.withLock { state in
            state.status = NetworkStatus(connectivity)
            return state.tell
        }
        tell?(NetworkStatus(connectivity))
    }

    func current() -> NetworkStatus {
        let (status, hook) = state.withLock { ($0.status, $0.onQuestion.take()) }
        hook?()
        return status
    }

    func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
        let beginning = state.withLock { $0.onBeginning.take() }
        beginning?()
        let (status, began) = state.withLock { state in
            state.tell = tell
            return (state.status, state.onWatch.take())
        }
        tell(status)
        began?()
        return {
            let hook = self.state.withLock { state in
                state.tell = nil
                return state.onStop.take()
            }
            hook?()
        }
    }
}
