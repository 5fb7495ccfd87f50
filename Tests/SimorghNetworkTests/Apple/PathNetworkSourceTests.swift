// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghNetwork
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PathNetworkSourceTests {
    private let paths = FakePathProvider()
    private let source: PathNetworkSource

    init() {
        source = PathNetworkSource(paths)
        paths.set(sources: ["192.0.2.7"], links: ["en0": ["192.0.2.7"], "lo0": ["127.0.0.1"]])
    }

    private func settle(_ path: ApplePath = .wifi) {
        paths.report(.general, path)
        paths.report(.tunnel, ApplePath())
    }

    @Test("The first query does not wait: the kernel's route is the answer until the system reports")
    func firstQuery() {
        let monitor = NetworkMonitor(source)
        #expect(paths.starts == 0)
        #expect(monitor.connectivity == .connected(.other))
        #expect(monitor.currentStatus.isProvisional && !VPNChecker(source).isVPNActive())
        settle()
        #expect(monitor.connectivity == .connected(.wifi))
        #expect(!monitor.currentStatus.isProvisional)
        #expect(paths.starts == 1)
    }

    @Test("A VPN is known before the system reports, by the kernel's route")
    func vpnAtOnce() {
        paths.set(sources: ["10.7.0.2"], links: ["en0": ["192.0.2.7"], "utun4": ["10.7.0.2"]])
        #expect(VPNChecker(source).isVPNActive())
        #expect(NetworkMonitor(source).connectivity == .connected(.vpn))
    }

    @Test("startMonitoring does not wait, and the first report follows")
    func starts() async throws {
        let monitor = NetworkMonitor(source)
        monitor.startMonitoring()
        #expect(monitor.isMonitoring && monitor.knownStatus == nil)
        #expect(monitor.connectivity == .connected(.other))
        settle()
        #expect(monitor.knownStatus?.connectivity == .connected(.wifi))
        // A second monitor shares the path monitors, and knows at once.
        let other = NetworkMonitor(source)
        other.startMonitoring()
        paths.run(after: .zero)
        #expect(other.knownStatus?.connectivity == .connected(.wifi))
        #expect(paths.starts == 1)
    }

    @Test(
        "Streams begin with the status that the system reports, not with the provisional one", arguments: [true, false])
    func streams(isStarted: Bool) async throws {
        let monitor = NetworkMonitor(source)
        if isStarted { monitor.startMonitoring() }
        var stream = monitor.statusStream().makeAsyncIterator()
        var details = monitor.detailedStatusStream().makeAsyncIterator()
        settle()
        #expect(await stream.next() == .connected(.wifi))
        #expect(await details.next()?.type == .wifi)
        guard isStarted else { return }
        settle(ApplePath())
        #expect(await stream.next() == .disconnected)
    }

    @Test("completeStatus waits for the system's report, and for no longer than 250 ms", arguments: [true, false])
    func complete(isReported: Bool) async throws {
        let monitor = NetworkMonitor(source)
        async let status = monitor.completeStatus()
        try await eventually { paths.delays.contains(PathWatchStateMachine.settleTimeout) }
        if isReported { settle() } else { paths.run(after: PathWatchStateMachine.settleTimeout) }
        #expect(await status.connectivity == .connected(isReported ? .wifi : .other))
    }

    @Test("The routes of a tunnel that follow its path are noticed two seconds later")
    func lateRoutes() async {
        let monitor = NetworkMonitor(source)
        monitor.startMonitoring()
        settle()
        #expect(monitor.currentStatus.isVPNActive == false)
        paths.set(sources: ["10.7.0.2"], links: ["en0": ["192.0.2.7"], "utun4": ["10.7.0.2"]])
        #expect(monitor.currentStatus.isVPNActive == false)
        paths.run(after: PathWatchStateMachine.routeCheckDelay)
        #expect(monitor.connectivity == .connected(.vpn))
    }

    @Test("A monitor that is stopped or released receives nothing more")
    func stops() {
        let monitor = NetworkMonitor(source)
        monitor.startMonitoring()
        settle()
        monitor.stopMonitoring()
        settle(ApplePath())
        #expect(monitor.knownStatus == nil)
        #expect(monitor.connectivity == .disconnected)
    }

    @Test("A recording contains every input, and yields the same status")
    func records() async throws {
        let monitor = NetworkMonitor(source)
        async let text = monitor.recording()
        try await eventually { paths.starts > 0 }
        settle()
        let recording = try NetworkRecording(json: Data(try await text.utf8))
        #expect(recording.apple?.general == .wifi)
        #expect(recording.apple?.sources == ["192.0.2.7"])
        #expect(recording.status.summary == "wifi 4")
        #expect(try NetworkRecording(json: Data(recording.json().utf8)) == recording)
    }
}
