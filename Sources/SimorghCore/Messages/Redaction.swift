// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// Hides what must not stand on a screen, in a log or in a bug report.
public enum Redaction {
    private static let secret: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token",
        "www-authenticate", "proxy-authenticate", "authentication-info",
    ]
    /// What tells in a name that the field holds a secret.
    private static let telling = [
        "token", "secret", "password", "api-key", "apikey", "session", "credential", "signature", "dpop",
    ]
    package static let places: Set<String> = ["location", "content-location", "referer"]
    package static let schemes: Set<String> = ["basic", "bearer", "digest", "negotiate"]

    /// A field's value as it may be shown.
    ///
    /// - Parameter field: The field.
    /// - Returns: The value; of a credential at most its scheme, of a URL what stands before its query.
    public static func shown(_ field: HTTPField) -> String { shown(field, marked: []) }

    /// A field's value as it may be shown, where steps marked some as credentials.
    package static func shown(_ field: HTTPField, marked: Set<HTTPField.Name>) -> String {
        let name = field.name.canonicalName
        if places.contains(name) { return shown(url: field.value) }
        guard isSecret(name) || CredentialFields.known.contains(field.name) || marked.contains(field.name) else {
            return field.value
        }
        return masked(field.value)
    }

    /// What may be shown of a credential: at most its scheme.
    package static func masked(_ value: String) -> String {
        let scheme = value.prefix { $0 != " " }
        guard schemes.contains(scheme.lowercased()), scheme.count < value.count else { return RedactionRules.mask }
        return "\(scheme) \(RedactionRules.mask)"
    }

    /// A URL without what may hold a credential: the user's name and password, the query, and what follows a `#`.
    package static func shown(url: String) -> String {
        let url = ShownURL.withoutQuery(ShownURL.withoutCredentials(url))
        guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "#")) else { return url }
        return "\(url[..<mark])#…"
    }

    private static func isSecret(_ name: String) -> Bool {
        // Those of CORS speak of credentials and hold none.
        secret.contains(name) || !name.hasPrefix("access-control-") && telling.contains { name.contains($0) }
    }
}
