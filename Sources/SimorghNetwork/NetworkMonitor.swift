// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// Monitors this machine's route to the internet: if there is one, which kind of network it uses, and if it is a VPN.
///
/// ```swift
/// let monitor = NetworkMonitor()
/// monitor.startMonitoring()
/// for await connectivity in monitor.statusStream() {
///     print(connectivity.isConnected ? "online" : "offline")
/// }
/// ```
/// A monitor uses no resources until it is started. A started one uses a netlink socket on Linux, and no thread. On
/// Apple platforms all monitors of a process share two path monitors, which start at the first query and keep running.
/// A monitor reports a change some milliseconds after the network has settled, and the loss of all routes at once.
/// Releasing the monitor stops it and finishes its streams.
///
/// Connected means that this machine has a route, so packets would leave. Use a ``NetworkProbe`` to find out if the
/// internet responds.
///
/// On watchOS the network is unknown: ``NetworkStatus/source`` is ``NetworkStatus/Source/unavailable``, the stream of the
/// connectivity has no elements, requests are sent without a check, and nothing waits for the network.
public final class NetworkMonitor: Sendable {
    /// The monitor shared by the whole process; clients use it by default.
    ///
    /// It runs while a task waits for the network, or from ``startMonitoring()`` on.
    public static let shared = NetworkMonitor()

    private let hub: NetworkMonitorCore

    /// Creates a monitor, which is not started.
    ///
    /// - Parameters:
    ///   - shouldDetectVpnAutomatically: True to report a VPN that carries the packets as ``NetworkType/vpn``; false
    ///     to report the network that the VPN uses.
    ///   - probe: Checks if the internet responds. Default: no check.
    public convenience init(shouldDetectVpnAutomatically: Bool = true, probe: NetworkProbe? = nil) {
        self.init(SystemNetwork.source, shouldDetectVpnAutomatically: shouldDetectVpnAutomatically, probe: probe)
    }

    /// Creates a monitor of a custom source.
    package init(
        _ source: any NetworkSource, shouldDetectVpnAutomatically: Bool = true, probe: NetworkProbe? = nil,
        time: TimeSource = .system
    ) {
        hub = NetworkMonitorCore(source, detectsVPN: shouldDetectVpnAutomatically, probe: probe, time: time)
    }

    deinit { hub.close() }

    /// Starts monitoring; does nothing if it is started already.
    ///
    /// On Apple platforms this does not block, so it may be called on the main thread. On Linux the status is known
    /// when this returns, unless the monitor was stopped in the meantime; if the system does not respond, it blocks for
    /// up to some seconds. If `startMonitoring` and `stopMonitoring` race, the last call wins.
    public func startMonitoring() { hub.start() }

    /// Stops monitoring and releases its resources; streams stay open and continue when it is started again.
    ///
    /// If another thread is just starting the monitor, this waits for that. Monitoring continues while a task waits
    /// for the network.
    public func stopMonitoring() { hub.stop() }

    /// True if it was started and not stopped since.
    public var isMonitoring: Bool { hub.isStarted }

    /// The connectivity; queried from the system each time if the monitor does not run.
    ///
    /// On Apple platforms this does not block. In the first milliseconds after the first query of the process it is
    /// derived from the kernel's routes: it is then known if there is a route and if a VPN carries the packets, but the
    /// kind of network may be ``NetworkType/other``. ``completeStatus()`` waits for the kind. On Linux a query takes
    /// less than a millisecond, or some seconds if the system does not respond. On watchOS it is always
    /// ``Connectivity/disconnected``, which means nothing there: check ``NetworkStatus/source`` of ``currentStatus``.
    public var connectivity: Connectivity { hub.status.connectivity }

    /// The full status; queried from the system each time if the monitor does not run.
    ///
    /// The limits of ``connectivity`` apply.
    public var currentStatus: NetworkStatus { hub.status }

    /// Returns the full status as soon as the system has reported it, without blocking a thread.
    ///
    /// On Apple platforms it waits for the first report, for up to a quarter of a second; otherwise it is the same as
    /// ``currentStatus``.
    ///
    /// - Returns: The status.
    public func completeStatus() async -> NetworkStatus { await hub.awaitedStatus() }

