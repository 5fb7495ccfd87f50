// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import FoundationEssentials

/// Turns an `Encodable` model into the items of a query or a form, in the order in which it encodes itself.
///
/// A model in a model is `a[b]`, a list `a[]`, and a list of models `a[0][b]`, because only the number says which
/// values belong together. What is `nil` is left out; a dictionary comes sorted by its keys.
package struct QueryEncoder: Sendable {
    /// How many models may stand in one another; more is an error and not the end of the stack.
    package static let maximumDepth = 32

    package var options: QueryEncoding

    package init(options: QueryEncoding = QueryEncoding()) { self.options = options }

    /// The items of a model.
    ///
    /// - Parameter value: The model, which encodes as an object.
    /// - Returns: The items, as plain text.
    /// - Throws: ``InvalidRequest`` with the path to what cannot be encoded.
    package func encode(_ value: any Encodable) throws(InvalidRequest) -> [QueryItem] {
        let sink = QuerySink(options: options)
        do {
            try QueryFields(sink: sink, name: "", valueName: "", codingPath: [], depth: 0).encode(value)
        } catch let error as InvalidRequest {
            throw error
        } catch EncodingError.invalidValue(_, let context) {
            throw Self.refusal(context.debugDescription, at: context.codingPath)
        } catch {
            throw InvalidRequest(.encodingFailed, "the model could not be encoded: \(error)")
        }
        if let failure = sink.failure { throw failure }
        return sink.items
    }

    static func refusal(_ message: String, at path: [any CodingKey]) -> InvalidRequest {
        let place = path.isEmpty ? "the model" : "“\(path.map(\.stringValue).joined(separator: "."))”"
        return InvalidRequest(.encodingFailed, "\(place) cannot be a field of a query or a form: \(message)")
    }
}

/// Where the items of one encoding gather; it never leaves the call that made it.
final class QuerySink {
    let options: QueryEncoding
    var items: [QueryItem] = []
    /// The first fault in a place that cannot throw.
    var failure: InvalidRequest?

    init(options: QueryEncoding) { self.options = options }
}

/// A dictionary whose keys can be names, in their order.
private protocol SortedByKey {
    var sortedPairs: [(key: String, value: any Encodable)] { get }
}

extension Dictionary: SortedByKey where Key: CodingKeyRepresentable, Value: Encodable {
    fileprivate var sortedPairs: [(key: String, value: any Encodable)] {
        map { (key: $0.key.codingKey.stringValue, value: $0.value as any Encodable) }.sorted { $0.key < $1.key }
    }
}

/// The encoder at one place of the model: its name in the query, and the path that led there.
struct QueryFields: Encoder {
    let sink: QuerySink
    let name: String
    /// The name of a single value here: an element of a list has no number then.
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

    /// The encoder of a field of the model here.
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
        if let text = try text(of: value) {
            try write(text)
        } else if let dictionary = value as? any SortedByKey {
            for (key, value) in dictionary.sortedPairs { try child(QueryKey(key)).encode(value) }
        } else {
            // A value that hands itself on to another in the same place goes one level deeper too.
            try value.encode(
                to: QueryFields(
                    sink: sink, name: name, valueName: valueName, codingPath: codingPath, depth: depth + 1))
        }
    }

    func write(_ text: String) throws {
        guard !valueName.isEmpty else {
            throw QueryEncoder.refusal("a single value has no name; encode an object", at: codingPath)
        }
        sink.items.append(QueryItem(name: valueName, value: text))
    }

    func write(_ value: Bool) throws { try write(value ? "true" : "false") }

    func write(_ number: some BinaryInteger) throws { try write(number.description) }

    func write(_ number: Double) throws { try write(text(of: number)) }

    func write(_ number: Float) throws { try write(text(of: number)) }

    func text<Number: BinaryFloatingPoint & LosslessStringConvertible>(of number: Number) throws -> String {
        guard number.isFinite else { throw QueryEncoder.refusal("it is not a finite number", at: codingPath) }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private func text(of date: Date) throws -> String {
        let seconds = date.timeIntervalSince1970
        switch sink.options.dates {
        case .secondsSince1970: return try text(of: seconds)
        case .iso8601:
            // What has no calendar date would come out as another one.
            guard seconds.isFinite else { throw QueryEncoder.refusal("it is no point in time", at: codingPath) }
            return date.ISO8601Format()
        case .millisecondsSince1970:
            guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else {
                throw QueryEncoder.refusal("it is no point in time that milliseconds can tell", at: codingPath)
            }
            return String(milliseconds)
        }
    }

    /// The text of a value that is one field, whatever its own encoding would make of it.
    private func text(of value: any Encodable) throws -> String? {
        switch value {
        case let value as String: return value
        case let value as URL: return value.absoluteString
        case let value as Data: return value.base64EncodedString()
        case let value as Decimal:
            guard !value.isNaN else { throw QueryEncoder.refusal("it is not a number", at: codingPath) }
            return value.description
        case let value as Date: return try text(of: value)
        default: return nil
        }
    }
}

/// A key made of a name or a number.
struct QueryKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) { (stringValue, intValue) = (name, nil) }

    init(index: Int) { (stringValue, intValue) = (String(index), index) }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { self.init(index: intValue) }
}
