// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The encoder at one position in the model, with its name in the query and its coding path.
struct QueryFields: Encoder {
    let sink: QueryEncoder.Sink
    let name: String
    /// The name for a single value at this position: an element of an array has no number then.
    let valueName: String
    let codingPath: [any CodingKey]
    let depth: Int
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(QueryKeyedContainer<Key>(fields: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if name.isEmpty, sink.failure == nil {
            sink.failure = QueryEncoder.refusal("a list has no name; encode an object", at: codingPath)
        }
        return QueryUnkeyedContainer(fields: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { QuerySingleContainer(fields: self) }

    /// Returns the encoder for a field of the model at this position.
    func child(_ key: any CodingKey) -> QueryFields {
        let name = name.isEmpty ? key.stringValue : "\(name)[\(key.stringValue)]"
        return child(key, name: name, valueName: name)
    }

    func child(_ key: any CodingKey, name: String, valueName: String) -> QueryFields {
        QueryFields(
            sink: sink, name: name, valueName: valueName, codingPath: codingPath + [key], depth: depth)
    }

    func encode(_ value: any Encodable) throws {
        guard depth <= QueryEncoder.maximumDepth else {
            throw QueryEncoder.refusal(
                "it is nested more than \(QueryEncoder.maximumDepth) levels deep", at: codingPath)
        }
        if let text = try ownText(of: value) {
            try write(text)
        } else if let dictionary = value as? any SortedByKey {
            for (key, value) in dictionary.sortedPairs { try deeper.child(AnyCodingKey(key)).encode(value) }
        } else {
            // Encoding another value at the same position counts as one level, too.
            try value.encode(to: deeper)
        }
    }

    private var deeper: QueryFields {
        QueryFields(sink: sink, name: name, valueName: valueName, codingPath: codingPath, depth: depth + 1)
    }

    func write(_ text: String) throws {
        guard !valueName.isEmpty else {
            throw QueryEncoder.refusal("a single value has no name; encode an object", at: codingPath)
        }
        sink.items.append(QueryItem(name: valueName, value: text))
    }

    func write(_ value: Bool) throws { try write(value ? "true" : "false") }

    func write(_ number: some BinaryInteger) throws { try write(number.description) }

    func write(_ number: Double) throws { try write(numberText(number)) }

    func write(_ number: Float) throws { try write(numberText(number)) }

    func numberText<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ number: Number) throws -> String {
        guard number.isFinite else { throw QueryEncoder.refusal("it is not a finite number", at: codingPath) }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private func dateText(_ date: Date) throws -> String {
        let seconds = date.timeIntervalSince1970
        switch sink.options.dates {
        case .secondsSince1970: return try numberText(seconds)
        case .iso8601:
            // A date outside the calendar would be encoded as a different one.
            guard seconds.isFinite else { throw QueryEncoder.refusal("the date is not finite", at: codingPath) }
            return date.ISO8601Format()
        case .millisecondsSince1970:
            guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else {
                throw QueryEncoder.refusal("the date is out of range in milliseconds", at: codingPath)
            }
            return String(milliseconds)
        }
    }

    /// Returns the text of a value that is a single field, regardless of its own encoding.
    private func ownText(of value: any Encodable) throws -> String? {
        switch value {
        case let value as String: return value
        case let value as URL: return value.absoluteString
        case let value as Data: return value.base64EncodedString()
        case let value as Decimal:
            guard !value.isNaN else { throw QueryEncoder.refusal("it is not a number", at: codingPath) }
            return value.description
        case let value as Date: return try dateText(value)
        default: return nil
        }
    }
}

/// A dictionary whose keys can be names, sorted by key.
private protocol SortedByKey {
    var sortedPairs: [(key: String, value: any Encodable)] { get }
}

extension Dictionary: SortedByKey where Key: CodingKeyRepresentable, Value: Encodable {
    fileprivate var sortedPairs: [(key: String, value: any Encodable)] {
        map { (key: $0.key.codingKey.stringValue, value: $0.value as any Encodable) }.sorted { $0.key < $1.key }
    }
}

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
