// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport
import Synchronization

/// Observes one call from its description to its end, and reports to the observers.
package final class CallReporter: Sendable {
    private struct State {
        var context: (@Sendable (RedactionRules) -> RequestContext)?
        /// The contexts made so far, since listeners, the log and the end of the call use the same ones.
        var contexts: [(rules: RedactionRules, context: RequestContext)] = []
        /// The redactor of the log; `nil` until it is needed.
        var redactor: Redactor?
        /// The latest request, without a long body.
        ///
        /// Its secrets are redacted in an error.
        var request: TransportRequest?
        var metrics = TransactionMetrics()
        var isOver = false
    }

    package let id = CallContext.ID.next()
    private let observation: ObserverSet
    private let watch: Stopwatch
    private let state: Mutex<State>

    package init(_ observation: ObserverSet) {
        self.observation = observation
        watch = observation.time.stopwatch()
        state = Mutex(State())
    }

    /// The redactor of the log; made from the latest request if the log has not needed one so far.
    private var redactor: Redactor {
        let (existing, request) = state.withLock { ($0.redactor, $0.request) }
        if let existing { return existing }
        let rules = observation.log?.rules ?? .standard
        return request.map { Redactor(rules, request: $0) } ?? Redactor(rules)
    }

    // MARK: Call

    /// The request was described.
    package func started(_ request: TransportRequest) {
        let (id, request) = (id, Self.withoutOptions(request))
        note(request)
        for observer in observation.hub.observers { observer.didStart(request, call: id) }
        begin { RequestContext(request, id: id, showing: $0) }
    }

    /// Returns a request that can be stored: without its options, which refer to this reporter through their call.
    private static func withoutOptions(_ request: TransportRequest) -> TransportRequest {
        var request = request
        // Interceptors mark in the user info which parts of the request are secret.
        let userInfo = request.options.userInfo
        request.options = TransportOptions()
        request.options.userInfo = userInfo
        return request
    }

    /// - Parameter request: A request without options.
    private func note(_ request: TransportRequest) {
        var request = request
        if (request.body.bytes?.count ?? .max) > SensitiveValues.maximumBodyLength { request.body = .empty }
        state.withLock { $0.request = request }
    }

    private func begin(_ context: @escaping @Sendable (RedactionRules) -> RequestContext) {
        state.withLock { $0.context = context }
        observation.report { .started(shown(context, by: $0)) }
    }

    private func shown(
        _ context: (RedactionRules) -> RequestContext, by rules: RedactionRules
    ) -> RequestContext {
        if let existing = state.withLock({ $0.contexts.first { $0.rules == rules } }) { return existing.context }
        let new = context(rules)
        state.withLock { state in
            if !state.contexts.contains(where: { $0.rules == rules }) { state.contexts.append((rules, new)) }
        }
        return new
    }

    /// Returns the log of the upload progress of the call.
    ///
    /// - Parameter request: The call's request.
    /// - Returns: The log; `nil` if bodies are not logged or the body has no progress to report.
    package func uploadLog(_ request: TransportRequest) -> UploadProgressLog? {
        guard let log = observation.log, log.logsBodies, request.body.supportsProgress else { return nil }
        // The sent request contains more secrets than the call, such as a token, so the URL is redacted only then.
        return UploadProgressLog(log, call: id, watch: observation.time.stopwatch()) { [weak self] in
            (self?.redactor ?? Redactor(log.rules)).adding(request).url(request.urlString)
        }
    }

    /// The call succeeded.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - byteCount: The number of bytes of the body.
    ///   - redirects: The number of redirects that were followed.
    package func succeeded(status: Int, byteCount: Int64, redirects: Int) {
        end(redirects: redirects) { _, _ in .success(statusCode: status, byteCount: byteCount) }
    }

    /// The call failed.
    ///
    /// If its request could not be described, or a draining client refused it, the call also starts with this.
    package func failed(_ error: NetworkError) {
        if state.withLock({ $0.context == nil }) {
            let (id, context) = (id, error.context)
            begin { RequestContext(method: context?.method ?? "", url: context?.url ?? "", id: id, showing: $0) }
        }
        let (request, existing) = state.withLock { ($0.request, $0.redactor) }
        if let log = observation.log {
            // If the call failed before it was sent, the log has not seen a request.
            let redactor = existing ?? Redactor(log.rules)
            log.failed(error, redactor: request.map { redactor.adding($0) } ?? redactor, call: id, after: watch.elapsed)
        }
        end(redirects: nil) { rules, metrics in
            .failure(
                CallError(
                    error, answered: metrics.attempts.last?.statusCode,
                    showing: request.map { Redactor(rules, request: $0) } ?? Redactor(rules)))
        }
    }

    /// The reader of a stream stopped before its end.
    package func left(status: Int, byteCount: Int64, redirects: Int) {
        end(redirects: redirects) { _, _ in .left(statusCode: status, byteCount: byteCount) }
    }

    private func end(redirects: Int?, _ outcome: (RedactionRules, TransactionMetrics) -> CompletedEvent.Outcome) {
        let duration = watch.elapsed
        let (context, metrics) = state.withLock {
            state -> (((RedactionRules) -> RequestContext)?, TransactionMetrics) in
            guard !state.isOver else { return (nil, state.metrics) }
            state.isOver = true
            if let redirects { state.metrics.redirectCount = redirects }
            // A call without attempts is also possible without a cache: an interceptor can respond itself.
            let isHit = state.metrics.cache?.isHit == true
            state.metrics.isFromCache = redirects != nil && state.metrics.attemptCount == 0 && isHit
            return (state.context, state.metrics)
        }
        guard let context else { return }
        let isSent = metrics.attemptCount > 0 || metrics.isFromCache
        observation.report {
            .completed(
                CompletedEvent(
                    request: shown(context, by: $0), outcome: outcome($0, metrics), duration: duration,
                    metrics: isSent ? metrics : nil))
        }
    }

    // MARK: Attempts

    /// Reports the decision of an interceptor.
    ///
    /// - Parameter event: Makes the event for an observer with the given rules.
    package func report(_ event: (RedactionRules) -> NetworkEvent) {
        // Only observers of events get the metrics, and these contain only numbers of the event.
        guard let published = observation.report(redactor: observation.logsEvents ? redactor : nil, event) else {
            return
        }
        state.withLock { state in
            switch published {
            case .attempt(let attempt): state.metrics.add(attempt)
            case .bodyEnded(let end): state.metrics.end(end)
            case .redirected: state.metrics.redirectCount += 1
            case .cache(let cache): state.metrics.cache = cache.report
            default: break
            }
        }
    }

    /// Logs a request that is passed to the transport, with the changes of all interceptors.
    package func willSend(_ request: inout TransportRequest, attempt: Int) {
        for observer in observation.hub.observers { observer.willSend(&request, attempt: attempt, call: id) }
        note(Self.withoutOptions(request))
        guard let log = observation.log, log.level >= .minimal else { return }
        let redactor = Redactor(log.rules, request: request)
        state.withLock { $0.redactor = redactor }
        log.willSend(request, redactor: redactor, call: id, attempt: attempt)
    }

    /// Logs the head of a response, and observes its body if the log contains bodies.
    ///
    /// - Returns: The response.
    package func didReceive(
        _ response: TransportResponse, to request: TransportRequest, attempt: Int
    ) -> TransportResponse {
        var response = observation.hub.observers.reduce(response) { $1.didReceive($0, attempt: attempt, call: id) }
        guard let log = observation.log, log.level >= .standard else { return response }
        let redactor = Redactor(log.rules, request: request).adding(response.head)
        state.withLock { $0.redactor = redactor }
        log.didReceive(response, to: request, redactor: redactor, call: id, attempt: attempt)
        guard log.logsBodies, response.body.collectedBytes == nil else { return response }
        response.body = response.body.watched(
            by: StreamLogger(log, redactor: redactor, call: id, url: redactor.url(request.urlString)))
        return response
    }

    /// Logs an attempt that ended without a response.
    package func didFail(_ error: any Error, for request: TransportRequest, attempt: Int) {
        for observer in observation.hub.observers { observer.didFail(error, attempt: attempt, call: id) }
        guard let log = observation.log, log.level >= .standard else { return }
        log.didFail(error, for: request, redactor: redactor, call: id, attempt: attempt)
    }

    // MARK: Stream

    /// Observes a body that the caller reads as it arrives.
    ///
    /// The call ends at the end of the body.
    ///
    /// - Parameters:
    ///   - response: The response that was accepted.
    ///   - failure: Converts an error of the body into the error that the caller sees.
    /// - Returns: The observed body.
    package func observing(
        _ response: TransportResponse, failure: @escaping @Sendable (any Error) -> NetworkError
    ) -> ResponseBody {
        if let bytes = response.body.collectedBytes {
            succeeded(
                status: response.head.status.code, byteCount: Int64(bytes.count), redirects: response.redirects.count)
            return response.body
        }
        return response.body.watched(by: StreamRecord(self, response: response, failure: failure))
    }

    /// Stores the number of bytes of a body and the time that reading it took.
    fileprivate func streamed(_ bytes: Int64, over duration: Duration) {
        state.withLock { $0.metrics.read(bytes, over: duration) }
    }

    /// Counts the bytes of a stream, and ends its call.
    private final class StreamRecord: BodyObserver {
        private let reporter: CallReporter
        private let status: Int
        private let redirects: Int
        private let failure: @Sendable (any Error) -> NetworkError
        private let watch: Stopwatch
        private let bytes = Atomic<Int64>(0)

        init(
            _ reporter: CallReporter, response: TransportResponse,
            failure: @escaping @Sendable (any Error) -> NetworkError
        ) {
            self.reporter = reporter
            status = response.head.status.code
            redirects = response.redirects.count
            self.failure = failure
            watch = reporter.observation.time.stopwatch()
        }

        func didRead(_ chunk: Data) { bytes.add(Int64(chunk.count), ordering: .relaxed) }

        func didEnd(_ end: Result<Void, any Error>?) {
            let count = bytes.load(ordering: .relaxed)
            reporter.streamed(count, over: watch.elapsed)
            switch end {
            case .success: reporter.succeeded(status: status, byteCount: count, redirects: redirects)
            case .failure(let error): reporter.failed(failure(error))
            case nil: reporter.left(status: status, byteCount: count, redirects: redirects)
            }
        }
    }
}
