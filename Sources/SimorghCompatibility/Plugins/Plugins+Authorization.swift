// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

/// A user name and password for ``/SimorghCompatibility/Plugins/Basic``.
public struct AuthBasicToken: Sendable, Hashable {
    /// The user name; it must not contain a colon.
    public let username: String
    /// The password.
    public let password: String

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - username: The user name.
    ///   - password: The password.
    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}

extension AuthBasicToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type's name; never the credential.
    public var description: String { "AuthBasicToken" }

    /// The type's name; never the credential.
    public var debugDescription: String { description }

    /// An empty mirror, so that a dump does not show the credential.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Plugins {
    /// Sends a user name and password with each request (RFC 7617), if ``/SimorghCore/Authentication`` is allowed for
    /// it.
    public struct Basic: Plugin {
        /// `Plugins.Basic`.
        public let id = "Plugins.Basic"
        /// ``/SimorghCompatibility/PluginPriority/authBasic``.
        public let priority = PluginPriority.authBasic
        private let overridesExisting: Bool
        private let everywhere: Bool
        private let token: @Sendable () async throws -> AuthBasicToken?

        /// Creates the plugin.
        ///
        /// - Parameters:
        ///   - overrideExisting: True to replace the request's own `Authorization`. Default: true.
        ///   - everywhere: True to send the credential to every origin, not only to that of the client's base URL.
        ///     Default: false.
        ///   - token: Returns the credential for each call; `nil` leaves the request unchanged.
        public init(
            overrideExisting: Bool = true, everywhere: Bool = false,
            with token: @escaping @Sendable () async throws -> AuthBasicToken?
        ) {
            overridesExisting = overrideExisting
            self.everywhere = everywhere
            self.token = token
        }

        /// Sets `Authorization`.
        ///
        /// - Parameter request: The request.
        /// - Throws: ``/SimorghCore/InvalidRequestError`` if the credential is not a valid field value, or an error of
        ///   `token`.
        public func prepare(_ request: inout TransportRequest) async throws {
            guard request.options.allowsAuthentication, everywhere || request.isForBase,
                overridesExisting || !request.head.headerFields.contains(.authorization),
                let token = try await token()
            else { return }
            guard !token.username.utf8.contains(UInt8(ascii: ":")) else {
                throw InvalidRequestError(
                    .invalidHeader, message: "the user name for the header Authorization holds a colon")
            }
            let value = AuthorizationType.basic(username: token.username, password: token.password).value
            request.head.headerFields[.authorization] = value
        }
    }

    /// Sends a bearer token with each request (RFC 6750), if ``/SimorghCore/Authentication`` is allowed for it.
    public struct Bearer: Plugin {
        /// `Plugins.Bearer`.
        public let id = "Plugins.Bearer"
        /// ``/SimorghCompatibility/PluginPriority/authBearer``.
        public let priority = PluginPriority.authBearer
        private let overridesExisting: Bool
        private let everywhere: Bool
        private let token: @Sendable () async throws -> String?

        /// Creates the plugin.
        ///
        /// - Parameters:
        ///   - overrideExisting: True to replace the request's own `Authorization`. Default: true.
        ///   - everywhere: True to send the token to every origin, not only to that of the client's base URL. Default:
        ///     false.
        ///   - token: Returns the token for each call; `nil` leaves the request unchanged.
        public init(
            overrideExisting: Bool = true, everywhere: Bool = false,
            with token: @escaping @Sendable () async throws -> String?
        ) {
            overridesExisting = overrideExisting
            self.everywhere = everywhere
            self.token = token
        }

        /// Sets `Authorization`.
        ///
        /// - Parameter request: The request.
        /// - Throws: ``/SimorghCore/InvalidRequestError`` if the token is not a valid field value, or an error of `token`.
        public func prepare(_ request: inout TransportRequest) async throws {
            guard request.options.allowsAuthentication, everywhere || request.isForBase,
                overridesExisting || !request.head.headerFields.contains(.authorization),
                let token = try await token()
            else { return }
            request.head.headerFields[.authorization] = try HeaderRules.bearer(token)
        }
    }
}
