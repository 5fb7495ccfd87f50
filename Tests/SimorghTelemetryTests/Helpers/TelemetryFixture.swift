// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import SimorghCore
import SimorghTelemetry
import SimorghTesting
import Tracing

/// A client over a stub, with in-memory backends.
struct TelemetryFixture {
    let tracer = InMemoryTracer()
    let metrics = TestMetrics()
    let clock = TestClock(movesItself: true)

    func client(
        _ transport: any Transport, _ change: (inout APIClient.Configuration) -> Void = { _ in },
        _ adjust: (inout Telemetry) -> Void = { _ in }
    ) -> APIClient {
        var telemetry = Telemetry()
        telemetry.tracer = tracer
        telemetry.metricsFactory = metrics
        adjust(&telemetry)
        var configuration = APIClient.Configuration()
        configuration.networkMonitor = nil
        configuration.baseURL = "https://api.test:8443"
        configuration.time = clock.timeSource
        change(&configuration)
        telemetry.instrument(&configuration)
        return APIClient(configuration: configuration, transport: transport)
    }

    /// The finished spans, in the order in which they started.
    var spans: [FinishedInMemorySpan] {
        tracer.finishedSpans.sorted { $0.startInstant.nanosecondsSinceEpoch < $1.startInstant.nanosecondsSinceEpoch }
    }
}

extension FinishedInMemorySpan {
    /// Returns an attribute as text.
    func text(_ name: String) -> String? {
        switch attributes.get(name)?.toSpanAttribute() {
        case .string(let value): value
        case .int64(let value): "\(value)"
        case .int32(let value): "\(value)"
        case .stringConvertible(let value): "\(value)"
        case .none: nil
        default: "?"
        }
    }
}
#endif
