// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A door that tests hold shut: whoever waits at it goes on when it is opened, and not before.
///
/// It takes the place of a sleep. An answer behind a gate is on its way for as long as the test needs it to be.
public final class Gate: Sendable {
    /// Rung once, when the gate is opened.
    private let bell: Bell
    /// Rung whenever a task is about to wait.
    private let arrivals: Bell

    /// Creates a gate.
    ///
    /// - Parameter isOpen: Whether it is open from the start; shut by default.
    public init(isOpen: Bool = false) {
        let arrivals = Bell()
        self.arrivals = arrivals
        bell = Bell { arrivals.ring() }
        if isOpen { bell.ring() }
    }

    /// Whether nobody has to wait any more.
    public var isOpen: Bool { bell.count > 0 }

    /// How many wait now.
    public var waitingCount: Int { bell.waiting }

    /// Opens the gate for good; a second time does nothing.
    public func open() { bell.ring() }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` at once when the task is cancelled.
    public func wait() async throws { try await bell.wait(after: 0) }

    /// Waits until somebody waits at the gate, so that what is behind it is known to be on its way.
    ///
    /// ```swift
    /// let gate = Gate()
    /// transport.on("/slow", .text("at last").held(by: gate))
    /// let task = Task { try await client.call(.get, "slow").void() }
    /// try await gate.waiting()  // The answer is held here.
    /// task.cancel()
    /// ```
    /// At a gate that is open nobody waits: ask before you open it.
    ///
    /// - Parameter count: How many wait at least at the same time; one by default.
    /// - Throws: `CancellationError` at once when the task is cancelled.
    public func waiting(_ count: Int = 1) async throws {
        while true {
            try Task.checkCancellation()
            let strokes = arrivals.count
            if waitingCount >= count { return }
            try await arrivals.wait(after: strokes)
        }
    }
}
