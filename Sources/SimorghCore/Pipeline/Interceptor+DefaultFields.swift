// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Interceptor {
    /// Returns a step that adds header fields to each request that does not set them itself.
    ///
    /// - Parameter headers: The fields. An invalid field name or value makes every request fail.
    /// - Returns: The step.
    public static func defaultFields(_ headers: [String: String]) -> Interceptor {
        step(DefaultFields(headers))
    }

    /// Returns a step that adds the default fields of the configuration; `nil` if it has no default fields.
    static func defaultFields(_ defaults: DefaultFields) -> Interceptor? { defaults.isEmpty ? nil : step(defaults) }

    private static func step(_ defaults: DefaultFields) -> Interceptor {
        Interceptor(isPlain: true) { request, next in
            var request = request
            try defaults.add(to: &request)
            return try await next(request)
        }
    }
}

/// Default header fields, validated once.
struct DefaultFields: Sendable {
    private let fields: Result<HTTPFields, InvalidRequestError>
    let isEmpty: Bool

    /// Creates the default fields of a configuration, including its user agent.
    init(_ configuration: APIClient.Configuration) {
        var headers = configuration.headers
        if let userAgent = configuration.userAgent, !headers.keys.contains(where: { $0.lowercased() == "user-agent" }) {
            headers["User-Agent"] = userAgent
        }
        self.init(headers)
    }

    init(_ headers: [String: String]) {
        isEmpty = headers.isEmpty
        fields = Result { () throws(InvalidRequestError) -> HTTPFields in
            var fields = HTTPFields()
            for var field in try HeaderRules.fields(headers) {
                // Keeps secrets out of the HPACK table (RFC 7541, section 7.1.3). Set once here instead of at each
                // request.
                if CredentialFields.known.contains(field.name) { field.indexingStrategy = .disallow }
                fields.append(field)
            }
            return fields
        }
    }

    func add(to request: inout TransportRequest) throws(InvalidRequestError) { try add(to: &request.head.headerFields) }

    func add(to own: inout HTTPFields) throws(InvalidRequestError) {
        let fields = try fields.get()
        if own.isEmpty {
            // Most requests have no fields of their own, and share these without a copy.
            own = fields
            return
        }
        for field in fields where !own.contains(field.name) { own.append(field) }
    }
}
