// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh
import SimorghTelemetry

/// Who looks on while requests are measured.
enum Seen: String {
    /// Everything is set up, and nothing is on.
    case off
    /// So it is, and somebody listened to events for a moment.
    case left
    /// Each request and each failure is a line of the log, which nobody keeps.
    case log
    /// Somebody reads the events.
    case events
    /// Each attempt is measured, into nothing.
    case metrics

    struct Unknown: Error { let name: String }

    /// - Parameter name: What was asked for; `nil` for nobody.
    /// - Throws: ``Unknown`` for any other name.
    init?(named name: String?) throws {
        guard let name else { return nil }
        guard let seen = Seen(rawValue: name) else { throw Unknown(name: name) }
        self = seen
    }

    /// Sets up what is needed.
    func prepare(_ configuration: inout APIClient.Configuration) {
        var telemetry = Telemetry()
        telemetry.tracesCalls = false
        telemetry.measuresRequests = self == .metrics
        if self != .events { telemetry.instrument(&configuration) }
        configuration.logging.logger = NetworkLogger([.custom { _ in }])
        configuration.logging.level = self == .log ? .minimal : .none
    }

    /// Begins to look on.
    func begin(_ client: APIClient) {
        if self == .left { _ = client.events() }
        guard self == .events else { return }
        let events = client.events()
        // It ends with the client.
        Task { for await _ in events {} }
    }
}