    /// Returns everything that the status is derived from, as JSON, to attach to a bug report.
    ///
    /// It contains the names and addresses of the network interfaces of this device, and the addresses of its gateways.
    ///
    /// - Returns: The JSON text, some kilobytes.
    /// - Throws: `EncodingError`, which indicates a bug.
    public func recording() async throws -> String { try await hub.recording().json() }

    /// The status without a query; `nil` if the monitor does not run.
    package var knownStatus: NetworkStatus? { hub.knownStatus }

    /// Returns a stream of the connectivity: the current one as soon as the system has reported it, and then each
    /// change.
    ///
    /// Each call returns a separate stream, for one reader. For a slow reader, the newest 64 changes are kept. The
    /// stream finishes when the monitor is released. On watchOS, where the network is unknown, it has no elements.
    ///
    /// - Returns: The stream.
    public func statusStream() -> AsyncStream<Connectivity> { hub.connectivities() }

    /// Returns a stream of the full status: the current one as soon as the system has reported it, and then each change
    /// of any property.
    ///
    /// Each call returns a separate stream, for one reader. For a slow reader, the newest 64 changes are kept. The
    /// stream finishes when the monitor is released.
    ///
    /// - Returns: The stream.
    public func detailedStatusStream() -> AsyncStream<NetworkStatus> { hub.statuses() }

    /// Returns the same as ``completeStatus()``.
    package func awaitedStatus() async -> NetworkStatus { await hub.awaitedStatus() }

    /// Returns the status, or the result of a quick query if the monitor does not run.
    ///
    /// The quick query determines if there is a network, and little else. It does not block the caller's thread.
    package func awaitedQuickStatus() async -> NetworkStatus { await hub.awaitedQuickStatus() }

    /// Queries the system, even if the status is known; does not block the caller's thread.
    package func awaitedFreshStatus() async -> NetworkStatus { await hub.awaitedFreshStatus() }

    /// The result of a quick query of the system, even if the status is known; may block.
    package var freshQuickStatus: NetworkStatus { hub.freshQuickStatus }

    /// Waits for a route to the internet; the monitor runs meanwhile, even if it is not started.
    ///
    /// If the platform never reports its network, as watchOS, it returns false at once: nothing is known, so try the
    /// request. If the system cannot be queried at the moment, it waits.
    ///
    /// - Parameter timeout: The longest wait; `nil`, the default, for no limit.
    /// - Returns: True if there is a route, or if an attempt to connect may bring one up
    ///   (``NetworkStatus/connectsOnDemand``); false if the timeout passed, the task was cancelled, or the platform does
    ///   not report its network.
    @discardableResult
    public func waitUntilConnected(timeout: Duration? = nil) async -> Bool { await hub.waitUntilConnected(timeout) }

    /// Waits until a new route to the internet appears: the network came back, or it changed.
    ///
    /// Reconnections use it. The monitor runs meanwhile, even if it is not started. If nothing changes, this returns
    /// when the task is cancelled.
    public func waitForNewPath() async { await hub.waitForArrival() }

    /// Keeps the monitor running as long as the returned object exists; starts it in the background without blocking.
    package func lease() -> Lease { Lease(hub) }

    /// An object that keeps the monitor running.
    package final class Lease: Sendable {
        private let hub: NetworkMonitorCore

        fileprivate init(_ hub: NetworkMonitorCore) {
            self.hub = hub
            hub.lease()
        }

        deinit { hub.release() }
    }

    /// Records the current network, to detect a later arrival of a route, and keeps the monitor running meanwhile.
    ///
    /// This does not block. If the monitor does not run yet, and the system does not report at once that there is no
    /// route, the last known status or query result counts as the current one. If nothing is known, the first reported
    /// route does not count as new.
    package func routeArrivalMark() -> RouteArrivalMark { RouteArrivalMark(hub) }

    /// A mark that detects the routes that appeared since it was made.
    package final class RouteArrivalMark: Sendable {
        private let hub: NetworkMonitorCore
        private let count: Int

        fileprivate init(_ hub: NetworkMonitorCore) {
            self.hub = hub
            count = hub.leaseAndMark()
        }

        deinit { hub.release() }

        /// Waits for a route that did not exist when the mark was made; returns at once if one has appeared since.
        package func arrived() async { await hub.waitForArrival(after: count) }
    }

    /// The number of open streams.
    package var observerCount: Int { hub.observerCount }
}
