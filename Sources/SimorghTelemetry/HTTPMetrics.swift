// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

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
        var sizes: [Labels: (request: Recorder, response: Recorder)] = [:]
        var active: [Labels: Active] = [:]
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
        let factory = factory
        let (meter, gone) = state.withLock { state -> (Meter, [Active]) in
            let (active, gone) = Self.kept(&state.active, labels, unless: { $0.count > 0 }) {
                Active(
                    meter: Meter(
                        label: "http.client.active_requests", dimensions: labels.dimensions, factory: factory))
            }
            state.active[labels]?.count += count
            return (active.meter, gone)
        }
        for active in gone { active.meter.destroy() }
        if count > 0 { meter.increment(by: count) } else { meter.decrement(by: -count) }
    }

    /// An attempt took so long until its answer's head, or its failure.
    func took(_ duration: Duration, _ labels: Labels) {
        let factory = factory
        let (timer, gone) = state.withLock { state in
            Self.kept(&state.timers, labels) {
                Timer(label: "http.client.request.duration", dimensions: labels.dimensions, factory: factory)
            }
        }
        for timer in gone { timer.destroy() }
        let (seconds, attoseconds) = duration.components
        timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// The bodies of an exchange were so large, in bytes: that of the request as it was given, that of the response as it is
    /// read.
    ///
    /// The conventions want them as they are on the wire, which differs where a body is compressed: of those bytes the
    /// timings tell only together with the head's.
    func moved(request: Int64?, response: Int64?, _ labels: Labels) {
        let factory = factory
        let (sizes, gone) = state.withLock { state in
            Self.kept(&state.sizes, labels) {
                (
                    request: Recorder(
                        label: "http.client.request.body.size", dimensions: labels.dimensions, aggregate: true,
                        factory: factory),
                    response: Recorder(
                        label: "http.client.response.body.size", dimensions: labels.dimensions, aggregate: true,
                        factory: factory)
                )
            }
        }
        for sizes in gone {
            sizes.request.destroy()
            sizes.response.destroy()
        }
        if let request { sizes.request.record(request) }
        if let response { sizes.response.record(response) }
    }

    /// What there is of a set of dimensions, else what is made of it.
    ///
    /// - Returns: It, and those that had to go for it, which their maker is to be told of.
    private static func kept<Value>(
        _ values: inout [Labels: Value], _ labels: Labels, unless isNeeded: (Value) -> Bool = { _ in false },
        _ make: () -> Value
    ) -> (value: Value, gone: [Value]) {
        if let value = values[labels] { return (value, []) }
        var gone: [Value] = []
        if values.count >= capacity {
            gone = values.values.filter { !isNeeded($0) }
            values = values.filter { isNeeded($0.value) }
        }
        let value = make()
        values[labels] = value
        return (value, gone)
    }
}
