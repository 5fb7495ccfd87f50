// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A finder of secrets inside a value: in a header field, a query item, an error message.
///
/// ``Redactor`` knows the locations of values; a finder decides how deep a value is decoded to find secrets in it.
package protocol SecretFinder: Sendable {
    /// Returns a redacted text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - rules: The rules with the sensitive names.
    ///   - afterJSON: True if ``JSONRedactor`` has redacted the text. Its JSON then stays valid.
    /// - Returns: The redacted text.
    func shown(_ text: String, by rules: RedactionRules, afterJSON: Bool) -> String

    /// Returns the secrets of a text, as written there.
    func secrets(in text: String, by rules: RedactionRules) -> [String]

    /// Returns the decoded forms of a part of a query or form item, each decoded once more than the previous one.
    func readings(of item: Substring.UTF8View) -> [String]

    /// Returns a search for copies of secrets.
    func search(for secrets: [String]) -> SecretSearch
}

extension SecretFinder {
    /// Returns true if a decoded form of a query item, or of its name or value, contains a secret.
    func holdsSecret(_ item: Substring.UTF8View, by rules: RedactionRules) -> Bool {
        isRead(item) { text in
            // Short names such as `pin` are sensitive only in JSON.
            var scan = JSONRedactor(rules)
            return String(decoding: scan.mask(text.utf8), as: UTF8.self) != text
                || shown(text, by: rules, afterJSON: false) != text
        }
    }

    /// Returns true if a decoded form of an item contains a secret.
    ///
    /// - Parameters:
    ///   - item: The item, or its name or value.
    ///   - holdsSecret: Returns true if a text contains a secret. The user of a reference `//user@host` is found
    ///     without it.
    /// - Returns: True if one of the decoded forms contains a secret.
    package func isRead(_ item: Substring.UTF8View, where holdsSecret: (_ text: String) -> Bool) -> Bool {
        // Without one of these bytes an item contains no URL, name, scheme or tag. A token needs none of them.
        let mayHold = item.contains { "=:@%+< ".utf8.contains($0) }
        guard mayHold || item.indices.contains(where: { item[$0...].starts(with: "eyJ".utf8) }) else { return false }
        return readings(of: item).contains { text in
            holdsSecret(text) || text.utf8.starts(with: "//".utf8) && RedactedURL.withoutCredentials(text) != text
        }
    }
}

/// A finder by structure that decodes one level of encoding: for logs, events, errors and cURL commands.
package struct StructuralSecretFinder: SecretFinder {
    package init() {}

    package func shown(_ text: String, by rules: RedactionRules, afterJSON: Bool) -> String {
        TextRedactor.shown(text, by: rules, afterJSON: afterJSON)
    }

    package func secrets(in text: String, by rules: RedactionRules) -> [String] {
        TextRedactor.secrets(in: text, by: rules)
    }

    package func readings(of item: Substring.UTF8View) -> [String] {
        [String(decoding: PercentEncoding.decodedItem(item), as: UTF8.self)]
    }

    package func search(for secrets: [String]) -> SecretSearch { SecretSearch(secrets) }
}
