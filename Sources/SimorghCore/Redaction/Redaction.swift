// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import SimorghSupport
import Synchronization

/// The redaction of secrets for the screen, a log or a bug report.
public enum Redaction {
    private static let secret: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token",
        "www-authenticate", "proxy-authenticate", "authentication-info", "proxy-authentication-info",
    ]
    /// The substrings of field names that indicate a secret.
    private static let sensitiveParts = SubstringMatcher([
        "token", "secret", "password", "api-key", "apikey", "session", "credential", "signature", "dpop",
    ])
    /// The fields whose values are dates, numbers or words from the RFCs, which cannot contain a secret.
    private static let openFields: Set<String> = [
        "accept", "accept-encoding", "accept-language", "accept-ranges", "age", "allow", "connection",
        "content-encoding", "content-language", "content-length", "content-range", "date", "expires",
        "if-modified-since", "if-unmodified-since", "keep-alive", "last-modified", "range", "retry-after", "te",
        "transfer-encoding", "upgrade", "vary",
    ]
    private static let urlFields: Set<String> = ["location", "content-location", "referer"]
    package static let schemes: Set<String> = ["basic", "bearer", "digest", "negotiate"]

    /// The kind of a field's value, according to its name.
    package enum FieldKind: Sendable {
        /// A credential.
        case secret
        /// A URL.
        case url
        /// Names of protocols, which can be tokens.
        case protocols
        /// Dates, numbers and known words, including words about credentials.
        case open
        /// Anything else.
        case text
    }

    /// Performance: the kinds of known names, because the same few names appear in each message.
    private static let kinds = Mutex<[HTTPField.Name: FieldKind]>([:])
    /// The largest number and length of cached names, because servers can send arbitrary names.
    private static let maximumCachedKinds = 512
    private static let maximumCachedNameLength = 64

    /// Returns the kind of a field, according to its name.
    package static func kind(of name: HTTPField.Name) -> FieldKind {
        if let known = kinds.withLock({ $0[name] }) { return known }
        let kind = uncachedKind(of: name)
        guard name.canonicalName.utf8.count <= maximumCachedNameLength else { return kind }
        kinds.withLock { if $0.count < maximumCachedKinds { $0[name] = kind } }
        return kind
    }

    private static func uncachedKind(of field: HTTPField.Name) -> FieldKind {
        let name = field.canonicalName
        if urlFields.contains(name) { return .url }
        if isSecret(name) || CredentialFields.known.contains(field) { return .secret }
        if name == "sec-websocket-protocol" { return .protocols }
        return openFields.contains(name) || describesCredentials(name) ? .open : .text
    }

    /// Returns the redacted value of a field.
    ///
    /// - Parameter field: The field.
    /// - Returns: The value; for a credential at most its scheme, for a URL the part before its query.
    public static func shown(_ field: HTTPField) -> String { shown(field, marked: []) }

    /// Returns the redacted value of a field, with the fields that interceptors marked as credentials.
    package static func shown(_ field: HTTPField, marked: Set<HTTPField.Name>) -> String {
        let kind = kind(of: field.name)
        return kind == .url ? shown(url: field.value) : shown(field, of: kind, marked: marked, by: .standard)
    }

    /// Returns the redacted value of a field that is not a URL.
    ///
    /// For a sensitive name that is at most the scheme, for other names the value without the secrets found in it.
    package static func shown(
        _ field: HTTPField, of kind: FieldKind, marked: Set<HTTPField.Name>, by rules: RedactionRules,
        finder: any SecretFinder = StructuralSecretFinder()
    ) -> String {
        if marked.contains(field.name) { return masked(field.value) }
        switch kind {
        case .secret: return masked(field.value)
        case .protocols: return shown(protocols: field.value)
        case .open: return field.value
        case .url, .text:
            let shown = finder.shown(field.value, by: rules, afterJSON: false)
            return holdsEscapedSecret(shown, by: rules) ? RedactionRules.mask : shown
        }
    }

    /// Returns true if a text contains a secret after percent-decoding, as a URL in a query item can.
    private static func holdsEscapedSecret(_ text: String, by rules: RedactionRules) -> Bool {
        guard rules.isOn, PercentEncoding.withBytes(of: text[...].utf8, { $0.contains(UInt8(ascii: "%")) }) else {
            return false
        }
        let decoded = PercentEncoding.decodedText(text)
        return TextRedactor.shown(decoded, by: rules) != decoded
    }

    /// Returns redacted protocol names.
    ///
    /// Browsers send tokens as protocol names, because they can set no other field.
    package static func shown(protocols value: String) -> String {
        var isAwaited = false
        return value.cut(at: ",").map { item -> String in
            let name = item.filter { $0 != " " && $0 != "\t" }
            let isSensitive = SensitiveNames.isSensitiveInText(SensitiveNames.plain(name.utf8))
            defer { isAwaited = isSensitive }
            // The item after `access_token` is a token, and so is one that begins with
            // `base64url.bearer.authorization.k8s.io.`.
            guard isAwaited || isSensitive && name.utf8.count > 20 || isLikeToken(name) || carriesToken(name) else {
                return String(item)
            }
            return item.hasPrefix(" ") ? " \(RedactionRules.mask)" : RedactionRules.mask
        }.joined(separator: ",")
    }

    /// The parts of a protocol name that indicate that a later part is a credential: `bearer.TOKEN`.
    private static let credentialMarkers: Set<String> = [
        "bearer", "token", "jwt", "apikey", "authorization", "password", "secret",
    ]

    /// Returns true if the name of a protocol ends in a credential, as indicated by an earlier part.
    private static func carriesToken(_ name: String) -> Bool {
        let parts = name.utf8.split(omittingEmptySubsequences: false) { ".-_~|!".utf8.contains($0) }
        return parts.dropLast().contains { credentialMarkers.contains(SensitiveNames.plain($0)) }
    }

    /// Returns true if a word is too long and too irregular for the name of a protocol.
    private static func isLikeToken(_ word: String) -> Bool {
        guard word.utf8.count >= 20 else { return false }
        let digits = word.utf8.filter(\.isASCIIDigit).count
        return word.contains("eyJ") || digits > 3 || digits > 0 && word.utf8.contains { (0x41...0x5A).contains($0) }
    }

    /// Returns a redacted credential: at most its scheme.
    package static func masked(_ value: String) -> String {
        let scheme = value.prefix { $0 != " " }
        guard schemes.contains(scheme.lowercased()), scheme.count < value.count else { return RedactionRules.mask }
        return "\(scheme) \(RedactionRules.mask)"
    }

    /// Returns a URL without user name, password, query and fragment, all of which can contain a credential.
    package static func shown(url: String, by rules: RedactionRules = .standard) -> String {
        guard rules.isOn else { return url }
        return RedactedURL.withoutQuery(RedactedURL.withoutCredentials(url), by: rules)
    }

    private static func isSecret(_ name: String) -> Bool {
        if secret.contains(name) { return true }
        return !describesCredentials(name)
            && (sensitiveParts.isContained(in: name) || SensitiveNames.isSensitiveInField(name))
    }

    /// Returns true if a field describes credentials but contains none, as the fields of CORS.
    private static func describesCredentials(_ name: String) -> Bool {
        name.hasPrefix("access-control-") || name == "permissions-policy"
    }
}
