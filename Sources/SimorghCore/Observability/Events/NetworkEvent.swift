// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// An event of a call.
///
/// Events are delivered to ``APIClient/Configuration/Logging/onEvent`` and
/// ``APIClient/events(showing:buffer:)``.
@nonexhaustive
public enum NetworkEvent: Sendable {
    /// A call begins. Also reported if its request cannot be made.
    case started(RequestContext)
    /// A call ended.
    case completed(CompletedEvent)
    /// A request failed, and it was decided if it is retried.
    case retryDecision(RetryDecision)
    /// A circuit breaker opened or closed.
    case circuitChange(CircuitChange)
    /// A redirect is followed.
    case redirected(RedirectEvent)
    /// A call waits for something other than its own exchange, or that wait ended.
    case wait(WaitEvent)
    /// A second request is sent in parallel to a slow one.
    case hedgeStarted(HedgeEvent)
    /// An interim response (1xx) was received, such as 103 (Early Hints).
    case interim(InterimEvent)
    /// An attempt on the network ended, with the head of a response or without.
    case attempt(AttemptEvent)
    /// The body of a response ended that was delivered when its head had arrived.
    case bodyEnded(BodyEndEvent)
    /// A WebSocket connection was made, lost, reconnects or ended.
    case webSocket(WebSocketReport)
    /// The client's cache answered a request, or passed it to the network.
    case cache(CacheEvent)
}

/// The decision if a failed request is retried, and its reason.
public struct RetryDecision: Sendable {
    /// The id of the call.
    public let callID: CallContext.ID
    /// The method of the request.
    public let method: String
    /// The URL of the request, with a redacted query.
    public let url: String
    /// The number of attempts so far.
    public let attempts: Int
    /// The delay before the retry; `nil` if there is no retry and the caller gets the failure.
    public let delay: Duration?
    /// The reason, as a readable sentence.
    public let reason: String

    package init(
        delay: Duration?, because reason: String, callID: CallContext.ID, request: TransportRequest, attempts: Int,
        showing rules: RedactionRules = .standard
    ) {
        // Redacted even for an observer without redaction, since the events of the attempts have the full data.
        let rules = rules.isOn ? rules : .standard
        self.callID = callID
        method = request.head.method.rawValue
        let redactor = Redactor(rules, request: request)
        url = redactor.urlWithoutQuery(request.urlString)
        self.attempts = attempts
        self.delay = delay
        self.reason = redactor.text(reason)
    }
}

/// A redirect that a call follows.
public struct RedirectEvent: Sendable, Hashable {
    /// The id of the call.
    public let callID: CallContext.ID
    /// The redirect.
    ///
    /// Queries are redacted unless the observer disabled redaction.
    public let redirection: Redirection

    package init(
        _ redirection: Redirection, of request: TransportRequest, callID: CallContext.ID,
        showing rules: RedactionRules = .standard
    ) {
        let redactor = Redactor(rules, request: request)
        self.redirection = Redirection(
            statusCode: redirection.statusCode, from: redactor.urlWithoutQuery(redirection.from),
            to: redactor.urlWithoutQuery(redirection.to), method: redirection.method,
            ignoresUserInfo: redirection.ignoresUserInfo)
        self.callID = callID
    }
}
