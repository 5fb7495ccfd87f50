// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import Synchronization

/// A simulated network that a test connects and disconnects.
///
/// ```swift
/// let network = ScriptedNetwork(.connected(.wifi))
/// let monitor = network.monitor()
/// monitor.startMonitoring()
/// network.become(.disconnected)     // What watches the monitor shows its offline screen.
/// network.become(.connected(.cellular))
/// ```
public final class ScriptedNetwork: Sendable {
    private struct State {
        var status: NetworkStatus
        var nextID = 0
        var watchers: [Int: @Sendable (NetworkStatus) -> Void] = [:]
        /// The tasks that wait for a number of observers.
        var waits: [(holds: @Sendable (Int) -> Bool, gate: Gate)] = []

        mutating func ready() -> [Gate] {
            let count = watchers.count
            let gates = waits.filter { $0.holds(count) }.map(\.gate)
            waits.removeAll { $0.holds(count) }
            return gates
        }
    }

    private let state: Mutex<State>
    /// Held while observers are notified, so that all of them receive changes in order.
    private let notificationLock = Mutex(())

    /// Creates a network.
    ///
    /// - Parameter connectivity: The initial connectivity; Wi-Fi by default.
    public convenience init(_ connectivity: Connectivity = .connected(.wifi)) {
        self.init(NetworkStatus(connectivity))
    }

    /// Creates a network with a full status.
    ///
    /// - Parameter status: The initial status.
    public init(_ status: NetworkStatus) { state = Mutex(State(status: Self.scripted(status))) }

    /// The current status.
    public var status: NetworkStatus { state.withLock { $0.status } }

    /// The number of monitors that observe the network.
    public var watchers: Int { state.withLock { $0.watchers.count } }

    /// The numbers of the monitors that observe the network, counted from 1 in order of arrival.
    package var watcherIDs: [Int] { state.withLock { $0.watchers.keys.sorted() } }

    /// Changes the connectivity and notifies the observers.
    ///
    /// - Parameter connectivity: The new connectivity.
    public func become(_ connectivity: Connectivity) { become(NetworkStatus(connectivity)) }

    /// Changes the full status and notifies the observers.
    ///
    /// - Parameter status: The new status.
    public func become(_ status: NetworkStatus) {
        notificationLock.withLock { _ in
            let watchers = state.withLock { state in
                state.status = Self.scripted(status)
                return state.watchers.sorted { $0.key < $1.key }.map(\.value)
            }
            for notify in watchers { notify(Self.scripted(status)) }
        }
    }

    /// Waits until the network is observed, so that a following change is noticed.
    ///
    /// Observers are started monitors, and anything that waits for network access: a call in an offline queue, a
    /// WebSocket before it reconnects.
    ///
    /// - Parameter count: The minimum number of observers; 1 by default.
    /// - Throws: `CancellationError` immediately if the task is cancelled.
    public func watched(by count: Int = 1) async throws { try await wait { $0 >= count } }

    /// Waits until the network has no observers.
    ///
    /// - Throws: `CancellationError` immediately if the task is cancelled.
    public func unwatched() async throws { try await wait { $0 == 0 } }

    private func wait(until holds: @escaping @Sendable (Int) -> Bool) async throws {
        let gate = Gate()
        state.withLock { state in
            if holds(state.watchers.count) { gate.open() } else { state.waits.append((holds, gate)) }
        }
        defer { state.withLock { $0.waits.removeAll { $0.gate === gate } } }
        try await gate.wait()
    }

    /// Creates a monitor of the network, which is not started.
    ///
    /// - Parameters:
    ///   - shouldDetectVpnAutomatically: True if the monitor reports a VPN as such; true by default.
    ///   - probe: Checks if the internet responds; no probe by default.
    ///   - time: The monitor's clock; the system clock by default.
    /// - Returns: The monitor.
    public func monitor(
        shouldDetectVpnAutomatically: Bool = true, probe: NetworkProbe? = nil, time: TimeSource = .system
    ) -> NetworkMonitor {
        NetworkMonitor(
            Source(network: self), shouldDetectVpnAutomatically: shouldDetectVpnAutomatically, probe: probe, time: time)
    }

    /// Creates a VPN checker for the network.
    ///
    /// - Parameter shouldBypassVpnCheck: True if it always reports that there is no VPN.
    /// - Returns: The checker.
    public func checker(shouldBypassVpnCheck: Bool = false) -> VPNChecker {
        VPNChecker(Source(network: self), shouldBypassVpnCheck: shouldBypassVpnCheck)
    }

    private static func scripted(_ status: NetworkStatus) -> NetworkStatus {
        var status = status
        status.source = .script
        return status
    }

    private struct Source: NetworkSource {
        let network: ScriptedNetwork

        func current() -> NetworkStatus { network.status }

        var recentQuickStatus: NetworkStatus? { network.status }

        func watch(_ notify: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
            let (id, gates) = network.notificationLock.withLock { _ in
                let (id, status, gates) = network.state.withLock { state in
                    state.nextID += 1
                    state.watchers[state.nextID] = notify
                    return (state.nextID, state.status, state.ready())
                }
                notify(status)
                return (id, gates)
            }
            for gate in gates { gate.open() }
            return { [network] in
                let gates = network.state.withLock { state in
                    state.watchers.removeValue(forKey: id)
                    return state.ready()
                }
                for gate in gates { gate.open() }
            }
        }
    }
}
