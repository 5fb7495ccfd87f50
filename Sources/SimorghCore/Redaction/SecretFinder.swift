// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Finds secrets inside a value: in a header field, a query item, an error message.
///
/// ``Redactor`` knows where values are; a finder decides how far a value is decoded to look for secrets in it.
package protocol SecretFinder: Sendable {
    /// Returns a text with its secrets hidden.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - rules: The names that tell.
    ///   - afterJSON: True if ``SecretJSON`` has masked the text. Its JSON then stays JSON.
    /// - Returns: The text, its secrets hidden.
    func shown(_ text: String, _ rules: RedactionRules, afterJSON: Bool) -> String

    /// Returns the secrets of a text, each as the text has it.
    func secrets(in text: String, _ rules: RedactionRules) -> [String]

    /// Returns the texts that a part of a query item or form item stands for, each decoded once more than the one before.
    func readings(of item: Substring.UTF8View) -> [String]

    /// Returns a search for copies of secrets.
    func search(for secrets: [String]) -> SecretSearch
}

extension SecretFinder {
    /// Returns true if a reading of a query item, or of a half of one, holds a secret.
    func holdsSecret(_ item: Substring.UTF8View, _ rules: RedactionRules) -> Bool {
        isRead(item) { text in
            // Short names such as `pin` tell in JSON only.
            var scan = SecretJSON(rules)
            return String(decoding: scan.mask(text.utf8), as: UTF8.self) != text
                || shown(text, rules, afterJSON: false) != text
        }
    }

    /// Returns true if a reading of an item holds a secret.
    ///
    /// - Parameters:
    ///   - item: The item, or a half of one.
    ///   - holdsSecret: Returns true if a text holds one. The user of a reference `//user@host` is found without it.
    /// - Returns: True if one of the readings does.
    package func isRead(_ item: Substring.UTF8View, where holdsSecret: (_ text: String) -> Bool) -> Bool {
        // Without one of these bytes an item has no URL, name, scheme or tag in it; a token needs none of them.
        let mayHold = item.contains { "=:@%+< ".utf8.contains($0) }
        guard mayHold || item.indices.contains(where: { item[$0...].starts(with: "eyJ".utf8) }) else { return false }
        return readings(of: item).contains { text in
            holdsSecret(text) || text.utf8.starts(with: "//".utf8) && ShownURL.withoutCredentials(text) != text
        }
    }
}

/// Finds secrets by structure, at the first level of encoding: for logs, events, errors and cURL commands.
package struct StructuralFinder: SecretFinder {
    package init() {}

    package func shown(_ text: String, _ rules: RedactionRules, afterJSON: Bool) -> String {
        SecretText.shown(text, rules, afterJSON: afterJSON)
    }

    package func secrets(in text: String, _ rules: RedactionRules) -> [String] { SecretText.secrets(in: text, rules) }

    package func readings(of item: Substring.UTF8View) -> [String] {
        [String(decoding: PercentEncoding.decodedItem(item), as: UTF8.self)]
    }

    package func search(for secrets: [String]) -> SecretSearch { SecretSearch(secrets) }
}
