// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Finds secrets through escapes of escapes: in JSON inside a JSON string, in a URL inside a URL, up to eight levels deep.
///
/// Only what leaves this machine pays for it, because people send such files to others: HAR files, and the cassettes of
/// SimorghTesting. Logs, events, errors and cURL commands use ``StructuralFinder``.
package struct DeepFinder: SecretFinder {
    package init() {}

    package func shown(_ text: String, _ rules: RedactionRules, afterJSON: Bool) -> String {
        DeepText.shown(SecretText.shown(text, rules, afterJSON: afterJSON), rules, afterJSON: afterJSON)
    }

    /// Returns the text without its secrets, with names of query items other than those of a log.
    ///
    /// - Parameters:
    ///   - text: The text, masked by ``SecretJSON``.
    ///   - rules: The user's own names.
    ///   - isSecretItem: Returns true if the name of a query item tells.
    /// - Returns: The text, its secrets hidden.
    package func shown(
        _ text: String, _ rules: RedactionRules, isSecretItem: @escaping @Sendable (_ name: [UInt8]) -> Bool
    ) -> String {
        let shown = SecretText.shown(text, rules, afterJSON: true, isSecretItem: isSecretItem)
        return DeepText.shown(shown, rules, afterJSON: true, isSecretItem: isSecretItem)
    }

    package func secrets(in text: String, _ rules: RedactionRules) -> [String] {
        SecretText.secrets(in: text, rules) + DeepText.secrets(in: text, rules)
    }

    /// Returns the secrets of a text, with names of query items other than those of a log.
    package func secrets(
        in text: String, _ rules: RedactionRules, isSecretItem: @escaping @Sendable (_ name: [UInt8]) -> Bool
    ) -> [String] {
        SecretText.secrets(in: text, rules, isSecretItem: isSecretItem)
            + DeepText.secrets(in: text, rules, isSecretItem: isSecretItem)
    }

    package func readings(of item: Substring.UTF8View) -> [String] {
        var readings = [String(decoding: PercentEncoding.decodedItem(item), as: UTF8.self)]
        // Deeper escapes are not read.
        while readings.count < 4, let last = readings.last, last.utf8.contains(UInt8(ascii: "%")) {
            let plain = PercentEncoding.decodedText(last)
            guard plain != last else { break }
            readings.append(plain)
        }
        return readings
    }

    package func search(for secrets: [String]) -> SecretSearch { SecretSearch(secrets, reader: DeepEscapes()) }
}
