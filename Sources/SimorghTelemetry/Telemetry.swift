// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
public import CoreMetrics
public import SimorghCore
public import Tracing

/// Makes the calls of a client visible to swift-metrics and swift-distributed-tracing, in the words of OpenTelemetry's
/// conventions for HTTP clients.
///
/// ```swift
/// var configuration = APIClient.Configuration()
/// Telemetry().instrument(&configuration)
/// let client = APIClient(baseURL: "https://api.example.com", configuration: configuration)
/// ```
/// A call is a span of the kind `internal`, and each of its attempts on the wire one of the kind `client` below it, whose
/// context the server is told of in header fields. Each attempt is measured as `http.client.request.duration`.
public struct Telemetry: Sendable {
    /// Starts the spans; `nil`, the default, is the one that the program set up.
    public var tracer: (any Tracer)?
    /// Makes the metrics; `nil`, the default, is the one that the program set up.
    public var metricsFactory: (any MetricsFactory)?
    /// Whether calls and attempts are spans; on by default.
    public var tracesCalls = true
    /// Whether attempts are measured; on by default.
    public var measuresRequests = true
    /// Whether other servers are told of the trace by header fields; on by default.
    public var propagatesContext = true
    /// What is hidden in attributes; credentials and the like by default.
    public var redaction = RedactionRules.standard

    /// Creates the default.
    public init() {}

    /// Adds the steps that trace and measure to a configuration: around everything, and around each attempt.
    ///
    /// - Parameter configuration: The configuration; its own steps stay.
    public func instrument(_ configuration: inout APIClient.Configuration) {
        if tracesCalls { configuration.interceptors.insert(.tracedCall(self), at: 0) }
        if measuresRequests {
            let metrics = HTTPMetrics(factory: metricsFactory, time: configuration.time)
            configuration.networkInterceptors.append(.measured(by: metrics))
        }
        guard tracesCalls else { return }
        configuration.networkInterceptors.insert(.notedAttempt(self), at: 0)
        // Innermost, so that no other step sees fields of a span that is not its own.
        configuration.networkInterceptors.append(.tracedAttempt(self))
    }
}
#else
/// Makes the calls of a client visible to swift-metrics and swift-distributed-tracing.
///
/// It needs the trait `Telemetry` of the package.
@available(*, unavailable, message: "turn the trait on: .package(url: …, traits: [\"Telemetry\"])")
public enum Telemetry {}
#endif
