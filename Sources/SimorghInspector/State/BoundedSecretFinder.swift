// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport
import Synchronization

/// A finder for one exchange of a file, which limits the time of the searches for its secrets.
///
/// A search compares each secret with the text at each position. The secrets of a program need a few comparisons for each
/// byte of the text. Long, repetitive secrets and texts, which a file from a stranger can have, would need hours. The
/// comparisons are therefore counted before the search, and it is left out if they are too many.
package final class BoundedSecretFinder: SecretFinder {
    private struct State {
        var left: Int
        var counted: Set<String> = []
        var isComplete = true
    }

    private let finder = StructuralSecretFinder()
    private let text: [UInt8]
    private let state: Mutex<State>

    /// Creates a finder.
    ///
    /// - Parameters:
    ///   - texts: The texts in which the secrets are searched for.
    ///   - comparisons: The largest number of compared bytes.
    package init(searching texts: [String], upTo comparisons: Int) {
        text = Array(texts.joined(separator: "\n").utf8)
        state = Mutex(State(left: comparisons))
    }

    /// The number of bytes that can still be compared.
    package var left: Int { state.withLock { $0.left } }

    /// False if secrets are not searched for.
    package var isComplete: Bool { state.withLock { $0.isComplete } }

    package func shown(_ text: String, by rules: RedactionRules, afterJSON: Bool) -> String {
        finder.shown(text, by: rules, afterJSON: afterJSON)
    }

    package func secrets(in text: String, by rules: RedactionRules) -> [String] { finder.secrets(in: text, by: rules) }

    package func readings(of item: Substring.UTF8View) -> [String] { finder.readings(of: item) }

    package func search(for secrets: [String]) -> SecretSearch {
        let chosen = state.withLock { state -> [String] in
            let counted = state.counted
            let new = secrets.filter { !counted.contains($0) }
            guard !new.isEmpty else { return secrets }
            guard let count = Self.comparisons(of: new, in: text, upTo: state.left) else {
                state.left = 0
                state.isComplete = false
                return secrets.filter { counted.contains($0) }
            }
            state.left -= count
            state.counted.formUnion(new)
            return secrets
        }
        return finder.search(for: chosen)
    }

    /// Returns the number of bytes that a search compares; `nil` if it is larger than a limit.
    private static func comparisons(of secrets: [String], in text: [UInt8], upTo limit: Int) -> Int? {
        let (search, escapes) = (SecretSearch(secrets), SecretSearch.SingleEscapes())
        var count = 0
        for position in text.indices {
            for secret in search.candidates(at: position, in: text) {
                // A search compares the bytes as they are, and with escapes decoded.
                var end = position
                while end < text.count, end - position < secret.count, text[end] == secret[end - position] { end += 1 }
                count += end - position
                count += escapes.commonEnd(of: secret, at: position, in: text).end - position
                guard count <= limit else { return nil }
            }
        }
        return count
    }
}
