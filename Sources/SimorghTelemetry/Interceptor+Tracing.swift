// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
import HTTPTypes
import SimorghCore
import Tracing

extension Interceptor {
    /// Runs a call in a span, including its retries, redirects and cache lookups.
    static func tracedCall(_ telemetry: Telemetry) -> Interceptor {
        Interceptor { request, next in
            let attributes = ExchangeAttributes(request, rules: telemetry.redaction, isCall: true)
            return try await telemetry.traced("HTTP \(attributes.method)", kind: .internal, attributes: attributes) {
                _ in
                try await next(request)
            }
        }
    }

    /// Notes the secrets of an attempt in its call, before a later step throws an error that may contain them.
    static func notedSecrets(_ telemetry: Telemetry) -> Interceptor {
        Interceptor { request, next in
            request.options.call?.note(Redactor(telemetry.redaction, request: request))
            return try await next(request)
        }
    }

    /// Runs an attempt in a span, and propagates its context with the request.
    static func tracedAttempt(_ telemetry: Telemetry) -> Interceptor {
        Interceptor { request, next in
            let attributes = ExchangeAttributes(request, rules: telemetry.redaction, isCall: false)
            return try await telemetry.traced(attributes.method, kind: .client, attributes: attributes) { span in
                var request = request
                _ = request.options.recordWire()
                guard telemetry.propagatesContext else { return try await next(request) }
                // Otherwise all instruments of the program, which may have others besides its tracer.
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
    /// The error is recorded redacted. The span must not see it thrown, because it would record all of it.
    fileprivate func traced(
        _ name: String, kind: SpanKind, attributes: ExchangeAttributes,
        exchange: @Sendable (any Span) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let tracer: any Tracer = tracer ?? InstrumentationSystem.tracer
        let outcome: Result<TransportResponse, any Error> = await Self.inSpan(tracer, name: name, kind: kind) { span in
            span.updateAttributes { attributes.begin(&$0) }
            do {
                let response = try await exchange(span)
                span.updateAttributes { attributes.end(response, into: &$0) }
                if response.head.status.code >= 400 { span.setStatus(SpanStatus(code: .error)) }
                return .success(response)
            } catch {
                span.updateAttributes { attributes.end(error, into: &$0) }
                span.setStatus(SpanStatus(code: .error, message: attributes.message(of: error)))
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private static func inSpan(
        _ tracer: some Tracer, name: String, kind: SpanKind,
        work: (any Span) async -> Result<TransportResponse, any Error>
    ) async -> Result<TransportResponse, any Error> {
        await tracer.withSpan(name, ofKind: kind) { span in await work(span) }
    }
}

/// Injects a trace context into header fields.
private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPFields) {
        // Skips invalid fields: the tracer is third-party code.
        guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else { return }
        carrier[name] = value
    }
}
#endif
