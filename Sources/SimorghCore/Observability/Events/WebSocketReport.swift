// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A change of a WebSocket connection, and its cause.
public struct WebSocketReport: Sendable {
    /// The change of the connection.
    @nonexhaustive
    public enum Change: Sendable {
        /// A connection is being opened.
        case connecting
        /// The server has accepted the upgrade.
        case connected
        /// The connection was lost or could not be opened, and reconnects after a wait. Attempts count from 1.
        case reconnecting(attempt: Int, after: Duration)
        /// The connection ended with a close code; 1006 if there was no close frame.
        case ended(code: Int, reason: String)
    }

    /// The URL, with a redacted query.
    public let url: String
    /// The change of the connection.
    public let change: Change
    /// The error that caused the change, if any.
    public let failure: (any Error)?

    package init(
        url: String, _ change: Change, because failure: (any Error)? = nil, showing rules: RedactionRules = .standard
    ) {
        let redactor = Redactor(rules, url: url)
        self.url = redactor.urlWithoutQuery(url)
        if rules.isOn, case .ended(let code, let reason) = change {
            self.change = .ended(code: code, reason: redactor.text(reason))
        } else {
            self.change = change
        }
        self.failure = failure.map { redactor.shown($0) }
    }
}
