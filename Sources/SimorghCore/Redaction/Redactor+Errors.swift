// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An error that redacts itself.
package protocol SelfRedactingError: Error {
    /// Returns the same error without its secrets.
    func shown(by redactor: Redactor) -> any Error
}

extension Redactor {
    /// Returns a redacted error: without the query of its URL and without the body of a response.
    package func shown(_ error: any Error) -> any Error {
        guard rules.isOn else { return error }
        // Printing an error can also print its cause, so the cause must be redacted, too.
        switch error {
        case let error as any SelfRedactingError: return error.shown(by: self)
        case let error as TransportError: return shown(error)
        case let error as NetworkError: return CallError(error, showing: self)
        case is CancellationError, is CallError: return error
        // The content of other errors is unknown.
        default: return CallError(other: error, showing: self)
        }
    }

    /// Returns a redacted transport error.
    package func shown(_ error: TransportError) -> TransportError {
        guard rules.isOn else { return error }
        var error = error
        error.url = text(Redaction.shown(url: error.url, by: rules))
        error.message = text(error.message)
        error.underlying = error.underlying.map { shown($0) }
        return error
    }
}
