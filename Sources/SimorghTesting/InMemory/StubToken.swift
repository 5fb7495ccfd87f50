// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A stub that is in place for as long as this is held.
///
/// Letting the last reference go takes the stub out, so that no test leaves one to the next; ``keep()`` leaves it in place.
public final class StubToken: Sendable {
    private let book: AnswerBook
    private let id: Int
    private let isKept = Atomic(false)

    init(_ book: AnswerBook, _ id: Int) {
        self.book = book
        self.id = id
    }

    deinit {
        if !isKept.load(ordering: .relaxed) { book.remove(id) }
    }

    /// Takes the stub out; a second time does nothing.
    public func remove() { book.remove(id) }

    /// Takes the stub out, by the name that other libraries have for it.
    public func cancel() { remove() }

    /// Leaves the stub in place for as long as its server lives, held or not.
    ///
    /// - Returns: The token itself.
    @discardableResult
    public func keep() -> StubToken {
        isKept.store(true, ordering: .relaxed)
        return self
    }
}
