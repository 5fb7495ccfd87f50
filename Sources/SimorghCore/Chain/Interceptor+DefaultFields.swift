// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Interceptor {
    /// Gives each request the header fields that it does not set itself.
    ///
    /// - Parameter headers: The fields; a name or value that no field may have makes every request fail.
    /// - Returns: The step.
    public static func defaultFields(_ headers: [String: String]) -> Interceptor {
        let defaults = Result { () throws(InvalidRequest) in try HeaderRules.fields(headers) }
        return Interceptor { request, next in
            var request = request
            for field in try defaults.get() where !request.head.headerFields.has(field.name) {
                request.head.headerFields.append(field)
            }
            return try await next(request)
        }
    }
}
