// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Authentication {
    /// A name and a password with every request (RFC 7617), in UTF-8.
    ///
    /// - Parameters:
    ///   - username: The name; one with a colon, which the scheme cannot carry, makes every request fail.
    ///   - password: The password.
    /// - Returns: The authentication.
    public static func basic(username: String, password: String) -> Authentication {
        Authentication("basic", owner: { username }) { .basic(username: username, password: password) }
    }
}

extension Interceptor {
    /// Gives each request a name and a password (RFC 7617) unless it has an `Authorization` of its own.
    ///
    /// - Parameters:
    ///   - username: The name; one with a colon, which the scheme cannot carry, makes every request fail.
    ///   - password: The password.
    /// - Returns: The step.
    package static func basic(username: String, password: String) -> Interceptor {
        let value = Result { () throws(InvalidRequest) in
            // Not sent as they are, but a server that decodes them would have to refuse them (RFC 7617, section 2).
            try HeaderRules.check(value: username, of: "Authorization")
            try HeaderRules.check(value: password, of: "Authorization")
            guard !username.utf8.contains(UInt8(ascii: ":")) else {
                throw InvalidRequest(
                    .invalidHeader, "the user name for the header Authorization holds a colon, which Basic cannot carry"
                )
            }
            return basicCredentials(username: username, password: password)
        }
        return Interceptor { request, next in
            guard request.options.allowsAuthentication, !request.head.headerFields.has(.authorization) else {
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
