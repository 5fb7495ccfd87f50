// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// Writes a request's head for HTTP/1.1; its inputs have passed ``RequestRules``.
package struct RequestHeadWriter {
    private let space: UnsafeMutableRawBufferPointer
    /// The number of bytes written.
    package private(set) var count = 0

    /// Creates a writer into memory that is large enough for the whole head.
    ///
    /// - Parameter space: The memory; ``capacity(method:authority:host:path:fields:)`` returns the necessary size.
    package init(_ space: UnsafeMutableRawBufferPointer) { self.space = space }

    /// Returns the maximum size of a head in bytes, whatever fields the engine adds.
    package static func capacity(
        method: String, authority: String, host: String, path: String, fields: HTTPFields
    ) -> Int {
        var room = 256 + method.utf8.count + path.utf8.count + authority.utf8.count + host.utf8.count
        for index in fields.indices {
            room += fields[index].name.rawName.utf8.count + fields[index].withUnsafeBytesOfValue { $0.count } + 8
        }
        return room
    }

    /// Writes the request line and the `Host` field.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - authority: The host, with its port if it has one.
    ///   - path: The path and the query.
    ///   - host: The value of the `Host` field.
    ///   - usesAbsoluteForm: True if the request line has the absolute URL, as a proxy requires.
    package mutating func writeRequestLine(
        _ method: String, authority: String, path: String, host: String, usesAbsoluteForm: Bool
    ) {
        write(method)
        write(" ")
        if usesAbsoluteForm {
            write("http://")
            write(authority)
        }
        write(path.isEmpty ? "/" : path)
        write(" HTTP/1.1\r\nHost: ")
        write(host)
        write("\r\n")
    }

    package mutating func write(_ field: HTTPField) {
        write(field.name.rawName)
        write(": ")
        field.withUnsafeBytesOfValue { append(UnsafeRawBufferPointer($0)) }
        write("\r\n")
    }

    /// Writes a header field of the engine.
    package mutating func write(_ name: StaticString, value: String) {
        write(name)
        write(value)
        write("\r\n")
    }

    /// Writes a header field of the engine with a constant value.
    package mutating func write(_ name: StaticString, value: StaticString) {
        write(name)
        write(value)
        write("\r\n")
    }

    package mutating func write(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    private mutating func write(_ text: String) {
        text.withBytes { append($0) }
    }

    @inline(__always)
    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        // A mistake in ``capacity(method:authority:host:path:fields:)`` would trap here, and never write past the
        // memory.
        UnsafeMutableRawBufferPointer(rebasing: space[count...]).copyMemory(from: bytes)
        count += bytes.count
    }
}
