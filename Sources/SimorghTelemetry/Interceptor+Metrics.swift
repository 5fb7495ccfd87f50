// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
import HTTPTypes
import SimorghCore
import SimorghSupport
import Synchronization

extension Interceptor {
    /// Measures each attempt: its duration, the sizes of its bodies, and the number of active requests.
    static func measured(by metrics: HTTPMetrics) -> Interceptor {
        Interceptor { request, next in
            let method = request.head.method.rawValue
            var labels = HTTPMetrics.Labels(
                method: HTTPOrigin.knownMethods.contains(method) ? method : "_OTHER", origin: HTTPOrigin(request.head))
            let waiting = labels
            let watch = metrics.time.stopwatch()
            metrics.addActiveRequests(waiting, by: 1)
            defer { metrics.addActiveRequests(waiting, by: -1) }
            do {
                var watched = request
                _ = watched.options.recordWire()
                var response = try await next(watched)
                let status = response.head.status.code
                labels.status = status
                if status >= 400 { labels.error = "\(status)" }
                labels.version = response.connection.map(HTTPOrigin.version)
                metrics.recordDuration(watch.elapsed, labels: labels)
                let bytes = response.body.collectedBytes.map { Int64($0.count) }
                metrics.recordBodySizes(
                    request: request.body.isEmpty ? nil : request.body.length, response: bytes, labels: labels)
                if bytes == nil { response.body = response.body.watched(by: StreamedSize(metrics, labels: labels)) }
                return response
            } catch {
                labels.error = HTTPOrigin.type(of: error)
                let facts = (error as? TransportError)?.facts
                labels.status = facts?.response?.status.code
                labels.version = facts?.connection.map(HTTPOrigin.version)
                metrics.recordDuration(watch.elapsed, labels: labels)
                throw error
            }
        }
    }
}

/// Counts the bytes of a streamed body, and records them at its end.
private final class StreamedSize: BodyObserver {
    private let metrics: HTTPMetrics
    private let labels: HTTPMetrics.Labels
    private let bytes = Atomic<Int64>(0)

    init(_ metrics: HTTPMetrics, labels: HTTPMetrics.Labels) {
        self.metrics = metrics
        self.labels = labels
    }

    func didRead(_ chunk: Data) { bytes.add(Int64(chunk.count), ordering: .relaxed) }

    func didEnd(_ end: Result<Void, any Error>?) {
        let count = bytes.load(ordering: .relaxed)
        // If the body was never read, its size is unknown.
        if end != nil || count > 0 { metrics.recordBodySizes(request: nil, response: count, labels: labels) }
    }
}
#endif
