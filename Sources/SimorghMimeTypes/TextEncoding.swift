// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A character encoding of text, as named by `charset` (WHATWG Encoding): UTF-8, UTF-16, or a single-byte encoding.
///
/// Shift_JIS, GBK, Big5, EUC and similar encodings are not supported: their tables have thousands of characters.
package struct TextEncoding: Sendable, Hashable {
    /// The name in the standard, in lowercase.
    package let name: String

    /// Creates the encoding of a label; `nil` if the label is unknown.
    ///
    /// - Parameter label: A name such as `latin1`, in any case; surrounding spaces are ignored.
    package init?(label: String) {
        let label = label.split { $0 == " " || $0 == "\t" }.joined(separator: " ").lowercased()
        let known = Self.labels.first { $0.labels.split(separator: " ").contains(Substring(label)) }
        guard let known else { return nil }
        name = known.encoding
    }

    private init(name: String) { self.name = name }

    /// UTF-8.
    package static let utf8 = TextEncoding(name: "utf-8")

    /// Decodes text.
    ///
    /// A byte order mark at the beginning determines the encoding, regardless of the label.
    ///
    /// - Parameter bytes: The text.
    /// - Returns: The text without its byte order mark.
    /// - Throws: ``UndecodableError`` at the first bytes that do not encode a character.
    package func decode(_ bytes: some Collection<UInt8>) throws(UndecodableError) -> String {
        switch Array(bytes.prefix(3)) {
        case [0xEF, 0xBB, 0xBF]: try Self.utf8(bytes.dropFirst(3))
        case let mark where mark.starts(with: [0xFE, 0xFF]): try Self.utf16(bytes.dropFirst(2), isBigEndian: true)
        case let mark where mark.starts(with: [0xFF, 0xFE]): try Self.utf16(bytes.dropFirst(2), isBigEndian: false)
        default:
            switch name {
            case "utf-8": try Self.utf8(bytes)
            case "utf-16be": try Self.utf16(bytes, isBigEndian: true)
            case "utf-16le": try Self.utf16(bytes, isBigEndian: false)
            default: try singleByte(bytes)
            }
        }
    }

    /// An error for text that is not valid in its encoding.
    package struct UndecodableError: Error, Sendable, Hashable {
        /// The name of the encoding.
        package let encoding: String
        /// The offset of the first byte that cannot be decoded, not counting the byte order mark.
        package let offset: Int
    }

    private static func utf8(_ bytes: some Collection<UInt8>) throws(UndecodableError) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += scalar.count }
        throw UndecodableError(encoding: "utf-8", offset: offset)
    }

    private static func utf16(_ bytes: some Collection<UInt8>, isBigEndian: Bool) throws(UndecodableError) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var first: UInt16?
        for byte in bytes {
            guard let before = first.take() else {
                first = UInt16(byte)
                continue
            }
            units.append(isBigEndian ? before << 8 | UInt16(byte) : UInt16(byte) << 8 | before)
        }
        if first == nil, let text = String(validating: units, as: UTF16.self) { return text }
        var parser = Unicode.UTF16.ForwardParser()
        var iterator = units.makeIterator()
        var offset = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += 2 * scalar.count }
        throw UndecodableError(encoding: isBigEndian ? "utf-16be" : "utf-16le", offset: offset)
    }

    private func singleByte(_ bytes: some Collection<UInt8>) throws(UndecodableError) -> String {
        let upper = Self.scalars(of: Self.characters[name] ?? "")
        var scalars = String.UnicodeScalarView()
        scalars.reserveCapacity(bytes.count)
        for (offset, byte) in bytes.enumerated() {
            if byte < 0x80 {
                scalars.append(Unicode.Scalar(byte))
            } else if upper.indices.contains(Int(byte) - 0x80), let scalar = upper[Int(byte) - 0x80] {
                scalars.append(scalar)
            } else {
                throw UndecodableError(encoding: name, offset: offset)
            }
        }
        return String(scalars)
    }

    /// Expands a row of ``characters``.
    private static func scalars(of row: String) -> [Unicode.Scalar?] {
        row.split(separator: " ").flatMap { entry -> [Unicode.Scalar?] in
            let ends = entry.split(separator: "-").map { UInt32($0, radix: 16) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil else { return [nil] }
            return (first...last).map { Unicode.Scalar($0) }
        }
    }
}

extension TextEncoding.UndecodableError: CustomStringConvertible {
    package var description: String { "The text is not valid \(encoding) from byte \(offset) on." }
}
