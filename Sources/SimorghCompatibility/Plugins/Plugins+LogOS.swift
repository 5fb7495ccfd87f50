// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension Plugins {
    /// Logs each call to the system's log: the unified log on Apple platforms, the process's logger elsewhere.
    ///
    /// The entries and the redaction are those of ``Log``.
    public struct LogOS: Plugin {
        /// `Plugins.LogOS`.
        public let id = "Plugins.LogOS"
        /// The plugin's position in the order of plugins.
        public let priority: PluginPriority
        private let log: CallLog

        /// Creates the plugin.
        ///
        /// - Parameters:
        ///   - priority: The plugin's position. Default: ``/SimorghCompatibility/PluginPriority/curlOS``.
        ///   - subsystem: The subsystem of the unified log.
        ///   - options: The entries to log. Default: all three, without header fields.
        ///   - redaction: The rules for what to redact besides the query. Default: credentials and similar secrets.
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
