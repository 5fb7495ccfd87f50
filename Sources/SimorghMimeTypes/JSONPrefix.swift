// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Looks whether bytes are JSON as far as they go, without keeping any of it.
struct JSONPrefix {
    enum Outcome: Equatable {
        /// No JSON begins like this.
        case broken
        /// Right so far; the value goes on after the last byte.
        case cut
        /// A whole value, which ends before this index.
        case whole(end: Int)
    }

    private enum Stop: Error { case broken, cut }

    private static let deepest = 128

    private let bytes: ArraySlice<UInt8>
    private var index: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    mutating func scan() -> Outcome {
        do throws(Stop) {
            try value(0)
            return .whole(end: index)
        } catch {
            return error == .cut ? .cut : .broken
        }
    }

    private mutating func next() throws(Stop) -> UInt8 {
        guard index < bytes.endIndex else { throw .cut }
        defer { index += 1 }
        return bytes[index]
    }

    private mutating func skipBlanks() throws(Stop) -> UInt8 {
        while index < bytes.endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
        guard index < bytes.endIndex else { throw .cut }
        return bytes[index]
    }

    private mutating func value(_ depth: Int) throws(Stop) {
        guard depth < Self.deepest else { throw .broken }
        switch try skipBlanks() {
        case UInt8(ascii: "{"): try members(depth, end: UInt8(ascii: "}"), areNamed: true)
        case UInt8(ascii: "["): try members(depth, end: UInt8(ascii: "]"), areNamed: false)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): number()
        default: throw .broken
        }
    }

    private mutating func members(_ depth: Int, end: UInt8, areNamed: Bool) throws(Stop) {
        index += 1
        if try skipBlanks() == end {
            index += 1
            return
        }
        while true {
            if areNamed {
                guard try skipBlanks() == UInt8(ascii: "\"") else { throw .broken }
                try string()
                guard try skipBlanks() == UInt8(ascii: ":") else { throw .broken }
                index += 1
            }
            try value(depth + 1)
            let mark = try skipBlanks()
            index += 1
            if mark == end { return }
            guard mark == UInt8(ascii: ",") else { throw .broken }
        }
    }

    private mutating func string() throws(Stop) {
        index += 1
        while true {
            switch try next() {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): _ = try next()
            case 0..<0x20: throw .broken
            default: break
            }
        }
    }

    private mutating func word(_ word: StaticString) throws(Stop) {
        for offset in 0..<word.utf8CodeUnitCount where try next() != word.utf8Start[offset] { throw .broken }
    }

    private mutating func number() {
        while index < bytes.endIndex, "+-.eE0123456789".utf8.contains(bytes[index]) { index += 1 }
    }
}
