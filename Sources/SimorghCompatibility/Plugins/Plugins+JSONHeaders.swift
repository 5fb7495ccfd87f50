// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

extension Plugins {
    /// Adds the header fields of a JSON request.
    ///
    /// Sets `Accept` if the request has none, and `Content-Type` if its body has no declared type.
    public struct JSONHeaders: Plugin {
        /// `Plugins.JSONHeaders`.
        public let id = "Plugins.JSONHeaders"
        /// ``/SimorghCompatibility/PluginPriority/jsonHeaders``.
        public let priority = PluginPriority.jsonHeaders

        /// Creates the plugin.
        public init() {}

        /// Adds the missing header fields.
        ///
        /// - Parameter request: The request.
        /// - Throws: Nothing.
        public func prepare(_ request: inout TransportRequest) async throws {
            if !request.head.headerFields.contains(.accept) { request.head.headerFields[.accept] = Self.json }
            if !request.body.isEmpty, request.body.contentType == nil, !request.head.headerFields.contains(.contentType)
            {
                request.head.headerFields[.contentType] = Self.json
            }
        }

        private static let json = "application/json"
    }
}
