// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// How records lie in a file: its mark, and then for each a length, a checksum and the record as JSON.
///
/// Records are only ever appended, so what a crash leaves is a good beginning and perhaps a damaged tail.
package enum JournalCoding {
    /// What the file begins with, so that a stranger's is not read.
    package static let mark = Array("SIMDLJ1\n".utf8)
    /// The longest record: none of ours comes near.
    static let longest = 4 * 1024 * 1024

    /// What was read of a file.
    package struct Reading: Sendable {
        /// The records up to the first that is damaged.
        package let records: [JournalRecord]
        /// How many bytes of the file are good.
        package let length: Int
        /// Whether something behind them is not.
        package let isDamaged: Bool
    }

    /// A record as it stands in the file.
    ///
    /// - Parameter record: The record.
    /// - Returns: Its bytes.
    /// - Throws: What the encoder throws, which it does for no record of ours.
    package static func bytes(of record: JournalRecord) throws -> [UInt8] {
        let payload = [UInt8](try JSONEncoder().encode(record))
        return word(UInt32(payload.count)) + word(CRC32.of(payload)) + payload
    }

    /// Records as a whole file.
    package static func file(of records: [JournalRecord]) throws -> [UInt8] {
        try records.reduce(into: mark) { $0 += try bytes(of: $1) }
    }

    /// Reads a file.
    ///
    /// - Parameter file: Its bytes.
    /// - Returns: The good records; `nil` where it is no journal.
    package static func read(_ file: [UInt8]) -> Reading? {
        guard file.starts(with: mark) else { return nil }
        let decoder = JSONDecoder()
        var records: [JournalRecord] = []
        var position = mark.count
        while let length = word(in: file, at: position), let sum = word(in: file, at: position + 4) {
            let start = position + 8
            // No record is empty; zeros are what a power cut leaves of bytes that did not reach the disk.
            guard length > 0, length <= longest, Int(length) <= file.count - start else { break }
            let payload = file[start..<start + Int(length)]
            guard CRC32.of(payload) == sum else { break }
            // What is whole and not understood is of a later release, which said more than this one knows.
            if let record = try? decoder.decode(JournalRecord.self, from: Data(payload)) { records.append(record) }
            position = start + Int(length)
        }
        return Reading(records: records, length: position, isDamaged: position < file.count)
    }

    private static func word(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func word(in file: [UInt8], at position: Int) -> UInt32? {
        guard position <= file.count - 4 else { return nil }
        return (0..<4).reduce(0) { $0 | UInt32(file[position + $1]) << (8 * UInt32($1)) }
    }
}
