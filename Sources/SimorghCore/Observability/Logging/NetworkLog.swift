// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// The log of one client at its level: converts events into entries without secrets.
package struct NetworkLog: Sendable {
    package let rules: RedactionRules
    private let requestedLevel: LogLevel
    private let logger: NetworkLogger
    private let time: TimeSource

    package init(_ level: LogLevel, to logger: NetworkLogger, rules: RedactionRules, time: TimeSource = .system) {
        requestedLevel = level
        self.logger = logger
        self.rules = rules
        self.time = time
    }

    /// The effective level, limited by the destinations, so that no text is formatted that would not be written.
    package var level: LogLevel {
        if logger.accepts(.usual) { return requestedLevel }
        return min(requestedLevel, logger.accepts(.failure) ? .failures : .none)
    }

    /// The largest part of a body to log, in bytes.
    package var limit: Int { logger.maximumBodyBytes }
    /// True if bodies are logged.
    ///
    /// If redaction is off, the bodies of failures are logged at every level.
    package var logsBodies: Bool { level == .verbose }

    /// Returns an entry with the current time.
    package func entry(_ message: StaticString, call: CallContext.ID? = nil) -> LogEntry {
        var entry = LogEntry(message, at: time.now)
        entry.call = call?.rawValue
        return entry
    }

    package func write(_ entry: LogEntry) { logger.write(entry) }

    /// Logs a request that is passed to the transport.
    package func willSend(_ request: TransportRequest, redactor: Redactor, call: CallContext.ID, attempt: Int) {
        guard level >= .minimal else { return }
        var entry = entry("request", call: call)
        if attempt > 1 { entry.attempt = attempt }
        entry.method = request.head.method.rawValue
        entry.url = redactor.url(request.urlString)
        if level >= .standard { entry.headers = redactor.fields(request.head.headerFields) }
        if logsBodies {
            entry.body = body(request.body, redactor: redactor, type: request.head.headerFields[.contentType])
        }
        write(entry)
    }

    /// Logs the head of a response, and its body if it is already in memory.
    package func didReceive(
        _ response: TransportResponse, to request: TransportRequest, redactor: Redactor, call: CallContext.ID,
        attempt: Int
    ) {
        guard level >= .standard else { return }
        var entry = entry("response", call: call)
        if attempt > 1 { entry.attempt = attempt }
        entry.status = response.head.status.code
        entry.url = redactor.url(request.urlString)
        if let total = response.timings.total { entry.facts.append(("duration", Self.milliseconds(total))) }
        if let connection = response.connection { entry.facts.append(("connection", "\(connection)")) }
        entry.headers = redactor.fields(response.head.headerFields)
        if logsBodies, let bytes = response.body.collectedBytes, !bytes.isEmpty {
            entry.body = redactor.body(bytes, type: response.head.headerFields[.contentType], upTo: limit)
        }
        write(entry)
    }

    /// Logs an attempt that ended without a response.
    package func didFail(
        _ error: any Error, for request: TransportRequest, redactor: Redactor, call: CallContext.ID, attempt: Int
    ) {
        guard level >= .standard else { return }
        var entry = entry("attempt failed", call: call)
        entry.attempt = attempt
        entry.method = request.head.method.rawValue
        entry.url = redactor.url(request.urlString)
        // The status if the body broke off.
        entry.status = (error as? TransportError)?.facts?.response?.status.code
        entry.facts.append(("error", redactor.text("\(error)")))
        write(entry)
    }

    /// Logs a call that failed, before anything was sent or after a response was received.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - redactor: The redactor.
    ///   - call: The call.
    ///   - duration: The duration of the call.
    package func failed(_ error: NetworkError, redactor: Redactor, call: CallContext.ID, after duration: Duration) {
        guard level >= .failures, !(error.isCancelled && level < .standard) else { return }
        var entry = entry(error.isCancelled ? "cancelled" : "failed", call: call)
        entry.severity = error.isCancelled ? .usual : .failure
        entry.method = error.context?.method
        entry.url = error.context.map { redactor.url($0.url) }
        entry.status = error.statusCode
        entry.facts = [
            ("error", redactor.text(rules.isOn ? error.shortDescription : error.description)),
            ("duration", Self.milliseconds(duration)),
        ]
        if let attempts = error.context?.attempts { entry.facts.append(("attempts", "\(attempts)")) }
        if let response = error.response, logsBodies || !rules.isOn, !response.body.isEmpty {
            entry.body = redactor.body(response.body, type: response.headers[.contentType], upTo: limit)
        }
        write(entry)
    }

    /// Returns a body as the log shows it; a streamed body is described by its type and length.
    private func body(_ body: RequestBody, redactor: Redactor, type: String?) -> RedactedBody? {
        guard !body.isEmpty else { return nil }
        let type = type ?? body.contentType
        guard let bytes = body.bytes else { return .opaque(RedactedBody.description(of: type, size: body.length)) }
        return redactor.body(bytes, type: type, upTo: limit)
    }

    package static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let micros = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        let rest = String(micros % 1000)
        return "\(micros / 1000).\(String(repeating: "0", count: max(0, 3 - rest.count)))\(rest)ms"
    }
}
