// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import Synchronization

/// The details of a response that are known only when its body has ended: the trailers and the final timings.
package final class ResponseCompletion: Sendable {
    /// A callback for the final timings, and for the error that ended the exchange early, if any.
    package typealias Observer = @Sendable (ExchangeTimings, TransportError?) -> Void

    private struct State: Sendable {
        var fields: HTTPFields
        var result: (timings: ExchangeTimings, error: TransportError?)?
        var observer: Observer?
    }

    private let state: Mutex<State>

    /// Creates the details, without fields if the trailers are still to arrive.
    package init(_ fields: HTTPFields = HTTPFields()) { state = Mutex(State(fields: fields)) }

    /// The trailer fields; empty until they have arrived.
    package var fields: HTTPFields { state.withLock { $0.fields } }

    /// The timings of the whole exchange; `nil` until it has ended.
    package var timings: ExchangeTimings? { state.withLock { $0.result?.timings } }

    /// Sets the trailer fields.
    package func set(_ fields: HTTPFields) { state.withLock { $0.fields = fields } }

    /// Records the end of the exchange; only the first call has an effect.
    ///
    /// - Parameters:
    ///   - timings: The final timings.
    ///   - error: The error that ended the exchange before the body did; `nil` if the body is complete.
    package func end(_ timings: ExchangeTimings, error: TransportError? = nil) {
        let observer = state.withLock { state -> Observer? in
            guard state.result == nil else { return nil }
            state.result = (timings, error)
            return state.observer.take()
        }
        observer?(timings, error)
    }

    /// Calls an observer once the exchange has ended; immediately if it already has.
    package func onCompletion(_ observer: @escaping Observer) {
        let result = state.withLock { state in
            if state.result == nil { state.observer = observer }
            return state.result
        }
        if let result { observer(result.timings, result.error) }
    }
}
