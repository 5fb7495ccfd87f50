// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An element of a small XML document, for formats that use neither attributes nor namespaces.
///
/// The reader accepts no document type declaration, so a document can define no entity and refer to no other resource.
package struct PlainXMLElement: Sendable, Hashable {
    /// The name without its prefix.
    package let name: String
    /// The elements in it, in order.
    package private(set) var children: [PlainXMLElement] = []
    /// The text in it, without the text of its elements.
    package private(set) var text = ""

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - document: The document, in UTF-8.
    ///   - maximumDepth: The deepest nesting of elements.
    ///   - maximumElements: The largest number of elements.
    /// - Returns: The root element; `nil` if the document is malformed, exceeds a limit, or has a document type
    ///   declaration or an entity that XML does not define itself.
    package static func parse(
        _ document: String, maximumDepth: Int = 32, maximumElements: Int = 4096
    ) -> PlainXMLElement? {
        var reader = PlainXMLReader(
            bytes: Array(document.utf8), maximumDepth: maximumDepth, elementsLeft: maximumElements)
        return reader.document()
    }

    fileprivate init(name: String) { self.name = name }

    fileprivate mutating func append(_ child: PlainXMLElement) { children.append(child) }

    fileprivate mutating func append(_ bytes: [UInt8]) { text += String(decoding: bytes, as: UTF8.self) }
}

/// The reader of a document, which keeps the open elements in a stack instead of recursing.
private struct PlainXMLReader {
    let bytes: [UInt8]
    let maximumDepth: Int
    var elementsLeft: Int
    private var position = 0
    private var open: [(tag: ArraySlice<UInt8>, element: PlainXMLElement)] = []
    private var root: PlainXMLElement?

    init(bytes: [UInt8], maximumDepth: Int, elementsLeft: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.elementsLeft = elementsLeft
    }

    mutating func document() -> PlainXMLElement? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        while position < bytes.count {
            guard step() else { return nil }
        }
        return open.isEmpty ? root : nil
    }

    /// Reads the next piece of markup or text; returns false if it is malformed.
    private mutating func step() -> Bool {
        if bytes[position] != UInt8(ascii: "<") { return readText() }
        if skip("<!--") { return take(before: "-->") != nil }
        if skip("<?") { return take(before: "?>") != nil }
        if skip("<![CDATA[") {
            guard let content = take(before: "]]>"), !open.isEmpty else { return false }
            open[open.count - 1].element.append(Array(content))
            return true
        }
        if skip("</") { return close() }
        // Everything else that begins with an exclamation mark is a declaration.
        guard skip("<"), bytes.indices.contains(position), bytes[position] != UInt8(ascii: "!") else { return false }
        return begin()
    }

    private mutating func begin() -> Bool {
        guard let tag = tag() else { return false }
        let isEmpty = tag.last == UInt8(ascii: "/")
        let name = tag.prefix { !$0.isXMLBlank && $0 != UInt8(ascii: "/") }
        elementsLeft -= 1
        guard !name.isEmpty, !name.contains(where: "=\"'<&".utf8.contains), elementsLeft >= 0,
            open.count < maximumDepth, root == nil
        else { return false }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[name.index(after: $0)...] } ?? name
        let element = PlainXMLElement(name: String(decoding: local, as: UTF8.self))
        if isEmpty { end(element) } else { open.append((name, element)) }
        return true
    }

    private mutating func close() -> Bool {
        guard let tag = take(before: ">"), let last = open.popLast(),
            tag.elementsEqual(last.tag, trailing: \.isXMLBlank)
        else { return false }
        end(last.element)
        return true
    }

    private mutating func end(_ element: PlainXMLElement) {
        if open.isEmpty { root = element } else { open[open.count - 1].element.append(element) }
    }

    /// Returns the content of a start tag, whose attributes may contain `>`.
    private mutating func tag() -> ArraySlice<UInt8>? {
        var quote: UInt8?
        for index in position..<bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<") { return nil }
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                defer { position = index + 1 }
                return bytes[position..<index]
            } else if "\"'".utf8.contains(byte) {
                quote = byte
            }
        }
        return nil
    }

    private mutating func readText() -> Bool {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        let raw = bytes[position..<end]
        position = end
        guard !open.isEmpty else { return raw.allSatisfy(\.isXMLBlank) }
        guard let text = Self.unescaped(raw) else { return false }
        open[open.count - 1].element.append(text)
        return true
    }

    /// Returns a text with the entities that XML defines, and references to characters, replaced.
    private static func unescaped(_ raw: ArraySlice<UInt8>) -> [UInt8]? {
        guard raw.contains(UInt8(ascii: "&")) else { return Array(raw) }
        var text: [UInt8] = []
        var rest = raw
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&") else {
                text.append(byte)
                continue
            }
            // The longest is a code point with leading zeros.
            guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(String(decoding: rest[..<end], as: UTF8.self))
            else { return nil }
            text.append(contentsOf: Character(scalar).utf8)
            rest = rest[(end + 1)...]
        }
        return text
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let isHex = name.hasPrefix("#x")
            let digits = name.dropFirst(isHex ? 2 : 1)
            guard name.hasPrefix("#"), let first = digits.first, first != "+", first != "-",
                let code = UInt32(digits, radix: isHex ? 16 : 10), code > 0
            else { return nil }
            return Unicode.Scalar(code)
        }
    }

    private mutating func skip(_ mark: StaticString) -> Bool {
        let mark = UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
        guard bytes[position...].starts(with: mark) else { return false }
        position += mark.count
        return true
    }

    /// Returns the bytes before a mark, and continues after it; `nil` if the mark does not occur.
    private mutating func take(before mark: String) -> ArraySlice<UInt8>? {
        let mark = Array(mark.utf8)
        var end = position
        while end + mark.count <= bytes.count {
            if bytes[end..<end + mark.count].elementsEqual(mark) {
                defer { position = end + mark.count }
                return bytes[position..<end]
            }
            end += 1
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// Returns true if the bytes are equal to others, apart from blanks at the end.
    fileprivate func elementsEqual(_ other: ArraySlice<UInt8>, trailing isBlank: (UInt8) -> Bool) -> Bool {
        starts(with: other) && dropFirst(other.count).allSatisfy(isBlank)
    }
}

extension UInt8 {
    fileprivate var isXMLBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
