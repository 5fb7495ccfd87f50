// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import Synchronization

/// What nobody knows of a response before its body has ended: the fields behind it, and how the whole exchange went.
package final class ResponseEnding: Sendable {
    /// Hears how the exchange went, and why it ended early where it did.
    package typealias Observer = @Sendable (ExchangeTimings, TransportError?) -> Void

    private struct State: Sendable {
        var fields: HTTPFields
        var result: (timings: ExchangeTimings, error: TransportError?)?
        var observer: Observer?
    }

    private let state: Mutex<State>

    /// Creates it, without fields where they are still to come.
    package init(_ fields: HTTPFields = HTTPFields()) { state = Mutex(State(fields: fields)) }

    /// The fields behind the body, as far as they came.
    package var fields: HTTPFields { state.withLock { $0.fields } }

    /// How the whole exchange went; `nil` until it has ended.
    package var timings: ExchangeTimings? { state.withLock { $0.result?.timings } }

    /// Puts the fields in that came behind the body.
    package func set(_ fields: HTTPFields) { state.withLock { $0.fields = fields } }

    /// The exchange has ended; what ends twice has ended the first time.
    ///
    /// - Parameters:
    ///   - timings: How it went.
    ///   - error: Why it ended before the body did; `nil` where the body is whole.
    package func end(_ timings: ExchangeTimings, _ error: TransportError? = nil) {
        let observer = state.withLock { state -> Observer? in
            guard state.result == nil else { return nil }
            state.result = (timings, error)
            return state.observer.take()
        }
        observer?(timings, error)
    }

    /// Tells how the exchange went, once it has ended; at once where that is so already.
    package func whenEnded(_ tell: @escaping Observer) {
        let result = state.withLock { state in
            if state.result == nil { state.observer = tell }
            return state.result
        }
        if let result { tell(result.timings, result.error) }
    }
}
