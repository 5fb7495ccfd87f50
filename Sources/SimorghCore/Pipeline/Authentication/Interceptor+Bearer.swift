// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Authentication {
    /// Authenticates each request with a bearer token (RFC 6750).
    ///
    /// - Parameter token: The token.
    /// - Returns: The authentication.
    public static func bearer(_ token: String) -> Authentication {
        Authentication("bearer", owner: { token }) { .bearer { token } }
    }

    /// Authenticates each request with a bearer token (RFC 6750) from a closure.
    ///
    /// - Parameter token: Returns the token, and is called for each request; `nil` sends the request without a token.
    /// - Returns: The authentication.
    public static func bearer(_ token: @escaping @Sendable () async throws -> String?) -> Authentication {
        Authentication("bearer") { .bearer(token) }
    }
}

extension Interceptor {
    /// Returns a step that adds a bearer token (RFC 6750), unless the request sets `Authorization`.
    ///
    /// - Parameter token: Returns the token, and is called for each request; `nil` sends the request without a token.
    ///   An empty token, or one with a line break, makes the request fail.
    /// - Returns: The step.
    package static func bearer(_ token: @escaping @Sendable () async throws -> String?) -> Interceptor {
        Interceptor { request, next in
            guard request.options.allowsAuthentication, !request.head.headerFields.contains(.authorization),
                let token = try await token()
            else {
                return try await next(request)
            }
            var request = request
            request.head.headerFields.append(
                HTTPField(name: .authorization, value: try HeaderRules.bearer(token)))
            return try await next(request)
        }
    }
}
