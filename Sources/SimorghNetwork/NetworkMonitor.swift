// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// Watches this machine's way to the internet: whether there is one, through what, and whether a VPN carries it.
///
/// ```swift
/// let monitor = NetworkMonitor()
/// monitor.startMonitoring()
/// for await connectivity in monitor.statusStream() {
///     print(connectivity.isConnected ? "online" : "offline")
/// }
/// ```
/// It costs nothing until it is started: then a socket to the kernel on Linux, two path monitors on Apple's systems, and
/// nowhere a thread. A change is told some milliseconds after it has settled; the loss of every way, at once. Letting go
/// of the monitor stops it and ends its streams.
///
/// Connected means that this machine knows a way: packets would leave. Whether anybody answers, a ``NetworkProbe`` finds
/// out.
public final class NetworkMonitor: Sendable {
    /// One for the whole process, which clients use unless they are given another.
    ///
    /// It watches while somebody waits for the network, or from ``startMonitoring()`` on.
    public static let shared = NetworkMonitor()

    private let hub: NetworkHub

    /// Creates a monitor, which does nothing yet.
    ///
    /// - Parameters:
    ///   - shouldDetectVpnAutomatically: Whether a VPN that carries the packets is told as ``NetworkType/vpn``; without, it
    ///     is what the VPN runs over.
    ///   - probe: Asks whether the internet answers; nobody does by default.
    public convenience init(shouldDetectVpnAutomatically: Bool = true, probe: NetworkProbe? = nil) {
        self.init(SystemNetwork.source, shouldDetectVpnAutomatically: shouldDetectVpnAutomatically, probe: probe)
    }

    /// Creates a monitor of a source.
    package init(
        _ source: any NetworkSource, shouldDetectVpnAutomatically: Bool = true, probe: NetworkProbe? = nil,
        time: TimeSource = .system
    ) {
        hub = NetworkHub(source, detectsVPN: shouldDetectVpnAutomatically, probe: probe, time: time)
    }

    deinit { hub.close() }

    /// Starts to watch; again is nothing.
    ///
    /// When it returns, the system has said what is so, unless it is stopped meanwhile: of those who start and stop it at
    /// once the last one has it their way. Where the system is silent, it is waited for, some seconds at most: call it where
    /// that may be.
    public func startMonitoring() { hub.start() }

    /// Stops watching, so that nothing is left of it; streams stay, and hear on when it is started again.
    ///
    /// Where somebody else is just starting it, that is waited for. Whoever waits for the network has it watched on.
    public func stopMonitoring() { hub.stop() }

    /// Whether it was started, and not stopped since.
    public var isMonitoring: Bool { hub.isStarted }

    /// Whether there is a way to the internet, and through what; asked for anew where it does not watch.
    public var connectivity: Connectivity { hub.status.connectivity }

    /// All that is known; asked for anew where it does not watch.
    public var currentStatus: NetworkStatus { hub.status }

    /// What is known without asking; `nil` where it does not watch.
    package var knownStatus: NetworkStatus? { hub.knownStatus }

    /// Whether there is a way to the internet, and through what: as it is now, and then each change.
    ///
    /// Each call gives a stream of its own, for one reader. For a reader who is slow 64 changes are kept, the newest. It ends
    /// when the monitor goes.
    ///
    /// - Returns: The stream.
    public func statusStream() -> AsyncStream<Connectivity> { hub.connectivities() }

    /// All that is known: as it is now, and then at each change of anything.
    ///
    /// Each call gives a stream of its own, for one reader. For a reader who is slow 64 changes are kept, the newest. It ends
    /// when the monitor goes.
    ///
    /// - Returns: The stream.
    public func detailedStatusStream() -> AsyncStream<NetworkStatus> { hub.statuses() }

    /// All that is known, as ``currentStatus``; where it is asked for, the caller's thread is not held up.
    package func awaitedStatus() async -> NetworkStatus { await hub.awaitedStatus() }

    /// What is known, or where it does not watch, what the system says at a glance.
    ///
    /// That is whether there is a network, and little else. The caller's thread is not held up.
    package func awaitedGlance() async -> NetworkStatus { await hub.awaitedGlance() }

    /// What the system says when asked, whatever is known; the caller's thread is not held up.
    package func awaitedFreshStatus() async -> NetworkStatus { await hub.awaitedFreshStatus() }

    /// What the system says at a glance, whatever is known; it may block.
    package var secondGlance: NetworkStatus { hub.secondGlance }

    /// Waits until there is a way to the internet; started or not, it watches meanwhile.
    ///
    /// Where the platform cannot tell (``NetworkStatus/Source/nobody``) it waits for the whole time, without one for ever.
    ///
    /// - Parameter timeout: How long to wait at most; `nil`, the default, for ever.
    /// - Returns: Whether there is one; `false` when the time is up or the task is cancelled.
    @discardableResult
    public func waitUntilConnected(timeout: Duration? = nil) async -> Bool { await hub.waitUntilConnected(timeout) }

    /// Waits for a way to the internet that was not there before: the network is back, or it is another one.
    ///
    /// It is what reconnections wait for, started or not. Where nothing changes, it returns when the task is cancelled.
    public func waitForNewPath() async { await hub.waitForArrival() }

    /// Watches as long as somebody holds what is returned, started or not; begun elsewhere, so that nobody waits for it.
    package func lease() -> Lease { Lease(hub) }

    /// A reason to watch.
    package final class Lease: Sendable {
        private let hub: NetworkHub

        fileprivate init(_ hub: NetworkHub) {
            self.hub = hub
            hub.lease()
        }

        deinit { hub.release() }
    }

    /// Remembers from now on whether a way comes, and watches as long as somebody holds what is returned.
    ///
    /// Nobody is waited for. Where it does not watch yet, and the system does not say at once that there is no way, what
    /// was told, asked for or glanced at last is taken for what is so now; where nothing is known, what it is told first
    /// was there before.
    package func pathMark() -> PathMark { PathMark(hub) }

    /// Knows of the ways that came since it was made.
    package final class PathMark: Sendable {
        private let hub: NetworkHub
        private let count: Int

        fileprivate init(_ hub: NetworkHub) {
            self.hub = hub
            count = hub.mark()
        }

        deinit { hub.release() }

        /// Waits for a way that was not there when it was made; where one came since, not at all.
        package func arrived() async { await hub.waitForArrival(after: count) }
    }

    /// How many listen to its streams.
    package var observerCount: Int { hub.observerCount }
}
