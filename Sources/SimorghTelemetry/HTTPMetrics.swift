// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
import CoreMetrics
import HTTPTypes
import SimorghCore
import Synchronization

/// The metrics of requests, by the names of OpenTelemetry's conventions for HTTP clients.
///
/// A handler is made once for each set of dimensions, of which a bounded number is kept.
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

    /// So many sets of dimensions are kept; past that all are begun anew, but for those of requests on their way.
    static let capacity = 1024

    private let state = Mutex(State())
    private let own: (any MetricsFactory)?
    let time: TimeSource

    init(factory: (any MetricsFactory)?, time: TimeSource) {
        own = factory
        self.time = time
    }

    /// Asked for when it is used: a program may set its metrics up after it has made a client.
    private var factory: any MetricsFactory { own ?? MetricsSystem.factory }

    /// So many more requests are on their way.
    func activate(_ labels: Labels, by count: Double) {
        let active = value(
            \.active, labels,
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

    /// An attempt took so long until its answer's head, or its failure.
    func took(_ duration: Duration, _ labels: Labels) {
        let timer = value(
            \.timers, labels,
            make: { factory in
                Timer(label: "http.client.request.duration", dimensions: labels.dimensions, factory: factory)
            },
            destroy: { $0.destroy() })
        let (seconds, attoseconds) = duration.components
        timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// The bodies of an exchange were so large, in bytes: that of the request as it was given, that of the response as it is
    /// read; one that streams is told at its end, as far as it was read.
    ///
    /// The conventions want them as they are on the wire, which differs where a body is compressed: of those bytes the
    /// timings tell only together with the head's.
    func moved(request: Int64?, response: Int64?, _ labels: Labels) {
        let sizes = value(
            \.sizes, labels,
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

    /// What there is of a set of dimensions, else what is made of it.
    ///
    /// The factory is the program's own, so nothing is made or destroyed under the lock; of two that are made at once the
    /// first stays. The other is not destroyed: a factory may have given the same handler for both.
    ///
    /// - Parameters:
    ///   - values: Where it is kept.
    ///   - labels: The dimensions.
    ///   - isNeeded: What stays although there is no room.
    ///   - change: Changes it under the lock, and says whether it did.
    ///   - make: Makes one.
    ///   - destroy: Gives one back that had to go.
    /// - Returns: It, changed.
    private func value<Value: Sendable>(
        _ values: WritableKeyPath<State, [Labels: Value]>, _ labels: Labels,
        unless isNeeded: (Value) -> Bool = { _ in false }, change: (inout Value) -> Bool = { _ in false },
        make: (any MetricsFactory) -> Value, destroy: (Value) -> Void
    ) -> Value {
        let kept: Value? = state.withLock { state in
            guard var value = state[keyPath: values][labels] else { return nil }
            if change(&value) { state[keyPath: values][labels] = value }
            return value
        }
        if let kept { return kept }
        let made = make(factory)
        let (value, gone) = state.withLock { state -> (Value, [Value]) in
            var gone: [Value] = []
            if state[keyPath: values][labels] == nil, state[keyPath: values].count >= Self.capacity {
                gone = state[keyPath: values].values.filter { !isNeeded($0) }
                state[keyPath: values] = state[keyPath: values].filter { isNeeded($0.value) }
            }
            var value = state[keyPath: values][labels] ?? made
            _ = change(&value)
            state[keyPath: values][labels] = value
            return (value, gone)
        }
        for one in gone { destroy(one) }
        return value
    }
}
#endif
