// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Configuration
import Configuration
import SimorghSupport

/// Reads values of a snapshot, and throws an error for text that has another form.
///
/// swift-configuration returns `nil` for a value that it cannot convert. A typing error in an environment variable must
/// not become a default, so such a value is read as text, too.
struct SettingsReader {
    let snapshot: ConfigSnapshotReader

    /// Returns a text; `nil` if it is not set.
    func text(_ key: String, isSecret: Bool = false) -> String? {
        snapshot.string(forKey: ConfigKey(key), isSecret: isSecret)
    }

    /// Returns a list of texts; `nil` if it is not set.
    func texts(_ key: String, isSecret: Bool = false) -> [String]? {
        snapshot.stringArray(forKey: ConfigKey(key), isSecret: isSecret)
    }

    /// Returns a number of zero or more; `nil` if it is not set.
    func number(_ key: String) throws(ClientConfigurationError) -> Int? {
        guard let value = snapshot.int(forKey: ConfigKey(key)) else {
            try rejectText(key, "is not a whole number")
            return nil
        }
        guard value >= 0 else { throw ClientConfigurationError(key: key, message: "\(value) is negative") }
        return value
    }

    /// Returns a number of milliseconds; `nil` if it is not set.
    func duration(_ key: String) throws(ClientConfigurationError) -> Duration? {
        try number(key).map { .milliseconds($0) }
    }

    /// Returns a Boolean value; `nil` if it is not set.
    func flag(_ key: String) throws(ClientConfigurationError) -> Bool? {
        guard let value = snapshot.bool(forKey: ConfigKey(key)) else {
            try rejectText(key, "is neither true nor false")
            return nil
        }
        return value
    }

    /// Returns the value of a name; `nil` if it is not set.
    func choice<Value>(_ key: String, of values: [(name: String, value: Value)]) throws(ClientConfigurationError)
        -> Value?
    {
        guard let name = text(key) else { return nil }
        guard let known = values.first(where: { $0.name == name }) else {
            let names = values.map(\.name).joined(separator: ", ")
            throw ClientConfigurationError(key: key, message: "\"\(name)\" is not one of: \(names)")
        }
        return known.value
    }

    private func rejectText(_ key: String, _ reason: String) throws(ClientConfigurationError) {
        guard let text = text(key) else { return }
        throw ClientConfigurationError(key: key, message: "\"\(text)\" \(reason)")
    }
}
#endif
