// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh
import SimorghTelemetry

/// The observation of the measured requests.
enum ObservationMode: String {
    /// Everything is set up, and nothing is on.
    case off
    /// Like `off`, after an event stream existed for a moment.
    case left
    /// Each request and each failure is logged to a handler that discards it.
    case log
    /// A task reads the events.
    case events
    /// Each attempt is measured, without a metrics backend.
    case metrics

    struct Unknown: Error { let name: String }

    /// - Parameter name: The name of the observation; `nil` for no observation.
    /// - Throws: ``Unknown`` for any other name.
    init?(named name: String?) throws {
        guard let name else { return nil }
        guard let observation = ObservationMode(rawValue: name) else { throw Unknown(name: name) }
        self = observation
    }

    /// Configures the observation.
    func prepare(_ configuration: inout APIClient.Configuration) {
        var telemetry = Telemetry()
        telemetry.tracesCalls = false
        telemetry.measuresRequests = self == .metrics
        if self != .events { telemetry.instrument(&configuration) }
        configuration.logging.logger = NetworkLogger([.custom { _ in }])
        configuration.logging.level = self == .log ? .minimal : .none
    }

    /// Starts the observation.
    func begin(_ client: APIClient) {
        if self == .left { _ = client.events() }
        guard self == .events else { return }
        let events = client.events()
        // The task ends with the client.
        Task { for await _ in events {} }
    }
}
