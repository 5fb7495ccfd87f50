// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghCore
package import SimorghSupport

/// Joins the bodies of pages: JSON arrays into one array, all other bodies one after the other.
package struct PageJoin: Sendable {
    private enum Mode {
        case start
        /// The array is open.
        case array(isEmpty: Bool)
        case bodies(last: UInt8?)
    }

    private var mode = Mode.start
    private var number = 0

    package init() {}

    /// Returns the bytes to write for the next page.
    ///
    /// - Parameters:
    ///   - body: The body of the page.
    ///   - contentType: The media type of the page.
    /// - Returns: The bytes.
    /// - Throws: ``CommandError`` if the page is not an array, but the first one was.
    package mutating func add(_ body: Data, contentType: String?) throws(CommandError) -> Data {
        number += 1
        let isJSON = BodyPrinter.isJSON(contentType)
        let elements = isJSON ? Self.elements(of: body) : nil
        switch mode {
        case .start:
            guard let elements else {
                mode = .bodies(last: body.last)
                return body
            }
            mode = .array(isEmpty: elements.isEmpty)
            return Data("[".utf8) + elements
        case .array(let isEmpty):
            guard let elements else {
                throw CommandError(
                    .brokenResponse, message: "page \(number) is not a JSON array, as the first page is")
            }
            mode = .array(isEmpty: isEmpty && elements.isEmpty)
            return isEmpty || elements.isEmpty ? elements : Data(",".utf8) + elements
        case .bodies(let last):
            mode = .bodies(last: body.last ?? last)
            let needsBreak = isJSON && !body.isEmpty && last != nil && last != UInt8(ascii: "\n")
            return needsBreak ? Data("\n".utf8) + body : body
        }
    }

    /// Returns the bytes to write after the last page.
    ///
    /// - Returns: The bytes.
    package func end() -> Data {
        if case .array = mode { Data("]\n".utf8) } else { Data() }
    }

    /// Returns the text between the brackets of an array; `nil` for another body.
    private static func elements(of body: Data) -> Data? {
        func isBlank(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }
        func trimmed(_ bytes: Data) -> Data {
            var bytes = bytes.drop(while: isBlank)
            while let last = bytes.last, isBlank(last) { bytes = bytes.dropLast() }
            return bytes
        }
        let text = trimmed(body)
        guard text.count > 1, text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") else { return nil }
        return trimmed(text.dropFirst().dropLast())
    }
}
#endif
