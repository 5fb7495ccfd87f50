// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore

/// Writes a request's head and looks at each byte as it does, so that nobody's field can end its line or begin another.
struct HeadWriter {
    var buffer: ByteBuffer

    init(capacity: Int) { buffer = ByteBufferAllocator().buffer(capacity: capacity) }

    /// The first line, and the `Host` field.
    mutating func writeRequestLine(_ head: HTTPRequest) throws(TransportError) {
        guard write(head.method.rawValue, where: Self.isToken), buffer.writerIndex > 0 else {
            throw .invalid(.invalidMethod, "the method is not a token")
        }
        buffer.writeInteger(UInt8(ascii: " "))
        let path = head.path ?? "/"
        let start = buffer.writerIndex
        guard write(path.isEmpty ? "/" : path, where: Self.isTarget),
            buffer.getInteger(at: start) == UInt8(ascii: "/") || path == "*"
        else { throw .invalid(.invalidURL, "the URL's path or query holds what has to be escaped") }
        buffer.writeStaticString(" HTTP/1.1\r\nHost: ")
        guard write(head.authority ?? "", where: Self.isTarget) else {
            throw .invalid(.invalidURL, "the URL's host is not valid")
        }
        buffer.writeStaticString("\r\n")
    }

    mutating func write(_ field: HTTPField) throws(TransportError) {
        let start = buffer.writerIndex
        guard write(field.name.rawName, where: Self.isToken), buffer.writerIndex > start else {
            throw .invalid(.invalidHeader, "the name of the field \(Self.printable(field.name.rawName)) is not a token")
        }
        buffer.writeStaticString(": ")
        let isClean = field.withUnsafeBytesOfValue { bytes in
            buffer.writeBytes(bytes)
            return bytes.allSatisfy { $0 != 0 && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        }
        guard isClean else {
            throw .invalid(.invalidHeader, "the value of the field \(field.name.rawName) holds CR, LF or NUL")
        }
        buffer.writeStaticString("\r\n")
    }

    mutating func writeContentLength(_ length: Int64) {
        buffer.writeStaticString("Content-Length: ")
        buffer.writeString(String(length))
        buffer.writeStaticString("\r\n")
    }

    /// Writes text if each of its bytes passes.
    @inline(__always)
    private mutating func write(_ text: String, where isAllowed: (UInt8) -> Bool) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            buffer.writeBytes(bytes)
            for byte in bytes where !isAllowed(byte) { return false }
            return true
        }
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
