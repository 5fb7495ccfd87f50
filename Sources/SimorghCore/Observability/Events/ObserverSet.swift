// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The observers of the calls of one configuration.
package struct ObserverSet: Sendable {
    /// The user's callback.
    package let onEvent: (@Sendable (NetworkEvent) -> Void)?
    /// The event streams of the client.
    package let hub: EventBroadcaster
    /// The log; `nil` if nothing is logged.
    package let log: NetworkLog?
    /// The redaction rules of the user's callback.
    package let rules: RedactionRules
    package let time: TimeSource

    package init(
        onEvent: (@Sendable (NetworkEvent) -> Void)?, hub: EventBroadcaster, log: NetworkLog?, rules: RedactionRules,
        time: TimeSource
    ) {
        self.onEvent = onEvent
        self.hub = hub
        self.log = log
        self.rules = rules
        self.time = time
    }

    #if SIMORGH_BLIND
    /// False in this build: the compiler removes all code for observers.
    package static var isPossible: Bool { false }
    #else
    /// True if this build supports observers.
    package static var isPossible: Bool { true }
    #endif

    /// True if a call must be observed.
    package var isActive: Bool { Self.isPossible && (onEvent != nil || log != nil || hub.isActive) }

    /// True if the log contains events.
    package var logsEvents: Bool { log.map { $0.level >= .standard } ?? false }

    /// Reports an event to all observers, each with its own redaction.
    ///
    /// - Parameters:
    ///   - redactor: The redactor of the log; `nil` to redact only by the log's rules.
    ///   - event: Makes the event for given redaction rules.
    /// - Returns: The event as one of the observers saw it, not counting the log; `nil` if there is no observer.
    @discardableResult
    package func report(redactor: Redactor? = nil, _ event: (RedactionRules) -> NetworkEvent) -> NetworkEvent? {
        var published: NetworkEvent?
        if let onEvent {
            let event = event(rules)
            onEvent(event)
            published = event
        }
        published = hub.publish(event) ?? published
        if let log, log.level >= .standard { log.write(event(log.rules), redactor: redactor ?? Redactor(log.rules)) }
        return published
    }
}
