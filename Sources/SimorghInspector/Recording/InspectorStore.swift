// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghSupport
import Synchronization

/// The state of an inspector, shared by its observers and its server.
package final class InspectorStore: Sendable {
    /// Signaled after each change.
    package let changed = AsyncSignal()
    package let configuration: Inspector.Configuration
    package let time: TimeSource
    private let watch: Stopwatch
    private let state: Mutex<InspectorState>
    private let frameOrigins = Mutex<[String]>([])
    /// The clients that calls are repeated with, by the observers of their calls: names can be equal.
    private let clients = Mutex<[ObjectIdentifier: APIClient]>([:])
    /// The running repetitions of calls.
    private let repetitions = Mutex<[UUID: Task<Void, Never>]>([:])

    package init(_ configuration: Inspector.Configuration, state: InspectorState? = nil, time: TimeSource = .system) {
        let limits = InspectorState.Limits(configuration)
        var configuration = configuration
        configuration.maximumBodyBytes = limits.body
        self.configuration = configuration
        self.time = time
        watch = time.stopwatch()
        self.state = Mutex(state ?? InspectorState(limits))
    }

    /// A copy of the state.
    package var snapshot: InspectorState { state.withLock { $0 } }

    /// Changes the state, and wakes the pages.
    ///
    /// - Parameter change: Receives the state and the time since the start of the inspector.
    /// - Returns: The result of the change.
    @discardableResult
    package func change<Value: Sendable>(_ change: (inout InspectorState, Duration) -> Value) -> Value {
        let now = watch.elapsed
        let (value, discarded) = state.withLock { state in
            let value = change(&state, now)
            return (value, state.takeDiscarded())
        }
        for exchange in discarded { exchange.forget() }
        changed.ring()
        return value
    }

    /// Reads the state without a copy of it.
    package func read<Value: Sendable>(_ read: (InspectorState) -> Value) -> Value { state.withLock { read($0) } }

    /// Adds a client that can repeat the calls of an observer.
    package func add(_ client: APIClient, for observer: ClientObserver) {
        clients.withLock { $0[ObjectIdentifier(observer)] = client }
    }

    /// Returns the client that can repeat a call; `nil` without one.
    package func client(for call: InspectedCall) -> APIClient? {
        call.observer.flatMap { observer in clients.withLock { $0[observer] } }
    }

    /// The largest number of origins that may show the page in a frame.
    private static let maximumFrameOrigins = 8

    /// Allows the pages of an origin to show the inspector in a frame; the last eight origins are kept.
    ///
    /// A text that is not an origin has no effect, and neither has an IPv6 address, which a policy cannot name.
    package func allowFrame(in origin: String) {
        guard Self.isOrigin(origin) else { return }
        frameOrigins.withLock { origins in
            origins.removeAll { $0 == origin }
            origins.append(origin)
            if origins.count > Self.maximumFrameOrigins { origins.removeFirst() }
        }
    }

    /// Returns true if a text is an origin, and adds no other directive to a policy.
    private static func isOrigin(_ text: String) -> Bool {
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else { return false }
        return text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !";,'\"*[".utf8.contains($0) }
    }

    /// The origins whose pages may show the inspector in a frame.
    package var allowedFrameOrigins: [String] { frameOrigins.withLock(\.self) }

    /// The largest number of calls that are repeated at the same time.
    private static let maximumRepetitions = 16

    /// Starts the repetition of a call.
    ///
    /// - Parameter operation: Sends the call.
    /// - Returns: False if too many repetitions are running.
    package func startRepetition(_ operation: @escaping @Sendable () async -> Void) -> Bool {
        let id = UUID()
        return repetitions.withLock { running in
            guard running.count < Self.maximumRepetitions else { return false }
            running[id] = Task {
                await operation()
                self.endRepetition(id)
            }
            return true
        }
    }

    private func endRepetition(_ id: UUID) { repetitions.withLock { $0[id] = nil } }

    /// Releases the clients, and cancels the repetitions of their calls.
    package func removeClients() {
        clients.withLock { $0 = [:] }
        let running = repetitions.withLock { Array($0.values) }
        for task in running { task.cancel() }
    }
}
