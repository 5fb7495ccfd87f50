// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension APIClient {
    /// What happens in the calls of this client and its views from now on.
    ///
    /// ```swift
    /// let events = client.events()
    /// for await event in events {
    ///     if case .completed(let call) = event { print(call.request.url, call.duration) }
    /// }
    /// ```
    /// Any number may listen, each with a stream of its own. Nobody is waited for: who reads too slowly loses the oldest
    /// events, and ``NetworkEvents/dropped`` counts them. Secrets are hidden as ``Configuration/Logging/redaction`` says.
    ///
    /// - Parameter capacity: How many events are kept for a listener; 1024 by default.
    /// - Returns: The stream, to be read by one task at a time.
    public func events(buffer capacity: Int = 1024) -> NetworkEvents {
        events(showing: configuration.logging.redaction, buffer: capacity)
    }

    /// What happens in the calls of this client and its views from now on, for a listener who may see more, or less.
    ///
    /// - Parameters:
    ///   - rules: What the listener may not see. With ``RedactionRules/none`` events carry header fields, URLs and errors as
    ///     they are.
    ///   - capacity: How many events are kept for a listener; 1024 by default.
    /// - Returns: The stream, to be read by one task at a time.
    public func events(showing rules: RedactionRules, buffer capacity: Int = 1024) -> NetworkEvents {
        NetworkEvents(hub, showing: rules, capacity: capacity)
    }

    /// Changes how much is written to the log from now on.
    ///
    /// - Parameter level: How much.
    public func setLogLevel(_ level: LogLevel) { updateConfiguration { $0.logging.level = level } }

    /// Changes whether later calls hide secrets in the log and in events.
    ///
    /// - Parameter redacts: Whether they do.
    public func setRedactsLogs(_ redacts: Bool) { updateConfiguration { $0.logging.redaction.isOn = redacts } }

    /// Changes which header fields later calls hide besides those that are known to hold secrets.
    ///
    /// - Parameter names: The names of the fields.
    public func setRedactedHeaderFields(_ names: Set<String>) {
        updateConfiguration { $0.logging.redaction.headerFields = names }
    }

    /// Makes later calls write their log to a file alone.
    ///
    /// - Parameters:
    ///   - path: The file; `nil` for the default again.
    ///   - format: How an entry looks; one line by default.
    public func setLogFile(_ path: String?, format: LogFormat = .line) {
        let logger = path.map { NetworkLogger([.file($0, format: format)]) } ?? .shared
        updateConfiguration { $0.logging.logger = logger }
    }
}
