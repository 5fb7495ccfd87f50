// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

extension Interceptor {
    /// Measures each attempt: how long it took, how large its bodies were, how many are on their way.
    static func measured(by metrics: HTTPMetrics) -> Interceptor {
        Interceptor { request, next in
            let method = request.head.method.rawValue
            var labels = HTTPMetrics.Labels(
                method: HTTPOrigin.knownMethods.contains(method) ? method : "_OTHER", origin: HTTPOrigin(request.head))
            let waiting = labels
            let watch = metrics.time.stopwatch()
            metrics.activate(waiting, by: 1)
            defer { metrics.activate(waiting, by: -1) }
            do {
                let response = try await next(request)
                let status = response.head.status.code
                labels.status = status
                if status >= 400 { labels.error = "\(status)" }
                labels.version = response.connection.map(HTTPOrigin.version)
                metrics.took(watch.elapsed, labels)
                metrics.moved(
                    request: request.body.isEmpty ? nil : request.body.length,
                    response: response.body.collectedBytes.map { Int64($0.count) }
                        ?? response.head.headerFields[.contentLength].flatMap { Int64($0) }, labels)
                return response
            } catch {
                labels.error = HTTPOrigin.type(of: error)
                metrics.took(watch.elapsed, labels)
                throw error
            }
        }
    }
}
