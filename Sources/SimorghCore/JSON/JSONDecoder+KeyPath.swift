// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension JSONDecoder {
    /// Decodes the value at a key path.
    ///
    /// The path is passed as a configuration, because the decoder itself may be in use on other threads.
    ///
    /// - Parameters:
    ///   - type: The value's type.
    ///   - data: JSON.
    ///   - keyPath: The path to the value, without the names of the value's own members.
    /// - Returns: The value.
    /// - Throws: ``InvalidKeyPathError`` if the path does not exist, else `DecodingError`.
    package func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, at keyPath: DecodableKeyPath
    ) throws -> Value {
        try decode(ValueAtKeyPath<Value>.self, from: data, configuration: keyPath).value
    }
}

/// The value at the end of a key path.
private struct ValueAtKeyPath<Value: Decodable>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration keyPath: DecodableKeyPath) throws {
        var current = decoder
        for (index, component) in keyPath.components.enumerated() {
            guard let next = try Self.child(component, of: current) else {
                throw InvalidKeyPathError(keyPath: keyPath, foundComponents: index)
            }
            current = next
        }
        // Decoded through a container, so that the decoder's strategies for dates and data apply to the value itself,
        // too.
        value = try current.singleValueContainer().decode(Value.self)
    }

    private static func child(_ component: String, of current: any Decoder) throws -> (any Decoder)? {
        if let object = try? current.container(keyedBy: AnyCodingKey.self) {
            let names = [component, camelCased(component)]
            guard let name = names.first(where: { object.contains(AnyCodingKey($0)) }) else { return nil }
            return try object.superDecoder(forKey: AnyCodingKey(name))
        }
        guard let index = Int(component), index >= 0, var list = try? current.unkeyedContainer(),
            index < list.count ?? 0
        else { return nil }
        for _ in 0..<index { _ = try list.superDecoder() }
        return try list.superDecoder()
    }

    /// Converts a name like `convertFromSnakeCase`: under that strategy the document's own name is not found.
    private static func camelCased(_ name: String) -> String {
        let words = name.split(separator: "_")
        guard let first = words.first, words.count > 1 else { return name }
        return words.dropFirst().reduce(String(first)) { $0 + $1.prefix(1).uppercased() + $1.dropFirst().lowercased() }
    }
}
