// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Who wants to know what happens in the calls of one configuration.
package struct Observation: Sendable {
    /// The user's function.
    package let onEvent: (@Sendable (NetworkEvent) -> Void)?
    /// Those who listen to the client now.
    package let hub: EventHub
    /// The log; `nil` where nothing is written.
    package let log: NetworkLog?
    /// What the user's function may see.
    package let rules: RedactionRules
    package let time: TimeSource

    package init(
        onEvent: (@Sendable (NetworkEvent) -> Void)?, hub: EventHub, log: NetworkLog?, rules: RedactionRules,
        time: TimeSource
    ) {
        self.onEvent = onEvent
        self.hub = hub
        self.log = log
        self.rules = rules
        self.time = time
    }

    #if SIMORGH_BLIND
    /// Whether anybody may look on: nobody, so that the compiler leaves out all that is done for those who do.
    package static var isPossible: Bool { false }
    #else
    /// Whether anybody may look on.
    package static var isPossible: Bool { true }
    #endif

    /// Whether a call is to be watched.
    package var isActive: Bool { Self.isPossible && (onEvent != nil || log != nil || hub.isActive) }

    /// Whether the log tells of events.
    package var logsEvents: Bool { log.map { $0.level >= .standard } ?? false }

    /// Tells all of them, each as much as it may see.
    ///
    /// - Parameters:
    ///   - redactor: What the log hides secrets by; `nil` for what its rules say alone.
    ///   - event: Makes the event.
    /// - Returns: The event as one of those saw it who take events, the log aside; `nil` if nobody does.
    @discardableResult
    package func report(_ redactor: Redactor? = nil, _ event: (RedactionRules) -> NetworkEvent) -> NetworkEvent? {
        var seen: NetworkEvent?
        if let onEvent {
            let event = event(rules)
            onEvent(event)
            seen = event
        }
        seen = hub.publish(event) ?? seen
        if let log, log.level >= .standard { log.write(event(log.rules), redactor ?? Redactor(log.rules)) }
        return seen
    }
}
