// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What is written down of a download, read from its records.
package struct DownloadJournal: Sendable, Hashable {
    package private(set) var beginning: JournalRecord.Beginning
    package private(set) var entity: DownloadEntity?
    package private(set) var ranges = ByteRanges()
    /// What was written since, and survives only as long as the machine is up.
    private var written: ByteRanges?
    private var boot: String?
    package private(set) var name: String?
    package private(set) var state = DownloadState.queued
    package private(set) var attempt = 0
    package private(set) var message: String?
    /// The finished file: its path, relative to the download's folder unless it begins with a slash.
    package private(set) var file: String?
    package private(set) var size: Int64?
    /// The name that it was about to get.
    package private(set) var placing: Placing?
    /// Whether somebody said that the file is whole.
    package private(set) var isConfirmed = true
    /// When it was finished, in seconds since 1970.
    package private(set) var finished: Double?

    /// A whole file on its way to its name.
    package struct Placing: Sendable, Hashable {
        package let file: String
        package let size: Int64
        package let number: UInt64
    }

    package init(_ beginning: JournalRecord.Beginning) { self.beginning = beginning }

    /// Reads records; `nil` where the first one does not say what was asked for.
    package init?(_ records: [JournalRecord]) {
        guard case .begun(let beginning) = records.first else { return nil }
        self.init(beginning)
        for record in records.dropFirst() { apply(record) }
    }

    /// Takes note of one more record.
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
            // What is whole stays so, whatever is said late.
            if file == nil { (self.state, self.attempt, self.message) = (state, attempt, message) }
        case .place(let priority, let position):
            beginning.request.priority = priority
            beginning.position = position
        case .asked(let request):
            let old = beginning.request
            // It was chosen by what was asked for then.
            if request.fileName != old.fileName || request.isNameExact != old.isNameExact { name = nil }
            beginning.request = request
        case .finished(let file, let size, let date):
            (self.file, self.size, finished, state, message) = (file, size, date, .completed, nil)
        }
    }

    /// Takes what was written and not synced for there, where the machine has not gone down since.
    package mutating func adopt(boot: String?) {
        if let written, let boot, self.boot == boot { ranges = written }
        (written, self.boot) = (nil, nil)
    }

    /// What is there by the word of the last record, be it synced or not.
    package var noted: ByteRanges { written ?? ranges }

    /// The fewest records that say the same.
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
