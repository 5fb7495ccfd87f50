// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import SimorghSupport
import Synchronization

/// Hides what must not stand on a screen, in a log or in a bug report.
public enum Redaction {
    private static let secret: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token",
        "www-authenticate", "proxy-authenticate", "authentication-info", "proxy-authentication-info",
    ]
    /// What tells in a name that the field holds a secret.
    private static let telling = NameParts([
        "token", "secret", "password", "api-key", "apikey", "session", "credential", "signature", "dpop",
    ])
    /// Fields whose values are dates, numbers, or words that the RFCs list: no secret fits in.
    private static let listed: Set<String> = [
        "accept", "accept-encoding", "accept-language", "accept-ranges", "age", "allow", "connection",
        "content-encoding", "content-language", "content-length", "content-range", "date", "expires",
        "if-modified-since", "if-unmodified-since", "keep-alive", "last-modified", "range", "retry-after", "te",
        "transfer-encoding", "upgrade", "vary",
    ]
    private static let places: Set<String> = ["location", "content-location", "referer"]
    package static let schemes: Set<String> = ["basic", "bearer", "digest", "negotiate"]

    /// What the name of a field tells of its value.
    package enum FieldKind: Sendable {
        /// A credential.
        case secret
        /// A URL.
        case place
        /// Names of protocols, which may be tokens.
        case protocols
        /// Dates, numbers and words that are known, those about credentials among them.
        case open
        /// Anything else.
        case text
    }

    /// Those of names that were looked at: the same few come with each message, and each takes many looks.
    private static let kinds = Mutex<[HTTPField.Name: FieldKind]>([:])
    /// So many are kept, of so many bytes each at most: servers make names up.
    private static let mostKinds = 512
    private static let longestKind = 64

    /// What a name tells.
    package static func kind(of name: HTTPField.Name) -> FieldKind {
        if let known = kinds.withLock({ $0[name] }) { return known }
        let kind = look(at: name)
        guard name.canonicalName.utf8.count <= longestKind else { return kind }
        kinds.withLock { if $0.count < mostKinds { $0[name] = kind } }
        return kind
    }

    private static func look(at field: HTTPField.Name) -> FieldKind {
        let name = field.canonicalName
        if places.contains(name) { return .place }
        if isSecret(name) || CredentialFields.known.contains(field) { return .secret }
        if name == "sec-websocket-protocol" { return .protocols }
        return listed.contains(name) || speaksOfSecrets(name) ? .open : .text
    }

    /// A field's value as it may be shown.
    ///
    /// - Parameter field: The field.
    /// - Returns: The value; of a credential at most its scheme, of a URL what stands before its query.
    public static func shown(_ field: HTTPField) -> String { shown(field, marked: []) }

    /// A field's value as it may be shown, where steps marked some as credentials.
    package static func shown(_ field: HTTPField, marked: Set<HTTPField.Name>) -> String {
        let kind = kind(of: field.name)
        return kind == .place ? shown(url: field.value) : shown(field, of: kind, marked: marked, by: .standard)
    }

    /// The value of a field that is no URL as it may be shown: of one whose name tells at most its scheme, of any other
    /// what is seen to be no secret.
    package static func shown(
        _ field: HTTPField, of kind: FieldKind, marked: Set<HTTPField.Name>, by rules: RedactionRules,
        finder: any SecretFinder = StructuralFinder()
    ) -> String {
        if marked.contains(field.name) { return masked(field.value) }
        switch kind {
        case .secret: return masked(field.value)
        case .protocols: return shown(protocols: field.value)
        case .open: return field.value
        case .place, .text:
            let shown = finder.shown(field.value, rules, afterJSON: false)
            return holdsEscapedSecret(shown, rules) ? RedactionRules.mask : shown
        }
    }

    /// Returns true if a text holds a secret once its percent escapes are decoded, as that of a URL in a query item.
    private static func holdsEscapedSecret(_ text: String, _ rules: RedactionRules) -> Bool {
        guard rules.isOn, PercentEncoding.withBytes(of: text[...].utf8, { $0.contains(UInt8(ascii: "%")) }) else {
            return false
        }
        let decoded = PercentEncoding.decodedText(text)
        return SecretText.shown(decoded, rules) != decoded
    }

    /// The names of protocols, among which programs in browsers send tokens, as they can send no other field.
    package static func shown(protocols value: String) -> String {
        var isAwaited = false
        return value.cut(at: ",").map { item -> String in
            let name = item.filter { $0 != " " && $0 != "\t" }
            let tells = SecretNames.tellsInText(SecretNames.plain(name.utf8))
            defer { isAwaited = tells }
            // What follows `access_token` is one, and so is what `base64url.bearer.authorization.k8s.io.` begins.
            guard isAwaited || tells && name.utf8.count > 20 || isLikeToken(name) || carriesToken(name) else {
                return String(item)
            }
            return item.hasPrefix(" ") ? " \(RedactionRules.mask)" : RedactionRules.mask
        }.joined(separator: ",")
    }

    /// Words before the last part of a protocol's name that say that this part is a credential: `bearer.TOKEN`.
    private static let leads: Set<String> = ["bearer", "token", "jwt", "apikey", "authorization", "password", "secret"]

    /// Returns true if the name of a protocol ends in a credential that a part before it announces.
    private static func carriesToken(_ name: String) -> Bool {
        let parts = name.utf8.split(omittingEmptySubsequences: false) { ".-_~|!".utf8.contains($0) }
        return parts.dropLast().contains { leads.contains(SecretNames.plain($0)) }
    }

    /// Whether a word is too long and too motley to be the name of a protocol.
    private static func isLikeToken(_ word: String) -> Bool {
        guard word.utf8.count >= 20 else { return false }
        let digits = word.utf8.filter(\.isASCIIDigit).count
        return word.contains("eyJ") || digits > 3 || digits > 0 && word.utf8.contains { (0x41...0x5A).contains($0) }
    }

    /// What may be shown of a credential: at most its scheme.
    package static func masked(_ value: String) -> String {
        let scheme = value.prefix { $0 != " " }
        guard schemes.contains(scheme.lowercased()), scheme.count < value.count else { return RedactionRules.mask }
        return "\(scheme) \(RedactionRules.mask)"
    }

    /// A URL without what may hold a credential: the user's name and password, the query, and what follows a `#`.
    package static func shown(url: String, by rules: RedactionRules = .standard) -> String {
        guard rules.isOn else { return url }
        return ShownURL.withoutQuery(ShownURL.withoutCredentials(url), rules)
    }

    private static func isSecret(_ name: String) -> Bool {
        if secret.contains(name) { return true }
        return !speaksOfSecrets(name)
            && (telling.occur(in: name) || SecretNames.tellsInField(name))
    }

    /// Whether a field, as those of CORS, speaks of credentials and holds none.
    private static func speaksOfSecrets(_ name: String) -> Bool {
        name.hasPrefix("access-control-") || name == "permissions-policy"
    }
}
