// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

extension WebSocketError: SelfRedactingError {
    package func shown(by redactor: Redactor) -> any Error {
        var copy = self
        copy.message = redactor.text(message)
        copy.underlying = underlying.map { redactor.shown($0) }
        return copy
    }
}
