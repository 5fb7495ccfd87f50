// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

/// The value of a field that continues on further lines (obs-fold): each line break is replaced by a space, as a user
/// agent must (RFC 9112, section 5.2).
///
/// The bytes are converted once, at the end, so that many short lines cost no more than one long line.
struct FoldedValue: Sendable {
    private var bytes: [UInt8]?

    /// Returns true if a line continues the previous field.
    static func isContinuation(_ line: UnsafeRawBufferPointer) -> Bool {
        line.count > 0 && line[0].isBlank
    }

    /// Appends a line to a field.
    ///
    /// - Parameters:
    ///   - line: The line, which begins with whitespace.
    ///   - field: The field from its first line.
    mutating func add(_ line: UnsafeRawBufferPointer, to field: HTTPField) {
        let part = line.trimmingBlanks
        var joined = bytes.take() ?? field.withUnsafeBytesOfValue { Array($0) }
        if !part.isEmpty {
            joined.append(UInt8(ascii: " "))
            joined.append(contentsOf: part)
        }
        bytes = joined
    }

    /// Returns the complete field, and resets this value.
    ///
    /// - Parameter name: The name of the field.
    /// - Returns: The field; `nil` if no line was added.
    /// - Throws: ``ResponseParser/Fault`` for an invalid field value.
    mutating func take(_ name: HTTPField.Name) throws(ResponseParser.ParseError) -> HTTPField? {
        guard let bytes = bytes.take() else { return nil }
        do {
            return try bytes.withUnsafeBytes { try ResponseHeadReader.field(name, value: $0) }
        } catch let fault as ResponseParser.ParseError {
            throw fault
        } catch {
            throw .malformed("\(error)")
        }
    }
}
