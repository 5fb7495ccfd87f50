// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import Logging
public import SimorghCore

extension Plugins {
    /// Tells a logger of each call: when it is sent, what came back, how it ended.
    ///
    /// Credentials in header fields, the query of the URL and the user's values never reach the log.
    public struct Log: Plugin {
        /// What is told.
        public struct Options: OptionSet, Sendable {
            /// The options as bits.
            public let rawValue: Int

            /// Creates options.
            ///
            /// - Parameter rawValue: The options as bits.
            public init(rawValue: Int) { self.rawValue = rawValue }

            /// A line when the request is handed on.
            public static let willSend = Options(rawValue: 1)
            /// A line when a response has come.
            public static let didReceive = Options(rawValue: 2)
            /// A line at the end, or when the call was cancelled.
            public static let didFinish = Options(rawValue: 4)
            /// The header fields with each line, credentials hidden.
            public static let headers = Options(rawValue: 8)
            /// The three lines, without header fields.
            public static let lines: Options = [.willSend, .didReceive, .didFinish]
            /// Everything.
            public static let all: Options = [.lines, .headers]
        }

        /// Tells it from other plugins.
        public let id: String
        /// Where it stands among the others.
        public let priority: PluginPriority
        private let log: CallLog

        /// Creates the plugin.
        ///
        /// - Parameters:
        ///   - id: Tells it from other plugins; two loggers need two.
        ///   - priority: Where it stands among the others; ``/SimorghCompatibility/PluginPriority/curl`` by default.
        ///   - options: What is told; the lines by default.
        ///   - logger: Where to; at the level `debug`, failures at `error`. Its own level holds. By default one of this
        ///     library's, which lets all pass.
        ///   - redaction: What is hidden besides the query, where anything is; credentials and the like by default.
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
