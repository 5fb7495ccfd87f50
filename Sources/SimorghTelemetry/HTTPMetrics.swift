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
        var active: [Labels: Meter] = [:]
    }

    /// So many sets of dimensions are kept; past that all are begun anew.
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
        let meter = state.withLock { state in
            Self.kept(&state.active, labels) {
                Meter(label: "http.client.active_requests", dimensions: labels.dimensions, factory: factory)
            }
        }
        if count > 0 { meter.increment(by: count) } else { meter.decrement(by: -count) }
    }

    /// An attempt took so long until its answer's head, or its failure.
    func took(_ duration: Duration, _ labels: Labels) {
        let factory = factory
        let timer = state.withLock { state in
            Self.kept(&state.timers, labels) {
                Timer(label: "http.client.request.duration", dimensions: labels.dimensions, factory: factory)
            }
        }
        let (seconds, attoseconds) = duration.components
        timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// The bodies of an exchange were so large, in bytes as they are on the wire.
    func moved(request: Int64?, response: Int64?, _ labels: Labels) {
        let factory = factory
        let sizes = state.withLock { state in
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
        if let request { sizes.request.record(request) }
        if let response { sizes.response.record(response) }
    }

    private static func kept<Value>(
        _ values: inout [Labels: Value], _ labels: Labels, _ make: () -> Value
    ) -> Value {
        if let value = values[labels] { return value }
        if values.count >= capacity { values.removeAll() }
        let value = make()
        values[labels] = value
        return value
    }
}
