// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The recorded state of a download, built from the records of its journal.
package struct DownloadJournal: Sendable, Hashable {
    package private(set) var beginning: JournalRecord.Beginning
    package private(set) var entity: RemoteFileVersion?
    package private(set) var ranges = ByteRanges()
    /// Ranges written since the last fsync; they are lost if the machine goes down.
    private var written: ByteRanges?
    private var boot: String?
    package private(set) var name: String?
    package private(set) var state = DownloadState.queued
    package private(set) var attempt = 0
    package private(set) var message: String?
    /// The finished file: its path, relative to the download's folder unless it starts with a slash.
    package private(set) var file: String?
    package private(set) var size: Int64?
    /// The final name that the file was about to get.
    package private(set) var placing: Placing?
    /// True if the file is known to be complete.
    package private(set) var isConfirmed = true
    /// The time of completion, in seconds since 1970.
    package private(set) var finished: Double?

    /// A complete file that is about to get its final name.
    package struct Placing: Sendable, Hashable {
        package let file: String
        package let size: Int64
        package let number: UInt64
    }

    package init(_ beginning: JournalRecord.Beginning) { self.beginning = beginning }

    /// Creates a journal from records; `nil` if the first record does not hold the request.
    package init?(_ records: [JournalRecord]) {
        guard case .begun(let beginning) = records.first else { return nil }
        self.init(beginning)
        for record in records.dropFirst() { apply(record) }
    }

    /// Applies one more record.
    package mutating func apply(_ record: JournalRecord) {
        switch record {
        case .begun: break  // There is one, and it came first.
        case .entity(let entity):
            self.entity = entity
            ranges = ByteRanges()
            (written, boot, placing, isConfirmed) = (nil, nil, nil, true)
        case .digests(let digests): entity?.add(digests)
        case .unconfirmed: isConfirmed = false
        case .total(let total): entity?.total = total
        case .placing(let file, let size, let number): placing = Placing(file: file, size: size, number: number)
        case .ranges(let ends):
            if let ranges = ByteRanges(ends: ends) { self.ranges = ranges }
            (written, boot) = (nil, nil)
        case .written(let ends, let boot):
            written = ByteRanges(ends: ends)
            self.boot = boot
        case .named(let name): self.name = name
        case .state(let state, let attempt, let message):
            // A completed file stays completed, even if a late record holds another state.
            if file == nil { (self.state, self.attempt, self.message) = (state, attempt, message) }
        case .reordered(let priority, let position):
            beginning.request.priority = priority
            beginning.position = position
        case .revised(let request):
            let old = beginning.request
            // The recorded name was chosen for the old request.
            if request.fileName != old.fileName || request.isNameExact != old.isNameExact { name = nil }
            beginning.request = request
        case .finished(let file, let size, let date):
            (self.file, self.size, finished, state, message) = (file, size, date, .completed, nil)
        }
    }

    /// Accepts ranges that were written but not synced, if the machine has not gone down since.
    package mutating func adopt(boot: String?) {
        if let written, let boot, self.boot == boot { ranges = written }
        (written, self.boot) = (nil, nil)
    }

    /// The ranges in the last record, synced or not.
    package var recordedRanges: ByteRanges { written ?? ranges }

    /// The shortest list of records with the same state.
    package var records: [JournalRecord] {
        var records = [JournalRecord.begun(beginning)]
        if let entity { records.append(.entity(entity)) }
        if !ranges.ranges.isEmpty { records.append(.ranges(ranges.ends)) }
        if let written, let boot { records.append(.written(written.ends, boot: boot)) }
        if !isConfirmed { records.append(.unconfirmed) }
        if let name { records.append(.named(name)) }
        if let placing {
            records.append(.placing(file: placing.file, size: placing.size, number: placing.number))
        }
        if let file, let size, let finished {
            records.append(.finished(file: file, size: size, date: finished))
        } else if state != .queued || attempt != 0 || message != nil {
            records.append(.state(state, attempt: attempt, message: message))
        }
        return records
    }
}
