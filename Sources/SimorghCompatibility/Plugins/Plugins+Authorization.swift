// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

/// A user name and a password, as ``/SimorghCompatibility/Plugins/Basic`` sends them.
public struct AuthBasicToken: Sendable, Hashable {
    /// The user name; it has no colon.
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
    /// Never the credential.
    public var description: String { "AuthBasicToken" }

    /// Never the credential.
    public var debugDescription: String { description }

    /// Nothing: what dumps a value shows no credential either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Plugins {
    /// Sends a user name and a password with each request (RFC 7617), where ``/SimorghCore/Authentication`` would send its own.
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
        ///   - overrideExisting: Whether an `Authorization` that the request has already is replaced; it is by default.
        ///   - everywhere: Whether it is sent wherever a request goes, not only to the origin of the client's base URL;
        ///     off by default.
        ///   - token: Gives the credential at each call; `nil` leaves the request as it is.
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
        /// - Throws: ``/SimorghCore/InvalidRequest`` when the credential cannot be sent, or what its source throws.
        public func prepare(_ request: inout TransportRequest) async throws {
            guard request.options.allowsAuthentication, everywhere || request.isForBase,
                overridesExisting || !request.head.headerFields.has(.authorization),
                let token = try await token()
            else { return }
            guard !token.username.utf8.contains(UInt8(ascii: ":")) else {
                throw InvalidRequest(.invalidHeader, "the user name for the header Authorization holds a colon")
            }
            let value = AuthorizationType.basic(username: token.username, password: token.password).value
            request.head.headerFields[.authorization] = value
        }
    }

    /// Sends a bearer token with each request (RFC 6750), where ``/SimorghCore/Authentication`` would send its own.
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
        ///   - overrideExisting: Whether an `Authorization` that the request has already is replaced; it is by default.
        ///   - everywhere: Whether it is sent wherever a request goes, not only to the origin of the client's base URL;
        ///     off by default.
        ///   - token: Gives the token at each call; `nil` leaves the request as it is.
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
        /// - Throws: ``/SimorghCore/InvalidRequest`` when the token cannot be sent, or what its source throws.
        public func prepare(_ request: inout TransportRequest) async throws {
            guard request.options.allowsAuthentication, everywhere || request.isForBase,
                overridesExisting || !request.head.headerFields.has(.authorization),
                let token = try await token()
            else { return }
            request.head.headerFields[.authorization] = try HeaderRules.bearer(token)
        }
    }
}
