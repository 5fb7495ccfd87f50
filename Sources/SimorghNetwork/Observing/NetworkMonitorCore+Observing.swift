// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

extension NetworkMonitorCore {
    package func connectivities() -> AsyncStream<Connectivity> {
        let (stream, continuation) = AsyncStream<Connectivity>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.backlog))
        observe(.connectivity(continuation, last: nil)) { continuation.onTermination = $0 }
        return stream
    }

    package func statuses() -> AsyncStream<NetworkStatus> {
        let (stream, continuation) = AsyncStream<NetworkStatus>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.backlog))
        observe(.status(continuation)) { continuation.onTermination = $0 }
        return stream
    }

    /// Adds an observer, which receives the current status first.
    private func observe(_ observer: Observer, onTermination: (@escaping @Sendable (Any) -> Void) -> Void) {
        let now = status
        add(observer, onTermination: onTermination)
        // A provisional status is not shown: the system is about to report the complete one.
        if now.isProvisional { completeStatusForObservers() }
    }

    private func add(_ observer: Observer, onTermination: (@escaping @Sendable (Any) -> Void) -> Void) {
        let id: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.nextID += 1
            // The first element is the current status, which includes any change since the query.
            switch observer {
            case .status(let continuation):
                if let status = state.status { continuation.yield(status) }
                state.observers[state.nextID] = observer
            case .connectivity(let continuation, _):
                // Disconnected means unknown here, and an app would show that it is offline for ever.
                let now = isAvailable ? state.status?.connectivity : nil
                if let now { continuation.yield(now) }
                state.observers[state.nextID] = .connectivity(continuation, last: now)
            }
            return state.nextID
        }
        guard let id else {
            switch observer {
            case .connectivity(let continuation, _): continuation.finish()
            case .status(let continuation): continuation.finish()
            }
            return
        }
        onTermination { [weak self] _ in
            guard let self else { return }
            state.withLock { _ = $0.observers.removeValue(forKey: id) }
        }
    }

    /// The number of observers.
    package var observerCount: Int { state.withLock { $0.observers.count } }
}
