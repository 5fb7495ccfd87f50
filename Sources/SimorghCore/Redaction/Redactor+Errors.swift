// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An error that knows what of it may be told.
package protocol SelfRedactingError: Error {
    /// The same error, without what is to be hidden.
    func shown(by redactor: Redactor) -> any Error
}

extension Redactor {
    /// An error as it may be told: without the query of its URL, and without what a server answered to somebody else.
    package func shown(_ error: any Error) -> any Error {
        guard rules.isOn else { return error }
        // An error that has a cause may bring it to light by being printed.
        switch error {
        case let error as any SelfRedactingError: return error.shown(by: self)
        case let error as TransportError: return shown(error)
        case let error as NetworkError: return CallFailure(error, showing: self)
        case is CancellationError, is CallFailure: return error
        // What a stranger's error holds nobody knows.
        default: return CallFailure(other: error, showing: self)
        }
    }

    /// An error of the wire as it may be told.
    package func shown(_ error: TransportError) -> TransportError {
        guard rules.isOn else { return error }
        var error = error
        error.url = text(Redaction.shown(url: error.url, by: rules))
        error.message = text(error.message)
        error.underlying = error.underlying.map { shown($0) }
        return error
    }
}
