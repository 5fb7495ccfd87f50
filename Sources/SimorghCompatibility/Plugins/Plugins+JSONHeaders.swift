// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

extension Plugins {
    /// Says that JSON is wanted, and that JSON is sent.
    ///
    /// `Accept` where the request has none; `Content-Type` where it has a body of no declared type.
    public struct JSONHeaders: Plugin {
        /// `Plugins.JSONHeaders`.
        public let id = "Plugins.JSONHeaders"
        /// ``/SimorghCompatibility/PluginPriority/jsonHeaders``.
        public let priority = PluginPriority.jsonHeaders

        /// Creates the plugin.
        public init() {}

        /// Adds the fields that are missing.
        ///
        /// - Parameter request: The request.
        /// - Throws: Nothing.
        public func prepare(_ request: inout TransportRequest) async throws {
            if !request.head.headerFields.has(.accept) { request.head.headerFields[.accept] = Self.json }
            if !request.body.isEmpty, request.body.contentType == nil, !request.head.headerFields.has(.contentType) {
                request.head.headerFields[.contentType] = Self.json
            }
        }

        private static let json = "application/json"
    }
}
