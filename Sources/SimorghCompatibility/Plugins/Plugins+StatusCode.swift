// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

extension Plugins {
    /// Turns a status other than 200 into a ``/SimorghCompatibility/StatusCode`` error.
    ///
    /// It judges before the client's ``/SimorghCore/APIClient/Configuration/Validation/statusCodes`` do.
    public struct StatusCode: Plugin {
        /// `Plugins.StatusCode`.
        public let id = "Plugins.StatusCode"
        /// Where it stands among the others.
        public let priority: PluginPriority
        private let ignoresSuccess: Bool
        private let ignoresNil: Bool
        private let overridesPreviousError: Bool

        /// Creates the plugin.
        ///
        /// - Parameters:
        ///   - priority: Where it stands among the others; ``/SimorghCompatibility/PluginPriority/statusCode`` by default.
        ///   - shouldIgnore200th: Whether 201 to 299 are accepted as 200 always is; they are by default.
        ///   - shouldIgnoreNil: Whether a call without a response is left to the error that it has; it is by default.
        ///   - shouldIgnorePreviousError: Whether a call that has an error already is judged all the same; it is not by
        ///     default.
        public init(
            priority: PluginPriority = .statusCode,
            shouldIgnore200th: Bool = true,
            shouldIgnoreNil: Bool = true,
            shouldIgnorePreviousError: Bool = false
        ) {
            self.priority = priority
            ignoresSuccess = shouldIgnore200th
            ignoresNil = shouldIgnoreNil
            overridesPreviousError = shouldIgnorePreviousError
        }

        /// Throws for a status that is not accepted.
        ///
        /// - Parameters:
        ///   - outcome: The outcome so far.
        ///   - request: The request.
        /// - Throws: ``/SimorghCompatibility/StatusCode``.
        public func verify(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) async throws {
            switch outcome {
            case .failure:
                if overridesPreviousError, !ignoresNil { throw SimorghCompatibility.StatusCode.none }
            case .success(let response):
                let code = response.head.status.code
                guard code != 200, !(ignoresSuccess && (201...299).contains(code)) else { return }
                throw SimorghCompatibility.StatusCode(code)
            }
        }
    }
}
