// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension JSON {
    /// A number, kept exactly where it is an integer of 64 bits, signed or not.
    ///
    /// Equal numbers are equal however they were written: `1` and `1.0`.
    public struct Number: Sendable, Hashable, CustomStringConvertible {
        private enum Storage: Sendable, Hashable {
            case signed(Int64)
            /// Only what `signed` cannot hold.
            case unsigned(UInt64)
            /// Only what neither of the above holds.
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
        /// - Parameter value: The number; one that is not finite is refused when it is sent.
        public init(_ value: Double) {
            if let integer = Int64(exactly: value) {
                storage = .signed(integer)
            } else {
                storage = UInt64(exactly: value).map(Storage.unsigned) ?? .double(value)
            }
        }

        /// The number as an `Int`, if one holds it exactly.
        public var int: Int? {
            switch storage {
            case .signed(let value): Int(exactly: value)
            case .unsigned, .double: nil
            }
        }

        /// The number as a `UInt64`, if one holds it exactly.
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

        /// Whether JSON can write it.
        public var isFinite: Bool { double.isFinite }

        /// The number in digits.
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
    /// Reads a number.
    ///
    /// - Parameter decoder: Where it is read from.
    /// - Throws: `DecodingError` when it is none.
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

    /// Writes the number.
    ///
    /// - Parameter encoder: Where it is written to.
    /// - Throws: ``InvalidRequest`` when it is not finite: JSON has no such number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch storage {
        case .signed(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .double(let value):
            guard value.isFinite else {
                let path = encoder.codingPath.map(\.stringValue).joined(separator: ".")
                throw InvalidRequest(
                    .invalidJSON, "JSON has no number \(value)\(path.isEmpty ? "" : " (at “\(path)”)")")
            }
            try container.encode(value)
        }
    }
}
