// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

extension InspectorState {
    /// Applies an event of a call.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - client: The name of the client.
    ///   - now: The time since the start of the inspector.
    ///   - date: The date.
    package mutating func apply(_ event: NetworkEvent, client: String, at now: Duration, date: Date) {
        switch event {
        case .started(let context):
            // Only a call that was never sent was not announced before: its request could not be described, or was refused
            // by a draining client.
            begin(
                context.id, client: client, method: context.method, url: context.url, at: now, date: date,
                replay: .impossible("it was not sent"))
        case .completed(let end): update(end.callID) { $0.complete(end, at: now) }
        case .retryDecision(let decision):
            update(decision.callID) {
                $0.append(InspectedStep(.retry, at: now, lasting: decision.delay ?? .zero, text: decision.text))
            }
        case .redirected(let event):
            let redirection = event.redirection
            update(event.callID) {
                $0.redirects += 1
                $0.append(
                    InspectedStep(
                        .redirect, at: now, lasting: .zero, text: "\(redirection.statusCode) to \(redirection.to)"))
            }
        case .wait(let wait):
            update(wait.callID) { call in
                switch wait.stage {
                case .began: call.append(InspectedStep(.wait, at: now, text: wait.cause.text))
                case .ended(let duration): call.endStep(.wait, text: wait.cause.text, after: duration)
                }
            }
        case .hedgeStarted(let event):
            update(event.callID) {
                $0.append(
                    InspectedStep(.hedge, at: now, lasting: .zero, text: "\(event.requests) requests in parallel"))
            }
        case .interim(let event):
            update(event.callID) {
                $0.append(
                    InspectedStep(.interim, at: now, lasting: .zero, text: "\(event.response.status)"))
            }
        case .attempt(let event): update(event.callID) { $0.end(event, at: now) }
        case .bodyEnded(let event):
            update(event.callID) { call in
                call.updateAttempt(event.attempt) { attempt in
                    attempt.duration = now - attempt.start
                    attempt.timings = event.timings
                    if let error = event.error { attempt.failure = "\(error)" }
                }
                call.countBytes()
            }
        case .cache(let event):
            update(event.callID) { call in
                call.cache = event.report.word
                call.append(InspectedStep(.cache, at: now, lasting: .zero, text: event.report.text))
            }
        case .circuitChange, .webSocket: break
        }
    }
}

extension InspectedCall {
    /// Ends the call; a WebSocket is open from then on.
    fileprivate mutating func complete(_ end: CompletedEvent, at now: Duration) {
        duration = end.duration
        endSteps(at: now)
        switch end.outcome {
        case .success(101, _):
            (kind, stage, status, duration) = (.socket, .open, 101, nil)
        case .success(let code, let count):
            (stage, status) = (.done, code)
            if attempts.isEmpty { receivedBytes = count }
        case .left(let code, _): (stage, status) = (.left, code)
        case .failure(let error):
            (stage, status, failure) = (error.isCancelled ? .cancelled : .failed, error.statusCode, error.message)
        }
        if let metrics = end.metrics {
            sentBytes = metrics.bytesSent
            receivedBytes = max(receivedBytes, metrics.bytesReceived)
        }
    }

    /// Ends an attempt.
    fileprivate mutating func end(_ event: AttemptEvent, at now: Duration) {
        updateAttempt(event.attempt) { attempt in
            attempt.duration = now - attempt.start
            attempt.timings = event.timings
            attempt.connection = event.connection
            if case .failed(let error) = event.outcome { attempt.failure = "\(error)" }
        }
        // Shown while the body is still arriving.
        if let code = event.statusCode { status = code }
        if let type = event.responseHeaders[.contentType] {
            mediaType = String(type.prefix { $0 != ";" && $0 != " " }.prefix(100)).lowercased()
        }
        if mediaType == "text/event-stream" { kind = .events }
        countBytes()
    }

    /// Sums the bytes of the attempts.
    fileprivate mutating func countBytes() {
        sentBytes = attempts.reduce(0) { $0 + ($1.timings?.sentBytes ?? 0) }
        receivedBytes = max(receivedBytes, attempts.reduce(0) { $0 + ($1.timings?.receivedBytes ?? 0) })
    }
}

extension RetryDecision {
    /// A description for a person.
    fileprivate var text: String {
        delay.map { "again after \($0.shown): \(reason)" } ?? "not repeated: \(reason)"
    }
}

extension WaitEvent.Cause {
    /// A description for a person.
    fileprivate var text: String {
        switch self {
        case .tokenRefresh: "for a new token"
        case .stoppedLine: "while all requests are paused"
        case .rateLimit: "for its turn under a rate limit"
        case .serverRateLimit: "for the limit that the server states"
        case .network: "for the network"
        }
    }
}

extension CacheReport {
    /// A word for the list of calls.
    fileprivate var word: String {
        if isRefused { return "refused" }
        if isHit { return isStale ? "stale" : "hit" }
        if isRevalidated { return "revalidated" }
        return isStored ? "stored" : "miss"
    }

    /// A description for a person.
    fileprivate var text: String {
        var text: String =
            switch forward {
            case nil where isRefused: "nothing is stored, and the server must not be asked"
            case nil: isStale ? "answered by a stored response that is stale" : "answered by a stored response"
            case .bypass: "the cache does not handle this request"
            case .method: "the method cannot be answered from a cache"
            case .uriMiss: "nothing was stored for this URL"
            case .varyMiss: "the stored responses are for other header fields"
            case .request: "the request does not allow the stored response"
            case .stale: isRevalidated ? "the server confirmed the stored response" : "the stored response was stale"
            case .partial: "the complete response is not stored"
            }
        if let detail { text += " (\(detail))" }
        if isStored { text += "; now stored" }
        if let secondsToLive { text += ", fresh for \(secondsToLive) s" }
        return text
    }
}
