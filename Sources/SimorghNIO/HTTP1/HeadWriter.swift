// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

/// Writes a request's head and looks at each byte as it does, so that nobody's field can end its line or begin another.
struct HeadWriter {
    private let space: UnsafeMutableRawBufferPointer
    /// How many bytes were written.
    private(set) var count = 0

    /// Writes into memory that has room for all that is to come; see ``room(for:)``.
    init(_ space: UnsafeMutableRawBufferPointer) { self.space = space }

    /// The most bytes that a head may take, whichever fields the engine adds.
    static func room(for head: HTTPRequest) -> Int {
        var room =
            256 + head.method.rawValue.utf8.count + (head.path?.utf8.count ?? 0)
            + 2 * (head.authority?.utf8.count ?? 0)
        for field in head.headerFields {
            room += field.name.rawName.utf8.count + field.withUnsafeBytesOfValue { $0.count } + 8
        }
        return room
    }

    /// The first line, and the `Host` field.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - isWhole: Whether the line has the whole URL, as a proxy wants it.
    /// - Throws: What cannot be written.
    mutating func writeRequestLine(_ head: HTTPRequest, isWhole: Bool = false) throws(TransportError) {
        guard write(head.method.rawValue, where: Self.isToken), count > 0 else {
            throw .invalid(.invalidMethod, "the method is not a token")
        }
        write(" ")
        let path = head.path ?? "/"
        if isWhole {
            write("http://")
            guard path != "*", write(head.authority ?? "", where: Self.isTarget) else {
                throw .invalid(.invalidURL, "the URL's host is not valid, or OPTIONS * is asked of a proxy")
            }
        }
        let start = count
        guard write(path.isEmpty ? "/" : path, where: Self.isTarget),
            space[start] == UInt8(ascii: "/") || path == "*"
        else { throw .invalid(.invalidURL, "the URL's path or query holds what has to be escaped") }
        write(" HTTP/1.1\r\nHost: ")
        guard write(head.authority ?? "", where: Self.isTarget) else {
            throw .invalid(.invalidURL, "the URL's host is not valid")
        }
        write("\r\n")
    }

    mutating func write(_ field: HTTPField) throws(TransportError) {
        let start = count
        guard write(field.name.rawName, where: Self.isToken), count > start else {
            throw .invalid(.invalidHeader, "the name of the field \(Self.printable(field.name.rawName)) is not a token")
        }
        write(": ")
        let isClean = field.withUnsafeBytesOfValue { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            append(bytes)
            return HeaderRules.isValue(bytes)
                || bytes.allSatisfy { $0 != 0 && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        }
        guard isClean else {
            throw .invalid(.invalidHeader, "the value of the field \(field.name.rawName) holds CR, LF or NUL")
        }
        write("\r\n")
    }

    mutating func writeContentLength(_ length: Int64) {
        write("Content-Length: ")
        var text = String(length)
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
        write("\r\n")
    }

    mutating func write(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes text if each of its bytes passes.
    @inline(__always)
    private mutating func write(_ text: String, where isAllowed: (UInt8) -> Bool) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            append(UnsafeRawBufferPointer(bytes))
            for byte in bytes where !isAllowed(byte) { return false }
            return true
        }
    }

    @inline(__always)
    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        // Only a mistake in ``room(for:)`` could make this trap, and never write past the memory.
        UnsafeMutableRawBufferPointer(rebasing: space[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    private static func printable(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.value > 0x20 && $0.value < 0x7F ? Character($0) : "?" })
    }

    /// What a method or a field's name may hold (RFC 9110, section 5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "!"), UInt8(ascii: "."),
            0x23...0x27, UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "^"), UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// What a path, a query or a host may hold: visible ASCII, but what begins a fragment.
    private static func isTarget(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#") }
}
