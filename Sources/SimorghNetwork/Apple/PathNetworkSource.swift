// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

/// The inputs of a ``PathNetworkSource``: an Apple platform, or a script in a test.
///
/// No call may block.
package protocol PathProvider: Sendable {
    /// Starts both path monitors; called once.
    ///
    /// - Parameter update: Receives each path, one call after the other, on the serial executor of `run`.
    func start(_ update: @escaping @Sendable (PathWatchStateMachine.Monitor, ApplePath) -> Void)

    /// Stops both path monitors.
    func stop()

    /// Returns the path that a monitor has without a report, which may be its initial value.
    func currentPath(of monitor: PathWatchStateMachine.Monitor) -> ApplePath

    /// Returns all interfaces by name.
    func links() -> [String: ApplePathSnapshot.Link]

    /// Returns the source addresses that the kernel chooses for packets to a public address of each family.
    func sources() -> [String]

    /// Runs a closure on a serial executor after a delay.
    func run(after delay: Duration, _ work: @escaping @Sendable () -> Void)
}

extension PathProvider {
    package func links() -> [String: ApplePathSnapshot.Link] { SystemInterfaces.links() }

    package func sources() -> [String] {
        SystemInterfaces.sources(for: KernelNetworkSnapshot.destinations).map(\.description)
    }
}

/// The network source of Apple platforms: one pair of path monitors for the whole process.
///
/// The monitors start at the first query and keep running; they cost nothing while nothing changes. No call blocks: a
/// query before the first report of the system gets a provisional status, which the kernel's routes determine.
package final class PathNetworkSource: NetworkSource {
    private struct State {
        var machine = PathWatchStateMachine()
        var isStarted = false
        var nextID = 0
        var watchers: [Int: @Sendable (NetworkStatus) -> Void] = [:]
        /// The queries that wait for a complete status.
        var queries: [@Sendable () -> Void] = []
    }

    private let provider: any PathProvider
    private let clock: Stopwatch
    private let state = Mutex(State())
    private let cache = NetworkStatusCache()

    /// Creates a source; it starts nothing.
    ///
    /// - Parameters:
    ///   - provider: The system, or a script.
    ///   - time: The clock of the debouncer.
    package init(_ provider: any PathProvider, time: TimeSource = .system) {
        self.provider = provider
        clock = time.stopwatch()
    }

    deinit { provider.stop() }

    /// Returns the current status; a provisional one if the system has not reported its paths yet.
    package func current() -> NetworkStatus {
        start()
        return status
    }

    /// Returns a cached status while it is fresh, so that a burst of requests causes one query.
    package func quickStatus() -> NetworkStatus { cache.status { current() } }

    package var recentQuickStatus: NetworkStatus? {
        let status = quickStatus()
        return status.isProvisional ? nil : status
    }

    package func complete(_ report: @escaping @Sendable (NetworkStatus) -> Void) {
        whenSettled { report($0.status) }
    }

    package func record(_ report: @escaping @Sendable (NetworkRecording) -> Void) {
        whenSettled { report(NetworkRecording(apple: $0.snapshot)) }
    }

    package func watch(_ report: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
        start()
        let id = state.withLock { state in
            state.nextID += 1
            state.watchers[state.nextID] = report
            return state.nextID
        }
        // On the executor, where reports do not overlap.
        provider.run(after: .zero) { [weak self] in self?.report(only: id) }
        return { [weak self] in
            guard let self else { return }
            state.withLock { _ = $0.watchers.removeValue(forKey: id) }
        }
    }

    private func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else { return }
        provider.start { [weak self] monitor, path in
            self?.handle { $0.pathUpdated(monitor, to: path, at: $1) }
        }
        provider.run(after: PathWatchStateMachine.settleTimeout) { [weak self] in
            self?.handle { machine, _ in machine.timeoutPassed() }
        }
    }

    /// Calls a closure as soon as the status is complete, or the timeout has passed; at once if it is complete.
    private func whenSettled(_ body: @escaping @Sendable (PathNetworkSource) -> Void) {
        start()
        let isSettled = state.withLock { state in
            if !state.machine.canAnswer { state.queries.append { body(self) } }
            return state.machine.canAnswer
        }
        if isSettled { body(self) }
    }

    private var snapshot: ApplePathSnapshot {
        let paths = state.withLock { $0.machine.paths }
        var snapshot = ApplePathSnapshot()
        snapshot.isReported = paths[.general] != nil
        snapshot.general = paths[.general] ?? provider.currentPath(of: .general)
        snapshot.tunnel = paths[.tunnel] ?? provider.currentPath(of: .tunnel)
        snapshot.links = provider.links()
        snapshot.sources = provider.sources()
        return snapshot
    }

    private var status: NetworkStatus {
        let isProvisional = state.withLock { !$0.machine.isSettled }
        var status = snapshot.status
        status.isProvisional = isProvisional
        return status
    }

    /// Applies an event and performs its actions; called on the executor, so reports do not overlap.
    private func handle(_ event: (inout PathWatchStateMachine, Duration) -> [PathWatchStateMachine.Action]) {
        let now = clock.elapsed
        for action in state.withLock({ event(&$0.machine, now) }) {
            switch action {
            case .report: report()
            case .answer:
                let queries = state.withLock { state in
                    defer { state.queries = [] }
                    return state.queries
                }
                for query in queries { query() }
            case .checkAgain(let delay):
                provider.run(after: delay) { [weak self] in self?.handle { $0.timerFired(at: $1) } }
            case .checkRoutes(let delay):
                provider.run(after: delay) { [weak self] in
                    self?.handle { machine, _ in machine.routeCheckDue() }
                }
            }
        }
    }

    /// Reports the current status to all watchers, or to one of them; does nothing before it is complete.
    private func report(only id: Int? = nil) {
        let watchers = state.withLock { state in
            state.machine.isSettled ? state.watchers.filter { id == nil || $0.key == id }.map(\.value) : []
        }
        guard !watchers.isEmpty else { return }
        let status = status
        for watcher in watchers { watcher(status) }
    }
}
