// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A value before and after its change.
struct ValueChange {
    let old: JSON
    let new: JSON
    /// The changed value in the format of the resource.
    let bytes: Data
    let contentType: String
    private let exactOld: ExactJSON
    private let exactNew: ExactJSON

    init<Value: Codable>(
        from old: Value, to new: Value, codec: BodyCodec, as type: String?, encoder: JSONEncoder
    ) throws {
        let oldBytes = try RequestBody.json(of: old, with: encoder)
        let newBytes = try RequestBody.json(of: new, with: encoder)
        // These also limit the depth.
        self.old = try JSON(parsing: oldBytes)
        self.new = try JSON(parsing: newBytes)
        exactOld = try JSONDecoder().decode(ExactJSON.self, from: oldBytes)
        exactNew = try JSONDecoder().decode(ExactJSON.self, from: newBytes)
        contentType = type ?? codec.mediaTypes[0]
        bytes = codec.isJSON ? newBytes : try codec.encode(new, as: contentType, json: encoder)
    }

    /// True if the values differ in more than the order of members.
    var isChange: Bool { exactOld != exactNew }

    /// True if the difference of `old` and `new` is the whole change: ``SimorghCore/JSON`` rounds numbers to a `Double`
    /// beyond 64-bit integers, and compares texts without regard to their Unicode normalization.
    var isExactInJSON: Bool { exactNew.differsInJSON(from: exactOld) }
}

/// JSON that is compared by all digits of its numbers, and by the bytes of its texts.
private enum ExactJSON: Equatable, Decodable {
    case null
    case bool(Bool)
    case text([UInt8])
    case number(Number)
    case array([ExactJSON])
    case object([[UInt8]: ExactJSON])

    struct Number: Equatable {
        let double: Double
        /// All digits, up to 38; `nil` for a number that `Decimal` cannot store, such as 1e300.
        let decimal: Decimal?
        /// True if ``SimorghCore/JSON/Number`` stores the number with all digits.
        let isExact: Bool
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: AnyCodingKey.self) {
            var members: [[UInt8]: ExactJSON] = [:]
            for key in container.allKeys {
                members[Array(key.stringValue.utf8)] = try container.decode(ExactJSON.self, forKey: key)
            }
            self = .object(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [ExactJSON] = []
            while !container.isAtEnd { elements.append(try container.decode(ExactJSON.self)) }
            self = .array(elements)
        } else {
            self = try Self.scalar(in: try decoder.singleValueContainer())
        }
    }

    private static func scalar(in container: any SingleValueDecodingContainer) throws -> ExactJSON {
        if container.decodeNil() { return .null }
        if let text = try? container.decode(String.self) { return .text(Array(text.utf8)) }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        let double = try container.decode(Double.self)
        let decimal = try? container.decode(Decimal.self)
        // The same order as in `JSON.Number`, to which 1.00000000000000000001 is an integer, too.
        let stored: Decimal? =
            if let value = try? container.decode(Int64.self) {
                Decimal(exactly: value)
            } else if let value = try? container.decode(UInt64.self) {
                Decimal(exactly: value)
            } else {
                // The JSON of a `Double` is its shortest decimal.
                try? JSONDecoder().decode(Decimal.self, from: Data("\(double)".utf8))
            }
        return .number(Number(double: double, decimal: decimal, isExact: decimal == nil || decimal == stored))
    }

    /// Returns true if a patch that is computed from the JSON of both has the whole difference.
    func differsInJSON(from old: ExactJSON) -> Bool {
        if self == old { return true }
        switch (old, self) {
        case (.object(let before), .object(let after)):
            let names = Set(before.keys.map { String(decoding: $0, as: UTF8.self) })
            return after.allSatisfy { name, value in
                if let earlier = before[name] { return value.differsInJSON(from: earlier) }
                // The same name in another normalization would not be seen as a new one.
                return value.isExact && !names.contains(String(decoding: name, as: UTF8.self))
            }
        case (.array, .array):
            // A patch may compare any two elements.
            let all = old.texts.union(texts)
            return old.isExact && isExact && Set(all.map { String(decoding: $0, as: UTF8.self) }).count == all.count
        case (.text(let before), .text(let after)):
            return String(decoding: before, as: UTF8.self) != String(decoding: after, as: UTF8.self)
        case (.number(let before), .number(let after)):
            return after.isExact && (before.isExact || before.double != after.double)
        default: return isExact
        }
    }

    /// True if JSON stores all numbers with all digits.
    private var isExact: Bool {
        switch self {
        case .number(let number): number.isExact
        case .array(let elements): elements.allSatisfy(\.isExact)
        case .object(let members): members.values.allSatisfy(\.isExact)
        default: true
        }
    }

    /// All texts and names.
    private var texts: Set<[UInt8]> {
        switch self {
        case .text(let text): [text]
        case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.texts) }
        case .object(let members): members.reduce(into: Set(members.keys)) { $0.formUnion($1.value.texts) }
        default: []
        }
    }
}
