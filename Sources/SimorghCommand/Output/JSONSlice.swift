// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
package import SimorghSupport

/// Cuts values out of JSON documents without decoding them: numbers, names and their order stay as the server sent them.
package enum JSONSlice {
    /// Returns the text of a value in a document.
    ///
    /// If a member occurs more than once, the first one counts, as it does for `JSONDecoder`.
    ///
    /// - Parameters:
    ///   - document: The document, in UTF-8.
    ///   - path: The names of members and the indexes of elements, from the outside in; empty for the whole document.
    /// - Returns: The text of the value, on one line; `nil` if the document is not valid JSON, or has no such value.
    package static func text(in document: Data, at path: [String]) -> String? {
        guard let text = String(validating: document, as: UTF8.self), PrettyJSON.isJSON(text) else { return nil }
        let bytes = Array(text.utf8)
        guard let range = range(in: bytes, at: path) else { return nil }
        return String(decoding: onOneLine(bytes[range]), as: UTF8.self)
    }

    /// Returns the place of a value in a valid document.
    private static func range(in bytes: [UInt8], at path: [String]) -> Range<Int>? {
        bytes.withUnsafeBytes { bytes in
            var place = afterSpace(bytes, 0)
            for component in path {
                guard let next = child(component, in: bytes, at: place) else { return nil }
                place = next
            }
            return place..<end(in: bytes, at: place)
        }
    }

    /// Returns where a member or an element of a value begins.
    private static func child(_ component: String, in bytes: UnsafeRawBufferPointer, at start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        let isObject = bytes[start] == UInt8(ascii: "{")
        guard isObject || bytes[start] == UInt8(ascii: "[") else { return nil }
        let index = isObject ? nil : Int(component)
        if !isObject, index == nil { return nil }
        var position = 0
        var place = afterSpace(bytes, start + 1)
        while place < bytes.count, bytes[place] != UInt8(ascii: "}"), bytes[place] != UInt8(ascii: "]") {
            var isWanted = index == position
            if isObject {
                let nameEnd = end(in: bytes, at: place)
                isWanted = name(bytes[place..<nameEnd]) == component
                place = afterSpace(bytes, afterSpace(bytes, nameEnd) + 1)
            }
            if isWanted { return place }
            place = afterSpace(bytes, end(in: bytes, at: place))
            if place < bytes.count, bytes[place] == UInt8(ascii: ",") { place = afterSpace(bytes, place + 1) }
            position += 1
        }
        return nil
    }

    /// Returns what a name in its quotes says.
    private static func name(_ quoted: Slice<UnsafeRawBufferPointer>) -> String? {
        guard quoted.contains(UInt8(ascii: "\\")) else {
            return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: Data(quoted))
    }

    private static func end(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
        var text = JSONText()
        return text.end(in: bytes, start..<bytes.count) ?? bytes.count
    }

    private static func afterSpace(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var place = start
        while place < bytes.count, JSONText.isSpace(bytes[place]) { place += 1 }
        return place
    }

    /// Returns a value as it is, or without the white space between its parts if that breaks lines.
    private static func onOneLine(_ value: ArraySlice<UInt8>) -> [UInt8] {
        // A text of JSON holds no raw line break: one that occurs stands between two parts.
        guard value.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return Array(value) }
        var line: [UInt8] = []
        line.reserveCapacity(value.count)
        var isInText = false
        var isEscaped = false
        for byte in value {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
            } else if JSONText.isSpace(byte) {
                continue
            } else if byte == UInt8(ascii: "\"") {
                isInText = true
            }
            line.append(byte)
        }
        return line
    }
}
#endif
