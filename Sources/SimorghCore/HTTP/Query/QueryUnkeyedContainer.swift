// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The container for the elements of an array: `a[]` for single values, `a[0]` and so on for elements with fields.
struct QueryUnkeyedContainer: UnkeyedEncodingContainer {
    let fields: QueryFields
    private(set) var count = 0
    var codingPath: [any CodingKey] { fields.codingPath }

    init(fields: QueryFields) { self.fields = fields }

    mutating func encodeNil() { count += 1 }

    mutating func encode<Value: Encodable>(_ value: Value) throws { try next().encode(value) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> { next().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { next() }

    /// Returns the encoder for the next element.
    private mutating func next() -> QueryFields {
        defer { count += 1 }
        return fields.child(
            AnyCodingKey(index: count), name: "\(fields.name)[\(count)]", valueName: "\(fields.name)[]")
    }

    mutating func encode(_ value: Bool) throws { try next().write(value) }
    mutating func encode(_ value: String) throws { try next().write(value) }
    mutating func encode(_ value: Double) throws { try next().write(value) }
    mutating func encode(_ value: Float) throws { try next().write(value) }
    mutating func encode(_ value: Int) throws { try next().write(value) }
    mutating func encode(_ value: Int8) throws { try next().write(value) }
    mutating func encode(_ value: Int16) throws { try next().write(value) }
    mutating func encode(_ value: Int32) throws { try next().write(value) }
    mutating func encode(_ value: Int64) throws { try next().write(value) }
    mutating func encode(_ value: UInt) throws { try next().write(value) }
    mutating func encode(_ value: UInt8) throws { try next().write(value) }
    mutating func encode(_ value: UInt16) throws { try next().write(value) }
    mutating func encode(_ value: UInt32) throws { try next().write(value) }
    mutating func encode(_ value: UInt64) throws { try next().write(value) }
}
