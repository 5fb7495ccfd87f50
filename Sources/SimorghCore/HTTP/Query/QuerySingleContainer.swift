// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The container for a single value instead of a model's fields.
struct QuerySingleContainer: SingleValueEncodingContainer {
    let fields: QueryFields
    var codingPath: [any CodingKey] { fields.codingPath }

    func encodeNil() {}

    func encode<Value: Encodable>(_ value: Value) throws { try fields.encode(value) }

    func encode(_ value: Bool) throws { try fields.write(value) }
    func encode(_ value: String) throws { try fields.write(value) }
    func encode(_ value: Double) throws { try fields.write(value) }
    func encode(_ value: Float) throws { try fields.write(value) }
    func encode(_ value: Int) throws { try fields.write(value) }
    func encode(_ value: Int8) throws { try fields.write(value) }
    func encode(_ value: Int16) throws { try fields.write(value) }
    func encode(_ value: Int32) throws { try fields.write(value) }
    func encode(_ value: Int64) throws { try fields.write(value) }
    func encode(_ value: UInt) throws { try fields.write(value) }
    func encode(_ value: UInt8) throws { try fields.write(value) }
    func encode(_ value: UInt16) throws { try fields.write(value) }
    func encode(_ value: UInt32) throws { try fields.write(value) }
    func encode(_ value: UInt64) throws { try fields.write(value) }
}
