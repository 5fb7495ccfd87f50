// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import Synchronization

/// A network that a test switches on and off.
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
        /// Who waits for a number of watchers.
        var waits: [(holds: @Sendable (Int) -> Bool, gate: Gate)] = []

        mutating func ready() -> [Gate] {
            let count = watchers.count
            let gates = waits.filter { $0.holds(count) }.map(\.gate)
            waits.removeAll { $0.holds(count) }
            return gates
        }
    }

    private let state: Mutex<State>
    /// Held while something is told, so that all hear changes in their order.
    private let telling = Mutex(())

    /// Creates a network.
    ///
    /// - Parameter connectivity: What it is at first; Wi-Fi by default.
    public convenience init(_ connectivity: Connectivity = .connected(.wifi)) {
        self.init(NetworkStatus(connectivity))
    }

    /// Creates a network with all there is to know of it.
    ///
    /// - Parameter status: What it is at first.
    public init(_ status: NetworkStatus) { state = Mutex(State(status: Self.scripted(status))) }

    /// What it is now.
    public var status: NetworkStatus { state.withLock { $0.status } }

    /// How many monitors watch it.
    public var watchers: Int { state.withLock { $0.watchers.count } }

    /// The numbers of the monitors that watch it, counted from 1 as they came.
    package var watcherIDs: [Int] { state.withLock { $0.watchers.keys.sorted() } }

    /// Becomes something else, and tells those who watch.
    ///
    /// - Parameter connectivity: What it is from now on.
    public func become(_ connectivity: Connectivity) { become(NetworkStatus(connectivity)) }

    /// Becomes something else in all detail, and tells those who watch.
    ///
    /// - Parameter status: What it is from now on.
    public func become(_ status: NetworkStatus) {
        telling.withLock { _ in
            let watchers = state.withLock { state in
                state.status = Self.scripted(status)
                return state.watchers.sorted { $0.key < $1.key }.map(\.value)
            }
            for tell in watchers { tell(Self.scripted(status)) }
        }
    }

    /// Waits until somebody watches, so that a change that follows is heard.
    ///
    /// A monitor that is started watches, and so does whatever waits for a way to the internet: a call in an offline queue,
    /// a WebSocket before it connects again.
    ///
    /// - Parameter count: How many watch at least; one by default.
    /// - Throws: `CancellationError` at once when the task is cancelled.
    public func watched(by count: Int = 1) async throws { try await wait { $0 >= count } }

    /// Waits until nobody watches any more.
    ///
    /// - Throws: `CancellationError` at once when the task is cancelled.
    public func unwatched() async throws { try await wait { $0 == 0 } }

    private func wait(until holds: @escaping @Sendable (Int) -> Bool) async throws {
        let gate = Gate()
        state.withLock { state in
            if holds(state.watchers.count) { gate.open() } else { state.waits.append((holds, gate)) }
        }
        defer { state.withLock { $0.waits.removeAll { $0.gate === gate } } }
        try await gate.wait()
    }

    /// A monitor of it, which is not started.
    ///
    /// - Parameters:
    ///   - shouldDetectVpnAutomatically: Whether a VPN is told as one.
    ///   - probe: Asks whether the internet answers; nobody by default.
    ///   - time: Where the monitor takes the time from.
    /// - Returns: The monitor.
    public func monitor(
        shouldDetectVpnAutomatically: Bool = true, probe: NetworkProbe? = nil, time: TimeSource = .system
    ) -> NetworkMonitor {
        NetworkMonitor(
            Source(network: self), shouldDetectVpnAutomatically: shouldDetectVpnAutomatically, probe: probe, time: time)
    }

    /// A checker that asks it.
    ///
    /// - Parameter shouldBypassVpnCheck: Whether it says no without asking.
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

        var recentGlance: NetworkStatus? { network.status }

        func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
            let (id, gates) = network.telling.withLock { _ in
                let (id, status, gates) = network.state.withLock { state in
                    state.nextID += 1
                    state.watchers[state.nextID] = tell
                    return (state.nextID, state.status, state.ready())
                }
                tell(status)
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
