// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A transport that may be able to hold a request until the system has a network for it.
package protocol ConnectivityWaitingTransport: Transport {
    /// True if requests with ``TransportOptions/connectivityWait`` wait for the network inside the transport.
    var waitsForConnectivity: Bool { get }
}

/// The permission of one request to wait inside its transport, which the offline queue grants.
///
/// The transport calls ``begin()`` when the request begins to wait, and ``end()`` when it is sent.
package final class ConnectivityWait: Sendable {
    private enum State: Sendable { case idle, waiting, refused(TransportError), ended }

    /// The longest wait.
    package let limit: Duration
    /// The error of a request that has waited for that time.
    package let timeoutError: TransportError
    /// Reports the wait to the observers of the call, which are called outside the lock.
    private let report: WaitReport?
    private let onBegin: @Sendable () -> TransportError?
    private let onEnd: @Sendable () -> Void
    private let state = Mutex(State.idle)

    /// Creates a permission.
    ///
    /// - Parameters:
    ///   - limit: The longest wait.
    ///   - timeoutError: The error of a request that has waited for that time.
    ///   - report: Reports the wait; `nil` if the call is not observed.
    ///   - onBegin: Called under a lock when the wait begins; returns an error if the request must fail instead.
    ///   - onEnd: Called under the same lock when a wait that had begun has ended.
    package init(
        limit: Duration, timeoutError: TransportError, report: WaitReport? = nil,
        onBegin: @escaping @Sendable () -> TransportError?, onEnd: @escaping @Sendable () -> Void
    ) {
        (self.limit, self.timeoutError, self.report) = (limit, timeoutError, report)
        (self.onBegin, self.onEnd) = (onBegin, onEnd)
    }

    /// Announces that the request waits; only the first call has an effect.
    ///
    /// - Returns: The error with which the request must fail; `nil` if it may wait.
    package func begin() -> TransportError? {
        let (error, isFirst): (TransportError?, Bool) = state.withLock { state in
            switch state {
            case .refused(let error): return (error, false)
            case .waiting, .ended: return (nil, false)
            case .idle:
                let error = onBegin()
                state = error.map { .refused($0) } ?? .waiting
                return (error, error == nil)
            }
        }
        guard isFirst else { return error }
        report?.begin()
        // The request may have ended meanwhile, on another thread; every reported wait has an end.
        if case .ended = state.withLock(\.self) { report?.end() }
        return error
    }

    /// Announces that the request waits no longer.
    package func end() {
        state.withLock { state in
            if case .waiting = state { onEnd() }
            state = .ended
        }
        report?.end()
    }
}
