// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Interceptor {
    /// Gives each request the header fields that it does not set itself.
    ///
    /// - Parameter headers: The fields; a name or value that no field may have makes every request fail.
    /// - Returns: The step.
    public static func defaultFields(_ headers: [String: String]) -> Interceptor {
        step(DefaultFields(headers))
    }

    /// Gives each request the header fields of the configuration.
    static func defaultFields(_ defaults: DefaultFields) -> Interceptor? { defaults.isEmpty ? nil : step(defaults) }

    private static func step(_ defaults: DefaultFields) -> Interceptor {
        Interceptor(isPlain: true) { request, next in
            var request = request
            try defaults.add(to: &request)
            return try await next(request)
        }
    }
}

/// Header fields for requests that do not set them; checked once.
struct DefaultFields: Sendable {
    private let fields: Result<HTTPFields, InvalidRequest>
    let isEmpty: Bool

    /// The header fields of a configuration, with its user agent.
    init(_ configuration: APIClient.Configuration) {
        var headers = configuration.headers
        if let userAgent = configuration.userAgent, !headers.keys.contains(where: { $0.lowercased() == "user-agent" }) {
            headers["User-Agent"] = userAgent
        }
        self.init(headers)
    }

    init(_ headers: [String: String]) {
        isEmpty = headers.isEmpty
        fields = Result { () throws(InvalidRequest) -> HTTPFields in
            var fields = HTTPFields()
            for var field in try HeaderRules.fields(headers) {
                // HTTP/2 keeps a secret out of its table (RFC 7541, section 7.1.3). Once here, and not at each request.
                if CredentialFields.known.contains(field.name) { field.indexingStrategy = .disallow }
                fields.append(field)
            }
            return fields
        }
    }

    func add(to request: inout TransportRequest) throws(InvalidRequest) { try add(to: &request.head.headerFields) }

    func add(to own: inout HTTPFields) throws(InvalidRequest) {
        let fields = try fields.get()
        if own.isEmpty {
            // Most requests have none of their own, and share these without a copy.
            own = fields
            return
        }
        for field in fields where !own.has(field.name) { own.append(field) }
    }
}
