// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

extension Plugins {
    /// Fails calls whose status is not accepted with a ``/SimorghCompatibility/StatusCode`` error.
    ///
    /// It runs before the client's ``/SimorghCore/APIClient/Configuration/Validation/statusCodes`` are checked.
    public struct StatusCode: Plugin {
        /// `Plugins.StatusCode`.
        public let id = "Plugins.StatusCode"
        /// The plugin's position in the order of plugins.
        public let priority: PluginPriority
        private let ignoresSuccess: Bool
        private let ignoresNil: Bool
        private let overridesPreviousError: Bool

        /// Creates the plugin.
        ///
        /// - Parameters:
        ///   - priority: The plugin's position. Default: ``/SimorghCompatibility/PluginPriority/statusCode``.
        ///   - shouldIgnore200th: True to accept the statuses 201 to 299; 200 is always accepted. Default: true.
        ///   - shouldIgnoreNil: True to keep the error of a call that has no response. Default: true.
        ///   - shouldIgnorePreviousError: True to check a call that already has an error. Default: false.
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

        /// Throws if the status is not accepted.
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
