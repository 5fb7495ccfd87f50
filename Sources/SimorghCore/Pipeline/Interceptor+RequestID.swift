// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Interceptor {
    /// Gives each call an identifier of its own in a header field, the same for all its attempts.
    ///
    /// - Parameter name: The field's name; a request that has the field keeps it.
    /// - Returns: The step.
    public static func requestID(_ name: String = "X-Request-ID") -> Interceptor {
        let checked = Result { () throws(InvalidRequest) in try HeaderRules.field(name: name, value: "").name }
        return Interceptor { request, next in
            let name = try checked.get()
            guard !request.head.headerFields.has(name) else { return try await next(request) }
            var request = request
            request.head.headerFields.append(HTTPField(name: name, value: UUID().uuidString.lowercased()))
            return try await next(request)
        }
    }

    /// Gives each call an identifier in the field that the configuration names.
    static func requestID(_ configuration: APIClient.Configuration) -> Interceptor? {
        configuration.requestIDHeader.map { .requestID($0) }
    }
}
