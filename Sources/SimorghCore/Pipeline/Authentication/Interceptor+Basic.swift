// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Authentication {
    /// Authenticates each request with a user name and a password (RFC 7617), in UTF-8.
    ///
    /// - Parameters:
    ///   - username: The user name. A name with a colon, which the scheme cannot carry, makes every request fail.
    ///   - password: The password.
    /// - Returns: The authentication.
    public static func basic(username: String, password: String) -> Authentication {
        Authentication("basic", owner: { username }) { .basic(username: username, password: password) }
    }
}

extension Interceptor {
    /// Returns a step that adds a user name and password (RFC 7617), unless the request sets `Authorization`.
    ///
    /// - Parameters:
    ///   - username: The user name. A name with a colon, which the scheme cannot carry, makes every request fail.
    ///   - password: The password.
    /// - Returns: The step.
    package static func basic(username: String, password: String) -> Interceptor {
        let value = Result { () throws(InvalidRequestError) in
            // They are sent as Base64, but a server that decodes control characters must reject them (RFC 7617, section
            // 2).
            try HeaderRules.check(value: username, of: "Authorization")
            try HeaderRules.check(value: password, of: "Authorization")
            guard !username.utf8.contains(UInt8(ascii: ":")) else {
                throw InvalidRequestError(
                    .invalidHeader,
                    message: "the user name for the header Authorization holds a colon, which Basic cannot carry"
                )
            }
            return basicCredentials(username: username, password: password)
        }
        return Interceptor { request, next in
            guard request.options.allowsAuthentication, !request.head.headerFields.contains(.authorization) else {
                return try await next(request)
            }
            var request = request
            request.head.headerFields.append(HTTPField(name: .authorization, value: try value.get()))
            return try await next(request)
        }
    }

    /// Returns the value of `Authorization` for a name and a password in UTF-8 (RFC 7617).
    package static func basicCredentials(username: String, password: String) -> String {
        "Basic \(Base64.text("\(username):\(password)"))"
    }
}
