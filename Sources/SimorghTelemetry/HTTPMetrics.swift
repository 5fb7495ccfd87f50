// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
import CoreMetrics
import HTTPTypes
import SimorghCore
import Synchronization

/// The metrics of requests, named by OpenTelemetry's semantic conventions for HTTP clients.
///
/// One handler is created per set of dimensions; the number of retained sets is bounded.
final class HTTPMetrics: Sendable {
    /// The dimensions of one attempt.
    struct Labels: Sendable, Hashable {
        var method: String
        var origin: HTTPOrigin
        var status: Int?
        var error: String?
        var version: String?

        var dimensions: [(String, String)] {
            var list = [
                ("http.request.method", method), ("server.address", origin.host), ("server.port", "\(origin.port)"),
                ("url.scheme", origin.scheme),
            ]
            if let status { list.append(("http.response.status_code", "\(status)")) }
            if let error { list.append(("error.type", error)) }
            if let version { list.append(("network.protocol.version", version)) }
            return list
        }
    }

    private struct State {
        var timers: [Labels: Timer] = [:]
        var sizes: [Labels: Sizes] = [:]
        var active: [Labels: Active] = [:]
    }

    private struct Sizes: Sendable {
        let request: Recorder
        let response: Recorder
    }

    private struct Active: Sendable {
        let meter: Meter
        var count = 0.0
    }

    /// The maximum number of dimension sets.
    ///
    /// When it is reached, all are discarded except those with active requests.
    static let capacity = 1024

    private let state = Mutex(State())
    private let own: (any MetricsFactory)?
    let time: TimeSource

    init(factory: (any MetricsFactory)?, time: TimeSource) {
        own = factory
        self.time = time
    }

    /// The metrics factory, read at each use because a program may bootstrap its metrics after it has created a client.
    private var factory: any MetricsFactory { own ?? MetricsSystem.factory }

    /// Changes the number of active requests.
    func addActiveRequests(_ labels: Labels, by count: Double) {
        let active = value(
            \.active, labels: labels,
            unless: { $0.count > 0 },
            change: {
                $0.count += count
                return true
            },
            make: { factory in
                let dimensions = labels.dimensions
                return Active(
                    meter: Meter(label: "http.client.active_requests", dimensions: dimensions, factory: factory))
            },
            destroy: { $0.meter.destroy() })
        if count > 0 { active.meter.increment(by: count) } else { active.meter.decrement(by: -count) }
    }

    /// Records the duration of an attempt until its response head or failure.
    func recordDuration(_ duration: Duration, labels: Labels) {
        let timer = value(
            \.timers, labels: labels,
            make: { factory in
                Timer(label: "http.client.request.duration", dimensions: labels.dimensions, factory: factory)
            },
            destroy: { $0.destroy() })
        let (seconds, attoseconds) = duration.components
        timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// Records the sizes of an exchange's bodies, in bytes, as the caller sees them: before compression and after
    /// decompression.
    ///
    /// A streamed response body is recorded at its end, as far as it was read. The conventions ask for the sizes on the
    /// wire, but the timings only report those bytes together with the bytes of the head.
    func recordBodySizes(request: Int64?, response: Int64?, labels: Labels) {
        let sizes = value(
            \.sizes, labels: labels,
            make: { factory in
                Sizes(
                    request: Recorder(
                        label: "http.client.request.body.size", dimensions: labels.dimensions, aggregate: true,
                        factory: factory),
                    response: Recorder(
                        label: "http.client.response.body.size", dimensions: labels.dimensions, aggregate: true,
                        factory: factory))
            },
            destroy: {
                $0.request.destroy()
                $0.response.destroy()
            })
        if let request { sizes.request.record(request) }
        if let response { sizes.response.record(response) }
    }

    /// Returns the value for a set of dimensions, and creates it if necessary.
    ///
    /// The factory is the program's own code, so nothing is created or destroyed under the lock. If two are created at
    /// the same time, the first is kept. The other is not destroyed: a factory may have returned the same handler for
    /// both.
    ///
    /// - Parameters:
    ///   - values: The values by dimensions.
    ///   - labels: The dimensions.
    ///   - isNeeded: Returns true for a value to keep when the capacity is reached.
    ///   - change: Changes the value under the lock; returns true if it did.
    ///   - make: Creates a value.
    ///   - destroy: Destroys a discarded value.
    /// - Returns: The changed value.
    private func value<Value: Sendable>(
        _ values: WritableKeyPath<State, [Labels: Value]>, labels: Labels,
        unless isNeeded: (Value) -> Bool = { _ in false }, change: (inout Value) -> Bool = { _ in false },
        make: (any MetricsFactory) -> Value, destroy: (Value) -> Void
    ) -> Value {
        let existing: Value? = state.withLock { state in
            guard var value = state[keyPath: values][labels] else { return nil }
            if change(&value) { state[keyPath: values][labels] = value }
            return value
        }
        if let existing { return existing }
        let created = make(factory)
        let (value, removed) = state.withLock { state -> (Value, [Value]) in
            var removed: [Value] = []
            if state[keyPath: values][labels] == nil, state[keyPath: values].count >= Self.capacity {
                removed = state[keyPath: values].values.filter { !isNeeded($0) }
                state[keyPath: values] = state[keyPath: values].filter { isNeeded($0.value) }
            }
            var value = state[keyPath: values][labels] ?? created
            _ = change(&value)
            state[keyPath: values][labels] = value
            return (value, removed)
        }
        for one in removed { destroy(one) }
        return value
    }
}
#endif
