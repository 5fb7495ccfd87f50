// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A location in JSON at which the text is not valid Unicode; decoders report only that the data is not valid.
enum JSONTextFault: Equatable {
    /// A byte that is not valid in UTF-8.
    case byte(UInt8, offset: Int)
    /// An escape for one half of a surrogate pair without the other.
    case surrogate(UInt16, offset: Int)

    /// A description for the end of a sentence about the data.
    var description: String {
        switch self {
        case .byte(let byte, let offset):
            "byte 0x\(String(byte, radix: 16, uppercase: true)) at offset \(offset) is not valid UTF-8"
        case .surrogate(let unit, let offset):
            "\\u\(String(unit, radix: 16)) at offset \(offset) is half of a surrogate pair"
        }
    }

    /// Finds the first fault, in linear time.
    ///
    /// - Parameter data: JSON.
    /// - Returns: The fault; `nil` if the text is valid, or is in UTF-16 or UTF-32 (RFC 4627, section 3).
    static func first(in data: Data) -> JSONTextFault? {
        let start = data.prefix(4)
        guard !start.contains(0), !start.starts(with: [0xFF, 0xFE]), !start.starts(with: [0xFE, 0xFF]) else {
            return nil
        }
        let bytes = Array(data)
        return invalidByte(in: bytes) ?? loneSurrogate(in: bytes)
    }

    private static func invalidByte(in bytes: [UInt8]) -> JSONTextFault? {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .error: return .byte(bytes[offset], offset: offset)
            case .emptyInput: return nil
            }
        }
    }

    private static func loneSurrogate(in bytes: [UInt8]) -> JSONTextFault? {
        var index = 0
        while index + 1 < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            guard let unit = escapedUnit(at: index, in: bytes) else {
                index += 2
                continue
            }
            if UTF16.isTrailSurrogate(unit) { return .surrogate(unit, offset: index) }
            if UTF16.isLeadSurrogate(unit) {
                guard let other = escapedUnit(at: index + 6, in: bytes), UTF16.isTrailSurrogate(other) else {
                    return .surrogate(unit, offset: index)
                }
                index += 6
            }
            index += 6
        }
        return nil
    }

    /// Returns the code unit of the `\u` escape at an offset; `nil` if there is no such escape.
    private static func escapedUnit(at index: Int, in bytes: [UInt8]) -> UInt16? {
        guard bytes[index...].starts(with: #"\u"#.utf8) else { return nil }
        return EscapeSequence.number(ofDigits: 4, at: index + 2, in: bytes).map { UInt16($0) }
    }
}

extension DecodingError {
    /// Returns the error with the fault of the text in its description, if the decoder reports only corrupted data.
    ///
    /// - Parameter data: The data that could not be decoded.
    /// - Returns: The error.
    package func explained(by data: Data) -> DecodingError {
        guard case .dataCorrupted(let context) = self, context.codingPath.isEmpty,
            let fault = JSONTextFault.first(in: data)?.description, !context.debugDescription.contains(fault)
        else { return self }
        let summary =
            context.debugDescription.hasSuffix(".")
            ? context.debugDescription.dropLast() : context.debugDescription[...]
        return .dataCorrupted(
            Context(
                codingPath: context.codingPath, debugDescription: "\(summary): \(fault).",
                underlyingError: context.underlyingError))
    }
}
