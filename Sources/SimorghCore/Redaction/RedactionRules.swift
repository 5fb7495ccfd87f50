// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The redaction rules for all output about a call: the log, events, cURL commands, HAR files.
///
/// By default these are redacted: credentials in header fields, cookies, the user name and password of a URL, and query
/// items, form fields and JSON members with sensitive names.
/// ```swift
/// let discreet = client.with {
///     $0.logging.redaction.headerFields = ["X-Internal-User"]
///     $0.logging.redaction.names = ["taxNumber"]
/// }
/// ```
public struct RedactionRules: Sendable, Hashable {
    /// The replacement of a secret.
    package static let mask = "[hidden]"

    /// The default rules.
    public static let standard = RedactionRules()
    /// Rules without any redaction, for a test with your own server.
    public static let none: RedactionRules = {
        var rules = RedactionRules()
        rules.isOn = false
        return rules
    }()

    /// True if secrets are redacted.
    ///
    /// Default: true.
    public var isOn = true
    /// Additional header fields that contain a secret, compared case-insensitively.
    ///
    /// Default: none.
    public var headerFields: Set<String> = [] {
        didSet { loweredFields = Set(headerFields.map { $0.lowercased() }) }
    }
    /// Additional names of query items, form fields and JSON members that contain a secret.
    ///
    /// Default: none.
    ///
    /// Case, `-` and `_` are ignored.
    public var names: Set<String> = [] {
        didSet { plainNames = Set(names.map { SensitiveNames.plain($0.utf8) }) }
    }

    private var loweredFields: Set<String> = []
    private var plainNames: Set<String> = []

    /// Creates the default rules.
    public init() {}

    /// Returns the redacted value of a field.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - marked: The fields that interceptors marked as credentials.
    ///   - kind: The kind of the field. Default: `nil`, determined by the name.
    ///   - finder: The finder for secrets in the value.
    /// - Returns: The redacted value.
    package func shown(
        _ field: HTTPField, marked: Set<HTTPField.Name> = [], kind: Redaction.FieldKind? = nil,
        finder: any SecretFinder = StructuralSecretFinder()
    ) -> String {
        guard isOn else { return field.value }
        if loweredFields.contains(field.name.canonicalName) { return Self.mask }
        let kind = kind ?? Redaction.kind(of: field.name)
        if kind == .url { return shown(url: field.value, finder: finder) }
        return Redaction.shown(field, of: kind, marked: marked, by: self, finder: finder)
    }

    /// Returns the redacted fields.
    package func shown(_ fields: HTTPFields, marked: Set<HTTPField.Name> = []) -> HTTPFields {
        Redactor(self, marked: marked).shown(fields)
    }

    /// Returns a redacted URL: each secret query item and path parameter is replaced separately.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - items: The query items that interceptors marked as credentials.
    ///   - finder: The finder for secrets in the items.
    /// - Returns: The URL without user name, password, secrets and fragment.
    package func shown(
        url: String, items: Set<String> = [], finder: any SecretFinder = StructuralSecretFinder()
    ) -> String {
        guard isOn else { return url }
        let url = RedactedURL.withoutCredentials(url)
        let parts = URLReference(url)
        let path = PathRedactor.shown(url[..<parts.path.endIndex]) { isSecret($0, inQuery: true) }
        let query = parts.query.map { "?" + shown(form: $0, items: items, finder: finder) } ?? ""
        return path + query + (parts.fragment == nil ? "" : "#…")
    }

    /// Returns the redacted items of a query or form.
    ///
    /// Values that contain a secret, as a URL in a URL can, are redacted, too.
    package func shown(
        form: Substring, items: Set<String> = [], finder: any SecretFinder = StructuralSecretFinder()
    ) -> String {
        guard isOn else { return String(form) }
        return Self.hideItems(
            of: form,
            where: { name in
                items.contains(String(decoding: name, as: UTF8.self)) || isSecret(name, inQuery: true)
            }, orWhere: { finder.holdsSecret($0, by: self) })
    }

    /// Returns the items of a query or form, redacted by closures.
    ///
    /// Items that are tokens are always redacted.
    ///
    /// - Parameters:
    ///   - form: The items.
    ///   - isSecret: Returns true if a name is sensitive.
    ///   - holdsSecret: Returns true if a value, a name, or an item without a name contains a secret.
    /// - Returns: The redacted items.
    package static func hideItems(
        of form: Substring, where isSecret: (_ name: [UInt8]) -> Bool,
        orWhere holdsSecret: (_ text: Substring.UTF8View) -> Bool
    ) -> String {
        func isHidden(_ text: Substring.UTF8View) -> Bool { TextRedactor.isToken(text) || holdsSecret(text) }
        return form.cut(at: "&").map { item -> String in
            guard let equals = item.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                return isHidden(item.utf8) ? mask : String(item)
            }
            // A name without a value can be written with its `=`.
            let name = item.utf8[..<equals]
            if isHidden(name) { return mask }
            let value = item.utf8[item.utf8.index(after: equals)...]
            if isSecret(PercentEncoding.decodedItem(name)) || isHidden(value) { return "\(item[..<equals])=\(mask)" }
            // The first `=` of an absolute URL is in its own query.
            let isInQuery = PercentEncoding.decodedThroughout(name).contains(UInt8(ascii: "?"))
            return isInQuery && holdsSecret(item.utf8) ? mask : String(item)
        }.joined(separator: "&")
    }

    /// Returns true if a value with this name is secret.
    package func isSecret(_ name: some Sequence<UInt8>, inQuery: Bool = false) -> Bool {
        let plain = SensitiveNames.plain(name)
        return plainNames.contains(plain) || SensitiveNames.isSensitive(plain, inQuery: inQuery)
    }

    /// Returns true if a normalized name is one of the user's own.
    package func isSecret(own plain: String) -> Bool { plainNames.contains(plain) }
}
