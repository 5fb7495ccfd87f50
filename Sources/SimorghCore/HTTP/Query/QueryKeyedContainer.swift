// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The container for the fields of a model.
struct QueryKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let fields: QueryFields
    var codingPath: [any CodingKey] { fields.codingPath }

    func encodeNil(forKey key: Key) {}

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try fields.child(key).encode(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { fields.child(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        fields.child(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { fields.child(AnyCodingKey("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { fields.child(key) }

    func encode(_ value: Bool, forKey key: Key) throws { try fields.child(key).write(value) }
    func encode(_ value: String, forKey key: Key) throws { try fields.child(key).write(value) }
    func encode(_ value: Double, forKey key: Key) throws { try fields.child(key).write(value) }
    func encode(_ value: Float, forKey key: Key) throws { try fields.child(key).write(value) }
    func encode(_ value: Int, forKey key: Key) throws { try fields.child(key).write(value) }
    func encode(_ value: Int8, forKey key: Key) throws { try fields.child(key).write(value) }
    func encode(_ value: Int16, forKey key: Key) throws { try fields.child(key).write(value) }
    func encode(_ value: Int32, forKey key: Key) throws { try fields.child(key).write(value) }
    func encode(_ value: Int64, forKey key: Key) throws { try fields.child(key).write(value) }
    func encode(_ value: UInt, forKey key: Key) throws { try fields.child(key).write(value) }
    func encode(_ value: UInt8, forKey key: Key) throws { try fields.child(key).write(value) }
    func encode(_ value: UInt16, forKey key: Key) throws { try fields.child(key).write(value) }
    func encode(_ value: UInt32, forKey key: Key) throws { try fields.child(key).write(value) }
    func encode(_ value: UInt64, forKey key: Key) throws { try fields.child(key).write(value) }
}
