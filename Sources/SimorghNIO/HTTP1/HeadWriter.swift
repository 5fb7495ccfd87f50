// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

/// Writes a request's head as HTTP/1.1 has it; what it is given has passed ``RequestRules``.
struct HeadWriter {
    private let space: UnsafeMutableRawBufferPointer
    /// How many bytes were written.
    private(set) var count = 0

    /// Writes into memory that has room for all that is to come; see ``room(for:_:)``.
    init(_ space: UnsafeMutableRawBufferPointer) { self.space = space }

    /// The most bytes that a head may take, whichever fields the engine adds.
    static func room(for head: HTTPRequest, _ fields: HTTPFields) -> Int {
        var room =
            256 + head.method.rawValue.utf8.count + (head.path?.utf8.count ?? 0)
            + 2 * (head.authority?.utf8.count ?? 0)
        for index in fields.indices {
            room += fields[index].name.rawName.utf8.count + fields[index].withUnsafeBytesOfValue { $0.count } + 8
        }
        return room
    }

    /// The first line, and the `Host` field.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - isWhole: Whether the line has the whole URL, as a proxy wants it.
    mutating func writeRequestLine(_ head: HTTPRequest, isWhole: Bool = false) {
        write(head.method.rawValue)
        write(" ")
        let authority = head.authority ?? ""
        if isWhole {
            write("http://")
            write(authority)
        }
        let path = head.path ?? "/"
        write(path.isEmpty ? "/" : path)
        write(" HTTP/1.1\r\nHost: ")
        write(authority)
        write("\r\n")
    }

    mutating func write(_ field: HTTPField) {
        write(field.name.rawName)
        write(": ")
        field.withUnsafeBytesOfValue { append(UnsafeRawBufferPointer($0)) }
        write("\r\n")
    }

    /// A field of the engine's own.
    mutating func write(_ name: StaticString, _ value: String) {
        write(name)
        write(value)
        write("\r\n")
    }

    /// A field of the engine's own that is always the same.
    mutating func write(_ name: StaticString, _ value: StaticString) {
        write(name)
        write(value)
        write("\r\n")
    }

    mutating func write(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    private mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    @inline(__always)
    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        // Only a mistake in ``room(for:_:)`` could make this trap, and never write past the memory.
        UnsafeMutableRawBufferPointer(rebasing: space[count...]).copyMemory(from: bytes)
        count += bytes.count
    }
}
