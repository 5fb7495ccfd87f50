// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
package import SimorghSupport

/// A gate that holds tasks back until a test opens it.
///
/// It replaces a sleep: a response behind a gate is delayed for exactly as long as the test needs.
public final class Gate: Sendable {
    /// Signaled once, when the gate is opened.
    private let signal: AsyncSignal
    /// Signaled whenever a task is about to wait.
    private let arrivals: AsyncSignal
    /// The number of signals after which it is open.
    private let count: Int

    /// Creates a gate.
    ///
    /// - Parameter isOpen: True if it is initially open; false by default.
    public init(isOpen: Bool = false) {
        let arrivals = AsyncSignal()
        self.arrivals = arrivals
        signal = AsyncSignal { arrivals.ring() }
        count = 0
        if isOpen { signal.ring() }
    }

    /// Creates a gate that opens with the next signal after a count.
    ///
    /// - Parameters:
    ///   - signal: The signal; ``waiting(_:)`` does not notice tasks that wait for it.
    ///   - count: The number of signals when the caller checked the state.
    package init(signal: AsyncSignal, after count: Int) {
        self.signal = signal
        self.count = count
        arrivals = AsyncSignal()
    }

    /// True if the gate is open, so that tasks do not wait.
    public var isOpen: Bool { signal.count > count }

    /// The number of tasks that wait now.
    public var waitingCount: Int { signal.waiting }

    /// Opens the gate permanently.
    ///
    /// A second call has no effect.
    public func open() { signal.ring() }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` immediately if the task is cancelled.
    public func wait() async throws { try await signal.wait(after: count) }

    /// Waits until a task waits at the gate, which shows that the gated work is in progress.
    ///
    /// ```swift
    /// let gate = Gate()
    /// transport.on("/slow", response: .text("at last").held(by: gate))
    /// let task = Task { try await client.call(.get, "slow").void() }
    /// try await gate.waiting()  // The answer is held here.
    /// task.cancel()
    /// ```
    /// No task waits at an open gate, so call this before ``open()``.
    ///
    /// - Parameter count: The minimum number of tasks that wait at the same time; 1 by default.
    /// - Throws: `CancellationError` immediately if the task is cancelled.
    public func waiting(_ count: Int = 1) async throws {
        while true {
            try Task.checkCancellation()
            let signalCount = arrivals.count
            if waitingCount >= count { return }
            try await arrivals.wait(after: signalCount)
        }
    }
}
