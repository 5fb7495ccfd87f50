// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import Logging
public import SimorghCore

extension Plugins {
    /// Logs each call: the request, the response and the end.
    ///
    /// Credentials in header fields, the query of the URL and the user's values are never logged.
    public struct Log: Plugin {
        /// The entries to log.
        public struct Options: OptionSet, Sendable {
            /// The options as bits.
            public let rawValue: Int

            /// Creates options.
            ///
            /// - Parameter rawValue: The options as bits.
            public init(rawValue: Int) { self.rawValue = rawValue }

            /// An entry when the request is sent.
            public static let willSend = Options(rawValue: 1)
            /// An entry when a response has arrived.
            public static let didReceive = Options(rawValue: 2)
            /// An entry when the call has ended or was cancelled.
            public static let didFinish = Options(rawValue: 4)
            /// The header fields in each entry, with credentials redacted.
            public static let headers = Options(rawValue: 8)
            /// The three entries, without header fields.
            public static let lines: Options = [.willSend, .didReceive, .didFinish]
            /// Everything.
            public static let all: Options = [.lines, .headers]
        }

        /// The plugin's identifier.
        public let id: String
        /// The plugin's position in the order of plugins.
        public let priority: PluginPriority
        private let log: CallLog

        /// Creates the plugin.
        ///
        /// - Parameters:
        ///   - id: The plugin's identifier; two loggers need different ids.
        ///   - priority: The plugin's position. Default: ``/SimorghCompatibility/PluginPriority/curl``.
        ///   - options: The entries to log. Default: all three, without header fields.
        ///   - logger: The logger. Calls are logged at level `debug`, failures at `error`; the logger's own level
        ///     applies. Default: a logger of this library, which passes all levels.
        ///   - redaction: The rules for what to redact besides the query. Default: credentials and similar secrets.
        public init(
            id: String = "Plugins.Log",
            priority: PluginPriority = .curl,
            options: Options = .lines,
            logger: Logger? = nil,
            redaction: RedactionRules = .standard
        ) {
            self.id = id
            self.priority = priority
            log = CallLog(options: options, to: .logger(logger), hiding: redaction)
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
