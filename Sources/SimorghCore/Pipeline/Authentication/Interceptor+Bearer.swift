// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Authentication {
    /// A token with every request (RFC 6750).
    ///
    /// - Parameter token: The token.
    /// - Returns: The authentication.
    public static func bearer(_ token: String) -> Authentication {
        Authentication("bearer", owner: { token }) { .bearer { token } }
    }

    /// A token with every request (RFC 6750), asked for each time.
    ///
    /// - Parameter token: Gives the token; `nil` sends the request without one.
    /// - Returns: The authentication.
    public static func bearer(_ token: @escaping @Sendable () async throws -> String?) -> Authentication {
        Authentication("bearer") { .bearer(token) }
    }
}

extension Interceptor {
    /// Gives each request a token (RFC 6750) unless it has an `Authorization` of its own.
    ///
    /// - Parameter token: Gives the token, asked for at each request; `nil` sends the request without one. A token with
    ///   a line break, or an empty one, makes the request fail.
    /// - Returns: The step.
    package static func bearer(_ token: @escaping @Sendable () async throws -> String?) -> Interceptor {
        Interceptor { request, next in
            guard request.options.allowsAuthentication, !request.head.headerFields.has(.authorization),
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
