// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Interceptor {
    /// Returns a step that adds a unique identifier to each call in a header field, the same for all its attempts.
    ///
    /// - Parameter name: The name of the header field. A request that already has the field keeps its value.
    /// - Returns: The step.
    public static func requestID(_ name: String = "X-Request-ID") -> Interceptor {
        let checked = Result { () throws(InvalidRequestError) in try HeaderRules.field(name: name, value: "").name }
        return Interceptor { request, next in
            let name = try checked.get()
            guard !request.head.headerFields.contains(name) else { return try await next(request) }
            var request = request
            request.head.headerFields.append(HTTPField(name: name, value: UUID().uuidString.lowercased()))
            return try await next(request)
        }
    }

    /// Returns a step that adds an identifier in the configured header field; `nil` if no field is configured.
    static func requestID(_ configuration: APIClient.Configuration) -> Interceptor? {
        configuration.requestIDHeader.map { .requestID($0) }
    }
}
