// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension AppCache {
    /// Stores a value of the application: `Data` as is, anything else as JSON.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The value's name; it never collides with a URL.
    ///   - level: The tiers to store in. Default: memory and file.
    /// - Throws: The error of encoding the value.
    public func set(_ value: some Encodable & Sendable, for name: String, level: CachingLevel = .memoryAndFile)
        async throws
    {
        var fields = HTTPFields()
        let bytes: Data
        if let data = value as? Data {
            bytes = data
            fields[.contentType] = Self.plainBytes
        } else {
            bytes = try JSONEncoder().encode([value])
        }
        await store(key(name), level: level, status: 200, fields: fields, body: bytes)
    }

    /// The content type that marks a value as bytes instead of JSON.
    private static let plainBytes = "application/octet-stream"

    /// Returns a value that the application stored.
    ///
    /// - Parameters:
    ///   - type: The value's type.
    ///   - name: The value's name.
    ///   - level: The tiers to search. Default: memory and file.
    /// - Returns: The value; `nil` if it is missing, has expired, or has another type.
    public func value<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, for name: String, level: CachingLevel = .memoryAndFile
    ) async -> Value? {
        guard let found = await found(key(name), level: level), !found.isStale else { return nil }
        if found.response.fields[.contentType] == Self.plainBytes { return found.body as? Value }
        return try? JSONDecoder().decode([Value].self, from: found.body).first
    }

    /// Removes a value that the application stored.
    ///
    /// - Parameter name: The value's name.
    public func removeValue(for name: String) async { await remove(key(name)) }

    private func key(_ name: String) -> AppCacheKey {
        guard case .named(let partition) = configuration.partition else {
            return AppCacheKey(.value, partition: "", name: name)
        }
        return AppCacheKey(.value, partition: "n:" + partition, name: name)
    }
}
