// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
public import CoreMetrics
public import SimorghCore
public import Tracing

/// Reports the calls of a client to swift-metrics and swift-distributed-tracing, following OpenTelemetry's semantic
/// conventions for HTTP clients.
///
/// ```swift
/// var configuration = APIClient.Configuration()
/// Telemetry().instrument(&configuration)
/// let client = APIClient(baseURL: "https://api.example.com", configuration: configuration)
/// ```
/// A call is a span of kind `internal`. Each of its attempts is a child span of kind `client`, whose context is sent to
/// the server in header fields. Each attempt is measured as `http.client.request.duration`.
public struct Telemetry: Sendable {
    /// The tracer.
    ///
    /// Default: `nil`, which is the program's tracer.
    public var tracer: (any Tracer)?
    /// The metrics factory.
    ///
    /// Default: `nil`, which is the program's factory.
    public var metricsFactory: (any MetricsFactory)?
    /// True to create spans for calls and attempts.
    ///
    /// Default: true.
    public var tracesCalls = true
    /// True to measure attempts.
    ///
    /// Default: true.
    public var measuresRequests = true
    /// True to send the trace context to servers in header fields.
    ///
    /// Default: true.
    public var propagatesContext = true
    /// The rules for redacting attributes.
    ///
    /// Default: credentials and similar secrets.
    public var redaction = RedactionRules.standard

    /// Creates the default instrumentation.
    public init() {}

    /// Adds interceptors for tracing and metrics to a configuration, around the whole call and around each attempt.
    ///
    /// - Parameter configuration: The configuration; its own interceptors are kept.
    public func instrument(_ configuration: inout APIClient.Configuration) {
        if tracesCalls { configuration.interceptors.insert(.tracedCall(self), at: 0) }
        if measuresRequests {
            let metrics = HTTPMetrics(factory: metricsFactory, time: configuration.time)
            configuration.networkInterceptors.append(.measured(by: metrics))
        }
        guard tracesCalls else { return }
        configuration.networkInterceptors.insert(.notedSecrets(self), at: 0)
        // Innermost, so that other interceptors do not see the context of this span.
        configuration.networkInterceptors.append(.tracedAttempt(self))
    }
}
#else
/// Reports the calls of a client to swift-metrics and swift-distributed-tracing.
///
/// It requires the package trait `Telemetry`.
@available(*, unavailable, message: "turn the trait on: .package(url: …, traits: [\"Telemetry\"])")
public enum Telemetry {}
#endif
