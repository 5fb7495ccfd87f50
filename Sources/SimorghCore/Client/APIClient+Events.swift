// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension APIClient {
    /// Returns the events of later calls of this client and its views.
    ///
    /// ```swift
    /// let events = client.events()
    /// for await event in events {
    ///     if case .completed(let call) = event { print(call.request.url, call.duration) }
    /// }
    /// ```
    /// Any number of listeners can call this; each gets its own stream. Calls never wait for a listener: a slow
    /// listener loses the oldest events, and ``NetworkEvents/dropped`` counts them. Secrets are redacted as
    /// ``Configuration/Logging/redaction`` says.
    ///
    /// - Parameter capacity: The number of events that are buffered for a listener. Default: 1024.
    /// - Returns: The stream, for one task at a time.
    public func events(buffer capacity: Int = 1024) -> NetworkEvents {
        events(showing: configuration.logging.redaction, buffer: capacity)
    }

    /// Returns the events of later calls of this client and its views, with other redaction rules.
    ///
    /// - Parameters:
    ///   - rules: The redaction rules. With ``RedactionRules/none`` the events contain header fields, URLs and errors
    ///     unchanged.
    ///   - capacity: The number of events that are buffered for a listener. Default: 1024.
    /// - Returns: The stream, for one task at a time.
    public func events(showing rules: RedactionRules, buffer capacity: Int = 1024) -> NetworkEvents {
        NetworkEvents(hub, showing: rules, capacity: capacity)
    }

    /// Changes the log level of later calls.
    ///
    /// - Parameter level: The level.
    public func setLogLevel(_ level: LogLevel) { updateConfiguration { $0.logging.level = level } }

    /// Turns the redaction of secrets in the log and in events on or off, for later calls.
    ///
    /// - Parameter redacts: True to redact secrets.
    public func setRedactsLogs(_ redacts: Bool) { updateConfiguration { $0.logging.redaction.isOn = redacts } }

    /// Sets additional header fields to redact in later calls, besides the fields that are known to hold secrets.
    ///
    /// - Parameter names: The names of the fields.
    public func setRedactedHeaderFields(_ names: Set<String>) {
        updateConfiguration { $0.logging.redaction.headerFields = names }
    }

    /// Makes later calls write their log only to a file.
    ///
    /// - Parameters:
    ///   - path: The file; `nil` restores the default.
    ///   - format: The format of an entry. Default: one line.
    public func setLogFile(_ path: String?, format: LogFormat = .line) {
        let logger = path.map { NetworkLogger([.file($0, format: format)]) } ?? .shared
        updateConfiguration { $0.logging.logger = logger }
    }
}
