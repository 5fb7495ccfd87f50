// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import TestSupport

/// The result of parsing chunks: the records, and the error that ended them.
struct Parsed<Record: Equatable & Sendable>: Equatable, Sendable {
    var records: [Record] = []
    var error: StreamingError?

    /// Feeds a parser like a body's iterator.
    init<Parser: RecordParser>(_ pieces: [Data], _ parser: Parser) where Parser.Record == Record {
        var parser = parser
        do throws(StreamingError) {
            for piece in pieces {
                // A copy, so a read past its end does not see the next chunk.
                let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
                defer { bytes.deallocate() }
                bytes.copyBytes(from: piece)
                var position = 0
                while position < bytes.count {
                    if let record = try parser.next(in: UnsafeRawBufferPointer(bytes), at: &position) {
                        records.append(record)
                    }
                }
            }
            while let record = try parser.finish() { records.append(record) }
        } catch {
            self.error = error
        }
    }
}

/// Ways to split bytes into chunks.
enum Cuts {
    /// In two at each byte, one byte each, with empty chunks in between, and at random positions.
    static func all(of bytes: Data, seed: UInt64 = 1) -> [[Data]] {
        var generator = SeededNumbers(seed)
        let single = bytes.map { Data([$0]) }
        var cuts = [[bytes], single, single.flatMap { [$0, Data()] }]
        cuts += (0...bytes.count).map { [Data(bytes.prefix($0)), Data(bytes.dropFirst($0))] }
        for _ in 0..<30 {
            var pieces: [Data] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let size = Int.random(in: 1...max(1, min(rest.count, 9)), using: &generator)
                pieces.append(Data(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            cuts.append(pieces)
        }
        return cuts
    }
}
