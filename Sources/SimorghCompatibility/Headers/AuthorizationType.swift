// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The values of `Authorization`: a credential.
public enum AuthorizationType: Sendable, Hashable {
    /// A bearer token (RFC 6750).
    case bearer(token: String)
    /// A user name and password in UTF-8 (RFC 7617); the user name must not contain a colon.
    case basic(username: String, password: String)
    /// Any other value, including its scheme.
    case custom(String)

    /// The header's name.
    public static let name = "authorization"

    /// The header's value.
    public var value: String {
        switch self {
        case .bearer(let token): "Bearer \(token)"
        case .basic(let username, let password):
            Interceptor.basicCredentials(username: username, password: password)
        case .custom(let value): value
        }
    }
}

extension AuthorizationType: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scheme; never the credential.
    public var description: String {
        switch self {
        case .bearer: "bearer"
        case .basic: "basic"
        case .custom: "custom"
        }
    }

    /// The scheme; never the credential.
    public var debugDescription: String { description }

    /// An empty mirror, so that a dump does not show the credential.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
