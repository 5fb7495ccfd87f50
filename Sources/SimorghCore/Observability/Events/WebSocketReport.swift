// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What became of a WebSocket connection, and why.
public struct WebSocketReport: Sendable {
    /// What happened.
    @nonexhaustive
    public enum Change: Sendable {
        /// A connection is being made.
        case connecting
        /// The server has agreed to the upgrade.
        case connected
        /// The connection was lost, or could not be made: another is tried for after a wait. Attempts count from 1.
        case reconnecting(attempt: Int, after: Duration)
        /// It is over, with a close code; 1006 where there was none.
        case ended(code: Int, reason: String)
    }

    /// The URL, its query hidden.
    public let url: String
    /// What happened.
    public let change: Change
    /// What went wrong, where something did.
    public let failure: (any Error)?

    package init(
        url: String, _ change: Change, because failure: (any Error)? = nil, showing rules: RedactionRules = .standard
    ) {
        let redactor = Redactor(rules, url: url)
        self.url = redactor.place(url)
        if rules.isOn, case .ended(let code, let reason) = change {
            self.change = .ended(code: code, reason: redactor.text(reason))
        } else {
            self.change = change
        }
        self.failure = failure.map { redactor.shown($0) }
    }
}
