// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

/// The sessions of a transport, by the options that they apply to all of their connections.
///
/// When the last reference is released, each session ends as soon as its tasks have ended.
final class SessionPool: Sendable {
    private typealias Machine = SessionPoolStateMachine<SessionKey, SessionOwner>

    private struct State {
        var machine = Machine()
        var configuration: URLSessionConfiguration
        /// The number of times that the configuration was replaced.
        var generation = 0
    }

    private let state: Mutex<State>
    private let userDelegate: (any URLSessionDelegate)?
    private let qos: DispatchQoS
    private let time: TimeSource
    private let stopwatch: Stopwatch
    /// Waits until the next session may have been idle for too long.
    private let timer = Mutex<Task<Void, Never>?>(nil)

    init(
        _ configuration: URLSessionConfiguration, userDelegate: (any URLSessionDelegate)?, qos: DispatchQoS,
        time: TimeSource
    ) {
        state = Mutex(State(configuration: Self.copy(configuration)))
        self.userDelegate = userDelegate
        self.qos = qos
        self.time = time
        stopwatch = time.stopwatch()
    }

    deinit { timer.withLock { $0 }?.cancel() }

    /// A copy, because the caller may change its own object.
    private static func copy(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        configuration.copy() as? URLSessionConfiguration ?? configuration
    }

    /// Checks that the current configuration is not that of a background session.
    func check() throws(TransportError) {
        try SessionRequestValidation.check(state.withLock { $0.configuration })
    }

    /// The number of sessions that are kept.
    var keptCount: Int { state.withLock { $0.machine.keptCount } }

    /// Returns the session of a key, which is created for the first use.
    ///
    /// - Parameter key: The key.
    /// - Returns: A lease of the session; release it after the last event of the task.
    /// - Throws: An error if the files of the TLS options cannot be used, or if the current configuration is that of a
    ///   background session.
    func lease(_ key: SessionKey) async throws(TransportError) -> SessionLease {
        if let use = state.withLock({ $0.machine.use(key) }) { return lease(use) }
        let trust = try await trust(for: key)
        while true {
            let (configuration, generation) = state.withLock { ($0.configuration, $0.generation) }
            try SessionRequestValidation.check(configuration)
            let owner = SessionOwner(configuration, key: key, trust: trust, userDelegate: userDelegate, qos: qos)
            let added = state.withLock { $0.generation == generation ? $0.machine.add(owner, for: key) : nil }
            // The configuration was replaced meanwhile.
            guard let added else { continue }
            perform(added.actions)
            return lease(added.use)
        }
    }

    private func trust(for key: SessionKey) async throws(TransportError) -> SessionTrust {
        guard key.tls != TLSOptions() else { return SessionTrust() }
        do {
            return try await FileQueue.runUntilCancelled { try SessionTrust(reading: key.tls, for: key.host) }
        } catch let error as TLSOptionsError {
            throw TransportError(error)
        } catch {
            throw .cancelled(phase: .queue)
        }
    }

    private func lease(_ use: Machine.Use) -> SessionLease {
        SessionLease(use.session) { [self] in
            perform(state.withLock { $0.machine.release(use.number, at: stopwatch.elapsed) })
        }
    }

    /// Uses another configuration for later requests.
    ///
    /// - Parameter configuration: The configuration.
    /// - Returns: The sessions of the previous configuration.
    func replaceConfiguration(_ configuration: URLSessionConfiguration) -> [SessionOwner] {
        let copy = Self.copy(configuration)
        let (sessions, actions) = state.withLock { state in
            state.configuration = copy
            state.generation += 1
            return (state.machine.sessions, state.machine.retireAll())
        }
        perform(actions)
        return sessions
    }

    private func perform(_ actions: [Machine.Action]) {
        for action in actions {
            switch action {
            // A session without references ends.
            case .end: break
            case .wake(let duration):
                let task = Task { [weak self, time] in
                    guard (try? await time.sleep(for: duration)) != nil, let self else { return }
                    perform(state.withLock { $0.machine.timeAdvanced(to: stopwatch.elapsed) })
                }
                timer.withLock { $0 = task }
            }
        }
    }
}

/// A use of a session, which is not ended before the lease is released.
final class SessionLease: Sendable {
    let owner: SessionOwner
    private let onRelease: @Sendable () -> Void

    init(_ owner: SessionOwner, onRelease: @escaping @Sendable () -> Void) {
        self.owner = owner
        self.onRelease = onRelease
    }

    deinit { onRelease() }
}
