// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import Synchronization

/// An Apple platform that a test controls: nothing happens until the test reports a path or runs a delayed closure.
final class FakePathProvider: PathProvider {
    private struct State {
        var update: (@Sendable (PathWatchStateMachine.Monitor, ApplePath) -> Void)?
        var initial: [PathWatchStateMachine.Monitor: ApplePath] = [:]
        var links: [String: ApplePathSnapshot.Link] = [:]
        var sources: [String] = []
        var starts = 0
        var delayed: [(delay: Duration, work: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    var starts: Int { state.withLock { $0.starts } }

    /// The delays of the closures that have not run.
    var delays: [Duration] { state.withLock { $0.delayed.map(\.delay) } }

    func set(
        sources: [String], links: [String: [String]], initial: [PathWatchStateMachine.Monitor: ApplePath] = [:]
    ) {
        state.withLock { state in
            state.sources = sources
            state.initial = initial
            state.links = links.mapValues { addresses in
                var link = ApplePathSnapshot.Link()
                link.isRunning = true
                link.addresses = addresses
                return link
            }
        }
    }

    func report(_ monitor: PathWatchStateMachine.Monitor, _ path: ApplePath) {
        state.withLock { $0.update }?(monitor, path)
    }

    /// Runs the closures with a delay, and those that they add with the same delay.
    func run(after delay: Duration) {
        while let work = state.withLock({ state in
            state.delayed.firstIndex { $0.delay == delay }.map { state.delayed.remove(at: $0).work }
        }) {
            work()
            if delay > .zero { return }
        }
    }

    func start(_ update: @escaping @Sendable (PathWatchStateMachine.Monitor, ApplePath) -> Void) {
        state.withLock { state in
            state.starts += 1
            state.update = update
        }
    }

    func stop() {}

    func currentPath(of monitor: PathWatchStateMachine.Monitor) -> ApplePath {
        state.withLock { $0.initial[monitor] ?? ApplePath() }
    }

    func links() -> [String: ApplePathSnapshot.Link] { state.withLock { $0.links } }

    func sources() -> [String] { state.withLock { $0.sources } }

    func run(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.delayed.append((delay, work)) }
    }
}

extension ApplePath {
    /// A path over Wi-Fi, as on an iPhone.
    static var wifi: ApplePath {
        var path = ApplePath()
        path.status = .satisfied
        path.devices = [ApplePathSnapshot.Device("en0", type: .wifi, index: 4)]
        path.types = [.wifi]
        path.supportsIPv4 = true
        return path
    }
}
