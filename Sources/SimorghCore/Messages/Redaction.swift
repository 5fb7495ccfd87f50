// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// Hides what must not stand on a screen, in a log or in a bug report.
public enum Redaction {
    private static let secret: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token",
        "www-authenticate", "proxy-authenticate", "authentication-info",
    ]
    private static let schemes: Set<String> = ["basic", "bearer", "digest", "negotiate"]

    /// A field's value as it may be shown.
    ///
    /// - Parameter field: The field.
    /// - Returns: The value; of a credential at most its scheme.
    public static func shown(_ field: HTTPField) -> String {
        guard secret.contains(field.name.canonicalName) else { return field.value }
        let scheme = field.value.prefix { $0 != " " }
        guard schemes.contains(scheme.lowercased()), scheme.count < field.value.count else { return "[hidden]" }
        return "\(scheme) [hidden]"
    }
}
