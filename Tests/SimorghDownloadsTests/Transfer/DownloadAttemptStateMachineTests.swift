// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghDownloads
import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadAttemptStateMachineTests {
    private typealias Machine = DownloadAttemptStateMachine

    private static let request = DownloadRequest(url: DownloadTestFolder.url)
    private let empty = DownloadJournal(
        JournalRecord.Beginning(id: UUID(), request: Self.request, date: 0, position: 0))
    private let ten = RemoteFileVersion(url: "https://a.test/f", fields: [.eTag: "\"a\""], total: 10)
    private let unknown = RemoteFileVersion(url: "https://a.test/f", fields: [.eTag: "\"a\""], total: nil)

    /// Returns the journal of a file whose first bytes are on disk.
    private func journal(_ entity: RemoteFileVersion, _ count: Int64) -> DownloadJournal {
        var journal = empty
        journal.apply(.entity(entity))
        if count > 0 { journal.apply(.ranges([0, count])) }
        return journal
    }

    private func ended(_ journal: DownloadJournal, gained: Int64, isPart: Bool = false) -> Machine.EndedBody {
        Machine.EndedBody(entity: journal.entity, ranges: journal.ranges, gained: gained, isPart: isPart)
    }

    @Test("A new file is requested, and finished when its last byte is on disk")
    func whole() throws {
        var machine = Machine()
        #expect(machine.next(empty) == .request(.plain, partial: empty))
        machine.bodyBegan()
        let known = journal(ten, 10)
        #expect(try machine.bodyEnded(ended(known, gained: 10)) == 10)
        machine.lengthChecked(ten, length: 10, isConfirmed: false)
        #expect(machine.next(known) == .finish(ten, length: 10, isConfirmed: false))
    }

    @Test("A partial file asks for the rest; one that is complete is finished without a request")
    func resumed() {
        var machine = Machine()
        let half = journal(ten, 5)
        #expect(machine.next(half) == .request(.plain, partial: half))
        #expect(machine.next(journal(ten, 10)) == .finish(ten, length: 10, isConfirmed: true))
    }

    @Test("A response that says that no byte is missing finishes the file", arguments: [true, false])
    func nothingMissing(knowsTotal: Bool) {
        var machine = Machine()
        let entity = knowsTotal ? ten : unknown
        let known = journal(entity, knowsTotal ? 10 : 7)
        machine.nothingIsMissing(known)
        #expect(machine.next(known) == .finish(entity, length: knowsTotal ? 10 : 7, isConfirmed: true))
    }

    @Test("A content coding makes the next request ask for the whole file, to be decoded, and so do all later ones")
    func coded() {
        var machine = Machine()
        let half = journal(ten, 5)
        machine.bodyIsEncoded()
        #expect(machine.next(half) == .request(.decoded, partial: nil))
        machine.bodyBegan()
        #expect(machine.next(half) == .request(.decoded, partial: half))
    }

    @Test("A body that ends before the last byte is an error to be retried")
    func early() {
        var machine = Machine()
        #expect(throws: DownloadAttemptError.bodyEndedEarly(received: 5, of: 10)) {
            try machine.bodyEnded(ended(journal(ten, 5), gained: 5))
        }
    }

    @Test("A file of unknown length ends with its body, but not with a range")
    func unknownLength() throws {
        var machine = Machine()
        let known = journal(unknown, 5000)
        #expect(try machine.bodyEnded(ended(known, gained: 5000)) == 5000)
        #expect(try machine.bodyEnded(ended(known, gained: 5000, isPart: true)) == nil)
        #expect(machine.next(known) == .request(.plain, partial: known))
    }

    @Test("The hundredth tiny range in a row starts the file over; a larger one starts the count over")
    func tinyRanges() throws {
        var machine = Machine()
        let tiny = ended(journal(unknown, 5000), gained: Machine.minimumRangeBytes - 1, isPart: true)
        for _ in 1..<Machine.maximumTinyRanges { #expect(try machine.bodyEnded(tiny) == nil) }
        #expect(try machine.bodyEnded(ended(journal(unknown, 5000), gained: 1024, isPart: true)) == nil)
        for _ in 1..<Machine.maximumTinyRanges { #expect(try machine.bodyEnded(tiny) == nil) }
        #expect(throws: DownloadAttemptError.tinyRanges) { try machine.bodyEnded(tiny) }
        try machine.rangesWereTiny()
        #expect(machine.next(journal(unknown, 5000)) == .request(.plain, partial: nil))
        #expect(throws: DownloadAttemptError.failed(.tinyRanges)) { try machine.rangesWereTiny() }
        #expect("\(DownloadError.tinyRanges)" == "the server sent 100 ranges smaller than 1 KiB in a row")
    }

    @Test("A file that changes is fetched again once; the second change fails the download")
    func changed() throws {
        var machine = Machine()
        let half = journal(ten, 5)
        try machine.fileChanged("another ETag")
        #expect(machine.next(half) == .request(.plain, partial: nil))
        machine.bodyBegan()
        #expect(machine.next(half) == .request(.plain, partial: half))
        #expect(throws: DownloadAttemptError.failed(.entityChanged("a third ETag"))) {
            try machine.fileChanged("a third ETag")
        }
    }

    @Test("A wrong digest has the file fetched again once; the second one fails the download")
    func mismatched() throws {
        var machine = Machine()
        let expected = try #require(DownloadDigest(.md5, bytes: Array(repeating: 1, count: 16)))
        let found = try #require(DownloadDigest(.md5, bytes: Array(repeating: 2, count: 16)))
        let whole = journal(ten, 10)
        #expect(machine.next(whole) == .finish(ten, length: 10, isConfirmed: true))
        try machine.digestMismatched(expected, found: found)
        #expect(machine.next(whole) == .request(.plain, partial: nil))
        machine.bodyBegan()
        #expect(machine.next(whole) == .finish(ten, length: 10, isConfirmed: true))
        #expect(throws: DownloadAttemptError.failed(.digestMismatch(expected: expected, found: found))) {
            try machine.digestMismatched(expected, found: found)
        }
    }
}
