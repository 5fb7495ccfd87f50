// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension JSON {
    /// A number, stored exactly if it is a signed or unsigned 64-bit integer.
    ///
    /// Equal numbers are equal regardless of their notation: `1` and `1.0`.
    public struct Number: Sendable, Hashable, CustomStringConvertible {
        private enum Storage: Sendable, Hashable {
            case signed(Int64)
            /// A value that `signed` cannot store.
            case unsigned(UInt64)
            /// A value that neither of the other cases can store.
            case double(Double)
        }

        private let storage: Storage

        /// Creates a number.
        ///
        /// - Parameter value: The number.
        public init(_ value: Int64) { storage = .signed(value) }

        /// Creates a number.
        ///
        /// - Parameter value: The number.
        public init(_ value: UInt64) {
            storage = Int64(exactly: value).map(Storage.signed) ?? .unsigned(value)
        }

        /// Creates a number.
        ///
        /// - Parameter value: The number; if it is not finite, encoding it fails.
        public init(_ value: Double) {
            if let integer = Int64(exactly: value) {
                storage = .signed(integer)
            } else {
                storage = UInt64(exactly: value).map(Storage.unsigned) ?? .double(value)
            }
        }

        /// The number as an `Int`, if an `Int` can represent it exactly.
        public var int: Int? {
            switch storage {
            case .signed(let value): Int(exactly: value)
            case .unsigned, .double: nil
            }
        }

        /// The number as a `UInt64`, if a `UInt64` can represent it exactly.
        public var uint64: UInt64? {
            switch storage {
            case .signed(let value): UInt64(exactly: value)
            case .unsigned(let value): value
            case .double: nil
            }
        }

        /// The number as a `Double`; an integer beyond 2^53 is rounded.
        public var double: Double {
            switch storage {
            case .signed(let value): Double(value)
            case .unsigned(let value): Double(value)
            case .double(let value): value
            }
        }

        /// A Boolean value that indicates whether the number is finite, so that JSON can represent it.
        public var isFinite: Bool { double.isFinite }

        /// The number in decimal digits.
        public var description: String {
            switch storage {
            case .signed(let value): value.description
            case .unsigned(let value): value.description
            case .double(let value): value.description
            }
        }
    }
}

extension JSON.Number: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates a number.
    ///
    /// - Parameter value: The number.
    public init(integerLiteral value: Int64) { self.init(value) }

    /// Creates a number.
    ///
    /// - Parameter value: The number.
    public init(floatLiteral value: Double) { self.init(value) }
}

extension JSON.Number: Codable {
    /// Decodes a number.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the value is not a number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Int64.self) {
            self.init(value)
        } else if let value = try? container.decode(UInt64.self) {
            self.init(value)
        } else {
            self.init(try container.decode(Double.self))
        }
    }

    /// Encodes the number.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: ``InvalidRequestError`` if the number is not finite, because JSON cannot represent it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch storage {
        case .signed(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .double(let value):
            guard value.isFinite else {
                let path = encoder.codingPath.map(\.stringValue).joined(separator: ".")
                throw InvalidRequestError(
                    .invalidJSON,
                    message: "JSON cannot represent the number \(value)\(path.isEmpty ? "" : " (at “\(path)”)")")
            }
            try container.encode(value)
        }
    }
}
