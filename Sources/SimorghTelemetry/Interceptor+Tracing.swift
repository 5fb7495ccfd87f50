// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
import HTTPTypes
import SimorghCore
import Tracing

extension Interceptor {
    /// A call as a span, whatever the steps below do: retry, follow redirects, answer from a cache.
    static func tracedCall(_ telemetry: Telemetry) -> Interceptor {
        Interceptor { request, next in
            let facts = SpanFacts(request, telemetry.redaction, isCall: true)
            return try await telemetry.traced("HTTP \(facts.method)", .internal, facts) { _ in
                try await next(request)
            }
        }
    }

    /// Notes what an attempt holds that is not to be told, before any step sees it that may throw some of it.
    static func notedAttempt(_ telemetry: Telemetry) -> Interceptor {
        Interceptor { request, next in
            request.options.call?.note(Redactor(telemetry.redaction, request))
            return try await next(request)
        }
    }

    /// An attempt as a span, whose context goes with the request.
    static func tracedAttempt(_ telemetry: Telemetry) -> Interceptor {
        Interceptor { request, next in
            let facts = SpanFacts(request, telemetry.redaction, isCall: false)
            return try await telemetry.traced(facts.method, .client, facts) { span in
                var request = request
                _ = request.options.watchWire()
                guard telemetry.propagatesContext else { return try await next(request) }
                // All instruments of the program, where it has others beside its tracer.
                if let tracer = telemetry.tracer {
                    tracer.inject(span.context, into: &request.head.headerFields, using: FieldInjector())
                } else {
                    InstrumentationSystem.instrument.inject(
                        span.context, into: &request.head.headerFields, using: FieldInjector())
                }
                return try await next(request)
            }
        }
    }
}

extension Telemetry {
    /// Runs an exchange in a span.
    ///
    /// The error is told in the span as far as the rules allow; a span that saw it thrown would tell all of it.
    fileprivate func traced(
        _ name: String, _ kind: SpanKind, _ facts: SpanFacts,
        _ exchange: @Sendable (any Span) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let tracer: any Tracer = tracer ?? InstrumentationSystem.tracer
        let outcome: Result<TransportResponse, any Error> = await Self.inSpan(tracer, name, kind) { span in
            span.updateAttributes { attributes in facts.begin(&attributes) }
            do {
                let response = try await exchange(span)
                span.updateAttributes { attributes in facts.end(response, &attributes) }
                if response.head.status.code >= 400 { span.setStatus(SpanStatus(code: .error)) }
                return .success(response)
            } catch {
                span.updateAttributes { attributes in facts.end(error, &attributes) }
                span.setStatus(SpanStatus(code: .error, message: facts.message(of: error)))
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private static func inSpan(
        _ tracer: some Tracer, _ name: String, _ kind: SpanKind,
        _ work: (any Span) async -> Result<TransportResponse, any Error>
    ) async -> Result<TransportResponse, any Error> {
        await tracer.withSpan(name, ofKind: kind) { span in await work(span) }
    }
}

/// Puts the context of a trace into header fields.
private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPFields) {
        // What is no field is not sent: the tracer may be anybody's.
        guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else { return }
        carrier[name] = value
    }
}
#endif
