// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A token that keeps a stub in place.
///
/// Releasing the last reference removes the stub, so that it does not affect the next test. ``keep()`` leaves it in
/// place.
public final class StubToken: Sendable {
    private let registry: StubRegistry
    private let id: Int
    private let isKept = Atomic(false)

    init(_ registry: StubRegistry, id: Int) {
        self.registry = registry
        self.id = id
    }

    deinit {
        if !isKept.load(ordering: .relaxed) { registry.remove(id) }
    }

    /// Removes the stub.
    ///
    /// A second call has no effect.
    public func remove() { registry.remove(id) }

    /// Removes the stub; the name of ``remove()`` in other libraries.
    public func cancel() { remove() }

    /// Leaves the stub in place for the lifetime of its server, even if the token is released.
    ///
    /// - Returns: The token itself.
    @discardableResult
    public func keep() -> StubToken {
        isKept.store(true, ordering: .relaxed)
        return self
    }
}
