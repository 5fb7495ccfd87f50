// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A credential: the values of `Authorization`.
public enum AuthorizationType: Sendable, Hashable {
    /// A bearer token (RFC 6750).
    case bearer(token: String)
    /// A name and a password in UTF-8 (RFC 7617); the name has no colon.
    case basic(username: String, password: String)
    /// Any other value, its scheme with it.
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

    /// Nothing: what dumps a value shows no credential either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
