// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghDownloads
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(5)))
struct JournalCodecTests {
    private func records() throws -> [JournalRecord] {
        let url = try #require(URL(string: "https://a.test/f"))
        let beginning = JournalRecord.Beginning(
            id: UUID(), request: DownloadRequest(url: url, fileName: "f.bin", priority: .high), date: 1, position: 2)
        let entity = RemoteFileVersion(url: url.absoluteString, fields: [.eTag: "\"a\""], total: 100)
        return [
            .begun(beginning), .entity(entity), .named("f.bin"), .ranges([0, 10]), .ranges([0, 20, 50, 60]),
            .state(.paused, attempt: 1, message: "why"), .reordered(.low, position: 9),
            .digests([try #require(DownloadDigest(.md5, bytes: Array(0..<16)))]), .unconfirmed,
        ]
    }

    @Test("The names of records in the file stay those of earlier releases")
    func names() throws {
        let url = try #require(URL(string: "https://a.test/f"))
        let reordered = try JournalCodec.bytes(of: .reordered(.low, position: 9))
        let revised = try JournalCodec.bytes(of: .revised(DownloadRequest(url: url)))
        #expect(String(decoding: reordered.dropFirst(8), as: UTF8.self).hasPrefix(#"{"place":{"#))
        #expect(String(decoding: revised.dropFirst(8), as: UTF8.self).hasPrefix(#"{"asked":{"_0":{"#))
    }

    @Test("CRC32 is that of zip")
    func checksum() {
        #expect(CRC32.of("123456789".utf8) == 0xCBF4_3926)
        #expect(CRC32.of([]) == 0)
    }

    @Test("Records are read as written, and a journal equals its records")
    func roundTrip() throws {
        let records = try records()
        let reading = try #require(JournalCodec.read(try JournalCodec.file(of: records)))
        #expect(reading.records == records)
        #expect(!reading.isDamaged)
        let journal = try #require(DownloadJournal(records))
        #expect(journal.ranges.ends == [0, 20, 50, 60])
        #expect(journal.entity?.total == 100)
        #expect(journal.state == .paused && journal.attempt == 1 && journal.message == "why")
        #expect(journal.beginning.request.priority == .low)
        #expect(journal.name == "f.bin" && !journal.isConfirmed)
        #expect(journal.entity?.digests.map(\.algorithm) == [.md5])
        #expect(DownloadJournal(journal.records) == journal)
    }

    @Test("A new version of the file discards the ranges of the old one")
    func versions() throws {
        var journal = try #require(DownloadJournal(try records()))
        journal.apply(.entity(RemoteFileVersion(url: "https://a.test/f", fields: [:], total: 100)))
        #expect(journal.ranges == ByteRanges())
    }

    @Test("A file cut at any length yields its complete records, and no other")
    func cuts() throws {
        let records = try records()
        let file = try JournalCodec.file(of: records)
        for length in JournalCodec.mark.count..<file.count {
            let reading = try #require(JournalCodec.read(Array(file.prefix(length))))
            #expect(reading.records == Array(records.prefix(reading.records.count)))
            #expect(reading.records.count < records.count)
            #expect(reading.isDamaged == (reading.length < length))
            #expect(reading.length <= length)
        }
    }

    @Test("A changed byte ends the valid records")
    func damage() throws {
        let records = try records()
        let file = try JournalCodec.file(of: records)
        for position in file.indices {
            var damaged = file
            damaged[position] ^= 0x20
            guard let reading = JournalCodec.read(damaged) else {
                #expect(position < JournalCodec.mark.count)
                continue
            }
            #expect(reading.isDamaged)
            #expect(reading.records == Array(records.prefix(reading.records.count)))
        }
    }

    @Test("Zeros in place of records, as a power failure leaves them, are damage", arguments: [1, 8, 64, 4096])
    func zeros(count: Int) throws {
        let records = try records()
        let file = try JournalCodec.file(of: records)
        let named = try JournalCodec.bytes(of: .named("behind"))
        let reading = try #require(JournalCodec.read(file + [UInt8](repeating: 0, count: count) + named))
        #expect(reading.records == records && reading.isDamaged && reading.length == file.count)
    }

    @Test("Records of a later release are skipped, and missing keys of an earlier one have defaults")
    func releases() throws {
        let records = try records()
        let payload = Array(#"{"unheard":{"of":1}}"#.utf8)
        func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let unknown = word(UInt32(payload.count)) + word(CRC32.of(payload)) + payload
        let named = try JournalCodec.bytes(of: .named("later"))
        let reading = try #require(JournalCodec.read(try JournalCodec.file(of: records) + unknown + named))
        #expect(reading.records == records + [.named("later")] && !reading.isDamaged)
        let url = try #require(URL(string: "https://a.test/f"))
        let old = try JSONDecoder().decode(DownloadRequest.self, from: Data(#"{"url":"https://a.test/f"}"#.utf8))
        #expect(old == DownloadRequest(url: url))
    }

    @Test("A file that does not begin with a begun record is not a journal")
    func beginnings() throws {
        #expect(DownloadJournal([]) == nil)
        #expect(DownloadJournal(Array(try records().dropFirst())) == nil)
        #expect(JournalCodec.read(Array("something else".utf8)) == nil)
        #expect(JournalCodec.read([]) == nil)
    }

    @Test("Credentials are not written to the journal")
    func credentials() throws {
        var request = DownloadRequest(url: try #require(URL(string: "https://a.test/f")))
        request.headers = ["authorization": "Bearer secret", "Cookie": "a=b", "Accept": "*/*"]
        #expect(request.withoutCredentials.headers == ["Accept": "*/*"])
    }
}
