// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension Plugins {
    /// Tells the system's log of each call: the unified log on Apple's systems, the process's logger elsewhere.
    ///
    /// What it tells and what it hides is as with ``Log``.
    public struct LogOS: Plugin {
        /// `Plugins.LogOS`.
        public let id = "Plugins.LogOS"
        /// Where it stands among the others.
        public let priority: PluginPriority
        private let log: CallLog

        /// Creates the plugin.
        ///
        /// - Parameters:
        ///   - priority: Where it stands among the others; ``/SimorghCompatibility/PluginPriority/curlOS`` by default.
        ///   - subsystem: The program's part that logs; the system's log sorts by it.
        ///   - options: What is told; the lines by default.
        ///   - redaction: What is hidden besides the query, where anything is; credentials and the like by default.
        public init(
            priority: PluginPriority = .curlOS, subsystem: String = "simorgh", options: Log.Options = .lines,
            redaction: RedactionRules = .standard
        ) {
            self.priority = priority
            log = CallLog(options: options, to: .systemLog(subsystem: subsystem), hiding: redaction)
        }

        /// Logs the request.
        ///
        /// - Parameter request: The request.
        public func willSend(_ request: TransportRequest) async { log.willSend(request) }

        /// Logs the response.
        ///
        /// - Parameters:
        ///   - response: The response.
        ///   - request: The request.
        public func didReceive(_ response: TransportResponse, to request: TransportRequest) async {
            log.didReceive(response, to: request)
        }

        /// Logs the end.
        ///
        /// - Parameters:
        ///   - outcome: The outcome.
        ///   - request: The request.
        public func didFinish(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) async {
            log.didFinish(outcome, of: request)
        }

        /// Logs the end.
        ///
        /// - Parameter request: The request.
        public func wasCancelled(_ request: TransportRequest) async { log.wasCancelled(request) }
    }
}
