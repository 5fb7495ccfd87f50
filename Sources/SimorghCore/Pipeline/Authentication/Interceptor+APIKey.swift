// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Authentication {
    /// The part of a request that carries the key.
    public enum KeyLocation: Sendable, Hashable {
        /// A header field.
        case header
        /// A query item. Servers and proxies log URLs, so prefer a header field if the server accepts both.
        case query
    }

    /// Authenticates each request with an API key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - name: The name of the header field or the query item.
    ///   - location: The part of the request that carries the key.
    /// - Returns: The authentication.
    public static func apiKey(_ key: String, name: String, in location: KeyLocation = .header) -> Authentication {
        Authentication("key", owner: { key }) { .apiKey(key, name: name, in: location) }
    }
}

extension Interceptor {
    /// Returns a step that adds an API key, unless the request has a header field or query item of that name.
    ///
    /// - Parameters:
    ///   - key: The key. A key with a line break makes every request fail.
    ///   - name: The name of the header field or the query item.
    ///   - location: The part of the request that carries the key.
    /// - Returns: The step.
    package static func apiKey(
        _ key: String, name: String, in location: Authentication.KeyLocation = .header
    ) -> Interceptor {
        switch location {
        case .header: apiKeyInHeader(key, name: name)
        case .query: apiKeyInQuery(key, name: name)
        }
    }

    private static func apiKeyInHeader(_ key: String, name: String) -> Interceptor {
        let field = Result { () throws(InvalidRequestError) -> HTTPField in
            var field = try HeaderRules.field(name: name, value: key)
            // A secret under any name: HTTP/2 must keep it out of the HPACK table (RFC 7541, section 7.1.3).
            field.indexingStrategy = .disallow
            return field
        }
        return Interceptor { request, next in
            let field = try field.get()
            guard request.options.allowsAuthentication, !request.head.headerFields.contains(field.name) else {
                return try await next(request)
            }
            var request = request
            request.head.headerFields.append(field)
            request.markCredential(field.name)
            return try await next(request)
        }
    }

    private static func apiKeyInQuery(_ key: String, name: String) -> Interceptor {
        let escapedName = PercentEncoding.encoded(name, keeping: .unreserved)
        let item = "\(escapedName)=\(PercentEncoding.encoded(key, keeping: .unreserved))"
        return Interceptor { request, next in
            let path = request.head.path ?? "/"
            let query = path.utf8.firstIndex(of: UInt8(ascii: "?")).map { path[path.index(after: $0)...] }
            let names = query?.cut(at: "&").map { $0.halves(at: "=")?.before ?? $0 } ?? []
            guard request.options.allowsAuthentication, !names.contains(where: { $0 == escapedName }) else {
                return try await next(request)
            }
            var keyed = request
            let separator = query.map { $0.isEmpty ? "" : "&" } ?? "?"
            keyed.head.path = "\(path)\(separator)\(item)"
            keyed.markSecretQueryItem(name)
            do {
                return try await next(keyed)
            } catch var error as TransportError {
                error.url = keyed.shown(error.url)
                throw error
            }
        }
    }
}
