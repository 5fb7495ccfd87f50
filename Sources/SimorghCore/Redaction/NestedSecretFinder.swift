// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A finder that decodes nested escapes: JSON in a JSON string, a URL in a URL, up to eight levels deep.
///
/// It is slower and used only for files that users share: HAR files, and the cassettes of SimorghTesting. Logs, events,
/// errors and cURL commands use ``StructuralSecretFinder``.
package struct NestedSecretFinder: SecretFinder {
    package init() {}

    package func shown(_ text: String, by rules: RedactionRules, afterJSON: Bool) -> String {
        NestedTextRedactor.shown(
            TextRedactor.shown(text, by: rules, afterJSON: afterJSON), by: rules, afterJSON: afterJSON)
    }

    /// Returns the redacted text, with another rule for the names of query items than the log's.
    ///
    /// - Parameters:
    ///   - text: The text, already redacted by ``JSONRedactor``.
    ///   - rules: The user's own names.
    ///   - isSecretItem: Returns true if the name of a query item is sensitive.
    /// - Returns: The redacted text.
    package func shown(
        _ text: String, by rules: RedactionRules, isSecretItem: @escaping @Sendable (_ name: [UInt8]) -> Bool
    ) -> String {
        let shown = TextRedactor.shown(text, by: rules, afterJSON: true, isSecretItem: isSecretItem)
        return NestedTextRedactor.shown(shown, by: rules, afterJSON: true, isSecretItem: isSecretItem)
    }

    package func secrets(in text: String, by rules: RedactionRules) -> [String] {
        TextRedactor.secrets(in: text, by: rules) + NestedTextRedactor.secrets(in: text, by: rules)
    }

    /// Returns the secrets of a text, with another rule for the names of query items than the log's.
    package func secrets(
        in text: String, by rules: RedactionRules, isSecretItem: @escaping @Sendable (_ name: [UInt8]) -> Bool
    ) -> [String] {
        TextRedactor.secrets(in: text, by: rules, isSecretItem: isSecretItem)
            + NestedTextRedactor.secrets(in: text, by: rules, isSecretItem: isSecretItem)
    }

    package func readings(of item: Substring.UTF8View) -> [String] {
        var readings = [String(decoding: PercentEncoding.decodedItem(item), as: UTF8.self)]
        // Deeper escapes are not decoded.
        while readings.count < 4, let last = readings.last, last.utf8.contains(UInt8(ascii: "%")) {
            let plain = PercentEncoding.decodedText(last)
            guard plain != last else { break }
            readings.append(plain)
        }
        return readings
    }

    package func search(for secrets: [String]) -> SecretSearch { SecretSearch(secrets, reader: NestedEscapeReader()) }
}
