// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// What is hidden before anything of a call is shown: in the log, in events, in a cURL command, in a HAR file.
///
/// Hidden by default are credentials in header fields, cookies, the user name and the password of a URL, and query items,
/// form fields and JSON fields whose names tell that they hold a secret.
/// ```swift
/// let discreet = client.with {
///     $0.logging.redaction.headerFields = ["X-Internal-User"]
///     $0.logging.redaction.names = ["taxNumber"]
/// }
/// ```
public struct RedactionRules: Sendable, Hashable {
    /// What stands in the place of a secret.
    package static let mask = "[hidden]"

    /// The rules of the library, without any of your own.
    public static let standard = RedactionRules()
    /// Hides nothing: for a test against a server of your own.
    public static let none: RedactionRules = {
        var rules = RedactionRules()
        rules.isOn = false
        return rules
    }()

    /// Whether anything is hidden; on by default.
    public var isOn = true
    /// Header fields that hold a secret besides those that are known to, in any case; none by default.
    public var headerFields: Set<String> = [] {
        didSet { loweredFields = Set(headerFields.map { $0.lowercased() }) }
    }
    /// Names of query items, form fields and JSON fields that hold a secret besides those that are known to; none by default.
    ///
    /// Case, `-` and `_` are not looked at.
    public var names: Set<String> = [] {
        didSet { plainNames = Set(names.map { SecretNames.plain($0.utf8) }) }
    }

    private var loweredFields: Set<String> = []
    private var plainNames: Set<String> = []

    /// Creates the rules of the library.
    public init() {}

    /// A field's value as it may be shown.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - marked: The fields that steps marked as credentials.
    ///   - kind: The kind of the field; `nil`, the default, looks it up by the name.
    ///   - finder: Finds secrets inside the value.
    /// - Returns: The value, or what is left of it.
    package func shown(
        _ field: HTTPField, marked: Set<HTTPField.Name> = [], kind: Redaction.FieldKind? = nil,
        finder: any SecretFinder = StructuralFinder()
    ) -> String {
        guard isOn else { return field.value }
        if loweredFields.contains(field.name.canonicalName) { return Self.mask }
        let kind = kind ?? Redaction.kind(of: field.name)
        if kind == .place { return shown(url: field.value, finder: finder) }
        return Redaction.shown(field, of: kind, marked: marked, by: self, finder: finder)
    }

    /// The fields as they may be shown.
    package func shown(_ fields: HTTPFields, marked: Set<HTTPField.Name> = []) -> HTTPFields {
        Redactor(self, marked: marked).shown(fields)
    }

    /// A URL as it may be shown: its secret query items hidden one by one, and so those of its path.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - items: The items that steps marked as credentials.
    ///   - finder: Finds secrets inside the items.
    /// - Returns: The URL without user name, password, secrets and fragment.
    package func shown(
        url: String, items: Set<String> = [], finder: any SecretFinder = StructuralFinder()
    ) -> String {
        guard isOn else { return url }
        let url = ShownURL.withoutCredentials(url)
        let parts = URLReference(url)
        let path = SecretPath.shown(url[..<parts.path.endIndex]) { isSecret($0, inQuery: true) }
        let query = parts.query.map { "?" + shown(form: $0, items: items, finder: finder) } ?? ""
        return path + query + (parts.fragment == nil ? "" : "#…")
    }

    /// The items of a query or of a form, the secret ones hidden, and those that hold one, as a URL in a URL may.
    package func shown(
        form: Substring, items: Set<String> = [], finder: any SecretFinder = StructuralFinder()
    ) -> String {
        guard isOn else { return String(form) }
        return Self.hideItems(
            of: form,
            where: { name in
                items.contains(String(decoding: name, as: UTF8.self)) || isSecret(name, inQuery: true)
            }, orWhere: { finder.holdsSecret($0, self) })
    }

    /// The items of a query or of a form, hidden where a function says so of their unescaped names, or they are tokens.
    ///
    /// - Parameters:
    ///   - form: The items.
    ///   - isSecret: Whether a name tells.
    ///   - holdsSecret: Whether a value is to be hidden, whatever its name is, or a name, or an item that has none.
    /// - Returns: The items, the secret ones hidden.
    package static func hideItems(
        of form: Substring, where isSecret: (_ name: [UInt8]) -> Bool,
        orWhere holdsSecret: (_ text: Substring.UTF8View) -> Bool
    ) -> String {
        func isHidden(_ text: Substring.UTF8View) -> Bool { SecretText.isToken(text) || holdsSecret(text) }
        return form.cut(at: "&").map { item -> String in
            guard let equals = item.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                return isHidden(item.utf8) ? mask : String(item)
            }
            // A name without a value may be written with its `=`.
            let name = item.utf8[..<equals]
            if isHidden(name) { return mask }
            let value = item.utf8[item.utf8.index(after: equals)...]
            if isSecret(PercentEncoding.decodedItem(name)) || isHidden(value) { return "\(item[..<equals])=\(mask)" }
            // A whole URL has its first `=` in its own query.
            let isInQuery = PercentEncoding.decodedThroughout(name).contains(UInt8(ascii: "?"))
            return isInQuery && holdsSecret(item.utf8) ? mask : String(item)
        }.joined(separator: "&")
    }

    /// Whether what has this name holds a secret.
    package func isSecret(_ name: some Sequence<UInt8>, inQuery: Bool = false) -> Bool {
        let plain = SecretNames.plain(name)
        return plainNames.contains(plain) || SecretNames.tells(plain, inQuery: inQuery)
    }

    /// Whether a plain name is one of the user's own.
    package func isSecret(own plain: String) -> Bool { plainNames.contains(plain) }
}
