// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Configuration
import Configuration
import SimorghSupport

/// Reads values of a snapshot, and throws an error for a value that has another type or form.
///
/// swift-configuration returns `nil` for a value that it cannot convert. A typing error must not become a default, so
/// such a value is looked for in the other types, too. Errors never contain the value, which may be a secret.
final class SettingsReader {
    private let snapshot: ConfigSnapshotReader
    /// The settings that have a value: the first components of their keys.
    private(set) var settings: Set<String> = []
    /// The groups of keys that were checked for a value of their own.
    private var groups: Set<String> = []

    init(snapshot: ConfigSnapshotReader) { self.snapshot = snapshot }

    /// Returns a text; `nil` if it is not set.
    func text(_ key: String, isSecret: Bool = false) throws(ClientConfigurationError) -> String? {
        let text = snapshot.string(forKey: ConfigKey(key), isSecret: isSecret)
        return try found(text, forKey: key, as: "a text", isSecret: isSecret)
    }

    /// Returns a list of texts; `nil` if it is not set.
    func texts(_ key: String, isSecret: Bool = false) throws(ClientConfigurationError) -> [String]? {
        let texts = snapshot.stringArray(forKey: ConfigKey(key), isSecret: isSecret)
        return try found(texts, forKey: key, as: "a list of texts", isSecret: isSecret)
    }

    /// Returns a number of zero or more; `nil` if it is not set.
    func number(_ key: String) throws(ClientConfigurationError) -> Int? {
        let number = snapshot.int(forKey: ConfigKey(key))
        guard let value = try found(number, forKey: key, as: "a whole number") else { return nil }
        guard value >= 0 else { throw ClientConfigurationError(key: key, message: "the value is negative") }
        return value
    }

    /// Returns a number of one or more; `nil` if it is not set.
    func positiveNumber(_ key: String) throws(ClientConfigurationError) -> Int? {
        let number = try number(key)
        guard number != 0 else { throw ClientConfigurationError(key: key, message: "the value is zero") }
        return number
    }

    /// Returns a number of milliseconds; `nil` if it is not set.
    func duration(_ key: String) throws(ClientConfigurationError) -> Duration? {
        try number(key).map { .milliseconds($0) }
    }

    /// Returns a Boolean value; `nil` if it is not set.
    func flag(_ key: String) throws(ClientConfigurationError) -> Bool? {
        try found(snapshot.bool(forKey: ConfigKey(key)), forKey: key, as: "true or false")
    }

    /// Returns the value of a name; `nil` if it is not set.
    func choice<Value>(_ key: String, of values: [(name: String, value: Value)]) throws(ClientConfigurationError)
        -> Value?
    {
        guard let name = try text(key) else { return nil }
        guard let known = values.first(where: { $0.name == name }) else {
            let names = values.map(\.name).joined(separator: ", ")
            throw ClientConfigurationError(key: key, message: "the value is not one of: \(names)")
        }
        return known.value
    }

    /// Returns a value, and notes that its setting has one.
    ///
    /// - Throws: ``ClientConfigurationError`` if there is no value of this type, and one of another type.
    private func found<Value>(
        _ value: Value?, forKey key: String, as type: String, isSecret: Bool = false
    ) throws(ClientConfigurationError) -> Value? {
        try checkGroup(of: key)
        guard let value else {
            guard !hasValue(key: ConfigKey(key), isSecret: isSecret) else {
                throw ClientConfigurationError(key: key, message: "the value is not \(type)")
            }
            return nil
        }
        settings.insert(String(key.prefix { $0 != "." }))
        return value
    }

    /// Throws an error if the group of a key has a value of its own, which nothing would read.
    ///
    /// The group `proxy` may have one: with the scope `http` it is the environment variable `HTTP_PROXY`, which programs
    /// know in another sense.
    private func checkGroup(of key: String) throws(ClientConfigurationError) {
        let group = String(key.prefix { $0 != "." })
        guard group != key, group != "proxy", groups.insert(group).inserted else { return }
        guard !hasValue(key: ConfigKey(group), isSecret: group == "authentication") else {
            throw ClientConfigurationError(key: group, message: "the value is not a group of keys")
        }
    }

    /// Returns true if a key has a value of any type.
    private func hasValue(key: ConfigKey, isSecret: Bool) -> Bool {
        snapshot.string(forKey: key, isSecret: isSecret) != nil
            || snapshot.double(forKey: key, isSecret: isSecret) != nil
            || snapshot.int(forKey: key, isSecret: isSecret) != nil
            || snapshot.bool(forKey: key, isSecret: isSecret) != nil
            || snapshot.bytes(forKey: key, isSecret: isSecret) != nil
            || snapshot.stringArray(forKey: key, isSecret: isSecret) != nil
            || snapshot.doubleArray(forKey: key, isSecret: isSecret) != nil
            || snapshot.intArray(forKey: key, isSecret: isSecret) != nil
            || snapshot.boolArray(forKey: key, isSecret: isSecret) != nil
            || snapshot.byteChunkArray(forKey: key, isSecret: isSecret) != nil
    }
}
#endif
