// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The file format of a journal: a signature, then for each record a length, a checksum and the record as JSON.
///
/// Records are only appended, so a crash leaves valid records and at most a damaged tail.
package enum JournalCodec {
    /// The signature at the start of the file, so that other files are not read as journals.
    package static let mark = Array("SIMDLJ1\n".utf8)
    /// The longest record that is read, in bytes; actual records are far shorter.
    static let maximumRecordBytes = 4 * 1024 * 1024

    /// The result of reading a file.
    package struct Reading: Sendable {
        /// The records before the first damaged one.
        package let records: [JournalRecord]
        /// The number of valid bytes.
        package let length: Int
        /// True if invalid bytes follow the valid ones.
        package let isDamaged: Bool
    }

    /// Returns the encoded form of a record.
    ///
    /// - Parameter record: The record.
    /// - Returns: Its bytes in the file.
    /// - Throws: The encoder's error, which does not occur for these records.
    package static func bytes(of record: JournalRecord) throws -> [UInt8] {
        let payload = [UInt8](try JSONEncoder().encode(record))
        return littleEndian(UInt32(payload.count)) + littleEndian(CRC32.of(payload)) + payload
    }

    /// Returns a whole file of records.
    package static func file(of records: [JournalRecord]) throws -> [UInt8] {
        try records.reduce(into: mark) { $0 += try bytes(of: $1) }
    }

    /// Reads a file.
    ///
    /// - Parameter file: Its bytes.
    /// - Returns: The valid records; `nil` if the file is not a journal.
    package static func read(_ file: [UInt8]) -> Reading? {
        guard file.starts(with: mark) else { return nil }
        let decoder = JSONDecoder()
        var records: [JournalRecord] = []
        var position = mark.count
        while let length = integer(in: file, at: position), let sum = integer(in: file, at: position + 4) {
            let start = position + 8
            // No record is empty: zeros are bytes that did not reach the disk before a power failure.
            guard length > 0, length <= maximumRecordBytes, Int(length) <= file.count - start else { break }
            let payload = file[start..<start + Int(length)]
            guard CRC32.of(payload) == sum else { break }
            // A valid record of an unknown kind was written by a later release; it is skipped.
            if let record = try? decoder.decode(JournalRecord.self, from: Data(payload)) { records.append(record) }
            position = start + Int(length)
        }
        return Reading(records: records, length: position, isDamaged: position < file.count)
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func integer(in file: [UInt8], at position: Int) -> UInt32? {
        guard position <= file.count - 4 else { return nil }
        return (0..<4).reduce(0) { $0 | UInt32(file[position + $1]) << (8 * UInt32($1)) }
    }
}
