// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// Something that happened in a call, told to ``APIClient/Configuration/Logging/onEvent`` and to ``APIClient/events(showing:buffer:)``.
@nonexhaustive
public enum NetworkEvent: Sendable {
    /// A call begins; told as well for one whose request cannot be made.
    case started(RequestContext)
    /// A call is over.
    case completed(CompletedEvent)
    /// A request failed, and will or will not be sent again.
    case retryDecision(RetryDecision)
    /// A circuit breaker opened or closed.
    case circuitChange(CircuitChange)
    /// A redirect is followed.
    case redirected(RedirectEvent)
    /// A call waits for something else than its own exchange, or has waited.
    case wait(WaitEvent)
    /// A request is sent once more beside itself.
    case hedgeStarted(HedgeEvent)
    /// An interim response (1xx) came, such as 103 with its hints.
    case interim(InterimEvent)
    /// An attempt on the wire ended: with the head of a response, or without one.
    case attempt(AttemptEvent)
    /// The body of a response has ended that was handed over when its head had come.
    case bodyEnded(BodyEndEvent)
    /// A WebSocket connection was made, lost, comes back or is over.
    case webSocket(WebSocketReport)
    /// The client's cache answered a request, or let it pass.
    case cache(CacheEvent)
}

/// Whether and why a failed request is sent again.
public struct RetryDecision: Sendable {
    /// The call it is about.
    public let callID: CallContext.ID
    /// The method of the request.
    public let method: String
    /// The URL of the request, its query hidden.
    public let url: String
    /// How many attempts there were.
    public let attempts: Int
    /// The time until the request is sent again; `nil` if it is not, and the caller gets the failure.
    public let delay: Duration?
    /// Why, in a sentence for a person.
    public let reason: String

    package init(
        delay: Duration?, because reason: String, callID: CallContext.ID, request: TransportRequest, attempts: Int,
        showing rules: RedactionRules = .standard
    ) {
        // Who asked for all gets no more of these: that is in the events of the attempts.
        let rules = rules.isOn ? rules : .standard
        self.callID = callID
        method = request.head.method.rawValue
        let redactor = Redactor(rules, request)
        url = redactor.place(request.urlString)
        self.attempts = attempts
        self.delay = delay
        self.reason = redactor.text(reason)
    }
}

/// A redirect that a call follows.
public struct RedirectEvent: Sendable, Hashable {
    /// The call it is about.
    public let callID: CallContext.ID
    /// From where to where; the queries hidden unless the observer asked for all.
    public let redirection: Redirection

    package init(
        _ redirection: Redirection, of request: TransportRequest, callID: CallContext.ID,
        showing rules: RedactionRules = .standard
    ) {
        let redactor = Redactor(rules, request)
        self.redirection = Redirection(
            statusCode: redirection.statusCode, from: redactor.place(redirection.from),
            to: redactor.place(redirection.to), method: redirection.method,
            ignoresUserInfo: redirection.ignoresUserInfo)
        self.callID = callID
    }
}
