// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The parser of the value of one `Link` field (RFC 8288, appendix B).
struct LinkParser {
    private let bytes: [UInt8]
    private let maximumParameters: Int
    private var position = 0

    init(_ bytes: [UInt8], maximumParameters: Int) {
        self.bytes = bytes
        self.maximumParameters = maximumParameters
    }

    /// Returns the next link; `nil` at the end, or at a malformed link, which ends the field (appendix B.2).
    mutating func next() -> (target: String, parameters: [WebLink.Parameter])? {
        // Lists may have empty elements (RFC 9110, section 5.6.1.2).
        skip { $0.isBlank || $0 == UInt8(ascii: ",") }
        guard take("<") else { return nil }
        let target = take { $0 != UInt8(ascii: ">") }
        guard take(">") else { return nil }
        var parameters: [WebLink.Parameter] = []
        while let parameter = parameter() {
            if parameters.count < maximumParameters, let parameter = parameter.value { parameters.append(parameter) }
            skip(\.isBlank)
            if peek == UInt8(ascii: ",") { break }
        }
        if let byte = peek, byte != UInt8(ascii: ",") {
            // Text that is neither a parameter nor the next link.
            position = bytes.count
        }
        return (Self.text(ofTarget: target), parameters)
    }

    /// A parameter that was read; the value is `nil` if it is malformed.
    private struct Read { var value: WebLink.Parameter? }

    /// Reads a parameter (appendix B.3); `nil` if none follows.
    private mutating func parameter() -> Read? {
        skip(\.isBlank)
        guard take(";") else { return nil }
        skip(\.isBlank)
        let name = String(decoding: take { !$0.isBlank && !"=;,".utf8.contains($0) }, as: UTF8.self).lowercased()
        skip(\.isBlank)
        var value: [UInt8] = []
        if take("=") {
            skip(\.isBlank)
            if take("\"") {
                value = quoted()
            } else {
                value = Array(take { !";,".utf8.contains($0) })
                while value.last?.isBlank == true { value.removeLast() }
            }
        }
        // A semicolon without a parameter after it.
        guard !name.isEmpty else { return Read(value: nil) }
        guard name.utf8.last == UInt8(ascii: "*") else {
            return Read(value: WebLink.Parameter(name: name, value: String(decoding: value, as: UTF8.self)))
        }
        return Read(value: ExtendedValue.decoded(value).map { WebLink.Parameter(name: name, value: $0) })
    }

    /// Returns the content of a quoted string, whose opening quote was read (appendix B.4).
    private mutating func quoted() -> [UInt8] {
        var content: [UInt8] = []
        while position < bytes.count {
            var byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                guard position < bytes.count else { break }
                byte = bytes[position]
                position += 1
            }
            content.append(byte)
        }
        return content
    }

    /// Returns a target as text; bytes that are not UTF-8 are percent-encoded, so that they reach the server unchanged.
    private static func text(ofTarget bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return bytes.reduce(into: "") { text, byte in
            if byte < 0x80 {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + Hex.encoded([byte])
            }
        }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, isTaken(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while position < bytes.count, isSkipped(bytes[position]) { position += 1 }
    }
}
