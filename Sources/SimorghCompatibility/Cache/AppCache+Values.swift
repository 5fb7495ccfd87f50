// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension AppCache {
    /// Keeps a value of the application's own: `Data` as it is, anything else as JSON.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: Its name; names of values and URLs never meet.
    ///   - level: Where it is kept; in memory and in a file by default.
    /// - Throws: What encoding the value throws.
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
        await keep(key(name), level, status: 200, fields: fields, body: bytes)
    }

    /// Says of a value that it is bytes, and no JSON.
    private static let plainBytes = "application/octet-stream"

    /// A value of the application's own.
    ///
    /// - Parameters:
    ///   - type: Its type.
    ///   - name: Its name.
    ///   - level: Where it is looked for; in memory and in a file by default.
    /// - Returns: The value; `nil` where none is kept, or it is of another type.
    public func value<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, for name: String, level: CachingLevel = .memoryAndFile
    ) async -> Value? {
        guard let found = await found(key(name), level), !found.isStale else { return nil }
        if found.response.fields[.contentType] == Self.plainBytes { return found.body as? Value }
        return try? JSONDecoder().decode([Value].self, from: found.body).first
    }

    /// Forgets a value of the application's own.
    ///
    /// - Parameter name: Its name.
    public func removeValue(for name: String) async { await remove(key(name)) }

    private func key(_ name: String) -> AppCacheKey {
        guard case .named(let partition) = configuration.partition else {
            return AppCacheKey(.value, partition: "", name: name)
        }
        return AppCacheKey(.value, partition: "n:" + partition, name: name)
    }
}
