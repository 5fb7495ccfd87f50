// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

/// Writes a request's head as HTTP/1.1 has it; what it is given has passed ``RequestRules``.
struct HeadWriter {
    private let space: UnsafeMutableRawBufferPointer
    /// How many bytes were written.
    private(set) var count = 0

    /// Writes into memory that has room for all that is to come; see ``room(_:_:_:_:_:)``.
    init(_ space: UnsafeMutableRawBufferPointer) { self.space = space }

    /// The most bytes that a head may take, whichever fields the engine adds.
    static func room(
        _ method: String, _ authority: String, _ host: String, _ path: String, _ fields: HTTPFields
    ) -> Int {
        var room = 256 + method.utf8.count + path.utf8.count + authority.utf8.count + host.utf8.count
        for index in fields.indices {
            room += fields[index].name.rawName.utf8.count + fields[index].withUnsafeBytesOfValue { $0.count } + 8
        }
        return room
    }

    /// The first line, and the `Host` field.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - authority: The host, with its port where it is written.
    ///   - path: The path and the query.
    ///   - host: The value of the `Host` field.
    ///   - isWhole: Whether the line has the whole URL, as a proxy wants it.
    mutating func writeRequestLine(
        _ method: String, _ authority: String, _ path: String, host: String, isWhole: Bool
    ) {
        write(method)
        write(" ")
        if isWhole {
            write("http://")
            write(authority)
        }
        write(path.isEmpty ? "/" : path)
        write(" HTTP/1.1\r\nHost: ")
        write(host)
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
        text.withBytes { append($0) }
    }

    @inline(__always)
    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        // Only a mistake in ``room(_:_:_:_:_:)`` could make this trap, and never write past the memory.
        UnsafeMutableRawBufferPointer(rebasing: space[count...]).copyMemory(from: bytes)
        count += bytes.count
    }
}
