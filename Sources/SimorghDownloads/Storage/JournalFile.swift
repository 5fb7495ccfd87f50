// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// A download's journal on the disk: records are appended, and now and then it is written anew.
///
/// It is open only while it is written to, so that as many downloads may wait as there is room for.
package final class JournalFile: Sendable {
    private struct State {
        var length: Int
        /// How long it was when it was written anew.
        var base: Int
        /// Whether nobody knows what of it is on the disk: then it takes nothing until it is written anew.
        var isDoubtful = false
    }

    /// A journal that was read, and whether something of it was lost.
    package struct Opened: Sendable {
        package let file: JournalFile
        package let isDamaged: Bool
    }

    /// From this length on it is written anew when it has grown to four times what it was.
    private static let slack = 64 * 1024

    package let path: String
    /// Held while it is written.
    private let state: Mutex<State>
    /// Never held while a disk is waited for.
    private let known: Mutex<DownloadJournal>
    private let makeLast: @Sendable (Int32) -> Bool

    private init(
        _ path: String, _ state: State, _ journal: DownloadJournal,
        _ makeLast: @escaping @Sendable (Int32) -> Bool = { FileSync.data($0) }
    ) {
        self.path = path
        self.makeLast = makeLast
        self.state = Mutex(state)
        known = Mutex(journal)
    }

    /// What stands in it.
    package var journal: DownloadJournal { known.withLock { $0 } }

    /// Begins a journal.
    ///
    /// - Parameters:
    ///   - path: Where; there must be none.
    ///   - beginning: What was asked for.
    ///   - makeLast: Sees to it that the bytes of an open file outlive a power cut, and returns whether they do.
    /// - Returns: The journal.
    /// - Throws: ``DownloadError``.
    package static func create(
        _ path: String, _ beginning: JournalRecord.Beginning,
        makeLast: @escaping @Sendable (Int32) -> Bool = { FileSync.data($0) }
    ) throws(DownloadError) -> JournalFile {
        let bytes = try coded(path) { try JournalCoding.file(of: [.begun(beginning)]) }
        let descriptor = FileOpening.new(path)
        guard descriptor >= 0 else { throw DownloadDisk.failure("make", path) }
        defer { close(descriptor) }
        do throws(DownloadError) {
            try write(bytes, to: descriptor, at: 0, path)
        } catch {
            unlink(path)
            throw error
        }
        return JournalFile(path, State(length: bytes.count, base: bytes.count), DownloadJournal(beginning), makeLast)
    }

    /// Opens a journal; what is damaged at its end is cut off.
    ///
    /// - Parameter path: Where it is.
    /// - Returns: The journal; `nil` for what was read and is none, or does not tell what was asked for.
    /// - Throws: ``DownloadError`` where it could not be read.
    package static func open(_ path: String) throws(DownloadError) -> Opened? {
        let descriptor = FileOpening.existing(path)
        guard descriptor >= 0 else { throw DownloadDisk.failure("open", path) }
        defer { close(descriptor) }
        guard let length = DownloadDisk.length(of: path), length <= 256 * 1024 * 1024 else { return nil }
        guard let bytes = FileBytes.prefix(of: path, upTo: Int(length)) else {
            throw DownloadDisk.failure("read", path)
        }
        guard let reading = JournalCoding.read(bytes), let journal = DownloadJournal(reading.records) else {
            return nil
        }
        if reading.isDamaged, ftruncate(descriptor, off_t(reading.length)) != 0 {
            throw DownloadDisk.failure("truncate", path)
        }
        let file = JournalFile(path, State(length: reading.length, base: reading.length), journal)
        return Opened(file: file, isDamaged: reading.isDamaged)
    }

    /// Reads which URL a journal is about, and changes nothing, as another process may be writing it.
    ///
    /// - Parameter path: Where it is.
    /// - Returns: The URL; `nil` if there is no journal, or none that can be read.
    package static func url(in path: String) -> String? {
        guard let length = DownloadDisk.length(of: path), length <= 256 * 1024 * 1024,
            let bytes = FileBytes.prefix(of: path, upTo: Int(length)),
            let journal = JournalCoding.read(bytes).flatMap({ DownloadJournal($0.records) })
        else { return nil }
        return journal.beginning.request.url
    }

    /// Takes what was written and not synced for there, where nothing can have been lost since.
    ///
    /// - Parameter marker: What names the memory that holds the file's unsynced bytes now.
    package func adopt(_ marker: String?) { known.withLock { $0.adopt(boot: marker) } }

    /// Writes a record down.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - isSynced: Whether it has to outlive a power cut from now on, and not only the end of the process.
    /// - Throws: ``DownloadError``; then it is not written. Where it could not be made to last, nothing more is taken until the
    ///   disk has all that stands in it.
    package func append(_ record: JournalRecord, isSynced: Bool = false) throws(DownloadError) {
        let bytes = try Self.coded(path) { try JournalCoding.bytes(of: record) }
        try state.withLock { state throws(DownloadError) in try append(record, bytes, isSynced, &state) }
    }

    /// Writes down what holds then: nobody else writes between its making and its writing.
    ///
    /// - Parameters:
    ///   - isSynced: Whether it has to outlive a power cut from now on, and not only the end of the process.
    ///   - record: Makes the record; `nil` where there is nothing to write.
    ///   - undo: Takes back what the record says, where it could not be written; before anybody else writes.
    /// - Throws: As ``append(_:isSynced:)``.
    package func append(
        isSynced: Bool = false, _ record: () -> JournalRecord?, undo: () -> Void = {}
    ) throws(DownloadError) {
        try state.withLock { state throws(DownloadError) in
            guard let made = record() else { return }
            do throws(DownloadError) {
                let bytes = try Self.coded(path) { try JournalCoding.bytes(of: made) }
                try append(made, bytes, isSynced, &state)
            } catch {
                undo()
                throw error
            }
        }
    }

    private func append(
        _ record: JournalRecord, _ bytes: [UInt8], _ isSynced: Bool, _ state: inout State
    ) throws(DownloadError) {
        if state.isDoubtful { try compact(&state) }
        let descriptor = FileOpening.existing(path)
        guard descriptor >= 0 else { throw DownloadDisk.failure("open", path) }
        defer { close(descriptor) }
        do throws(DownloadError) {
            try Self.write(bytes, to: descriptor, at: state.length, path)
            guard !isSynced || makeLast(descriptor) else {
                // The kernel says so once, and takes what it could not write for written from then on.
                state.isDoubtful = true
                throw DownloadDisk.failure("sync", path)
            }
        } catch {
            // Half a record would make what comes behind it unreadable, and a whole one would hold after a kill.
            if ftruncate(descriptor, off_t(state.length)) != 0 { state.isDoubtful = true }
            throw error
        }
        state.length += bytes.count
        known.withLock { $0.apply(record) }
        guard state.length > Self.slack, state.length > state.base * 4 else { return }
        do throws(DownloadError) {
            try compact(&state)
        } catch {
            // The record is written all the same; another time, when it has grown to twice this.
            state.base = state.length / 2
        }
    }

    /// Sees to it that it outlives a power cut, by its name, too.
    ///
    /// - Returns: Whether it does; one that is not there any more has nothing to lose.
    package func sync() -> Bool {
        let descriptor = FileOpening.existing(path)
        guard descriptor >= 0 else { return errno == ENOENT }
        let lasts = makeLast(descriptor)
        if !lasts { state.withLock { $0.isDoubtful = true } }
        close(descriptor)
        DownloadDisk.syncFolder(of: path)
        return lasts
    }

    /// Writes it anew beside its place, so that a crash leaves one or the other.
    private func compact(_ state: inout State) throws(DownloadError) {
        let journal = journal
        let bytes = try Self.coded(path) { try JournalCoding.file(of: journal.records) }
        let draft = DraftFiles.name(for: path)
        let descriptor = FileOpening.new(draft)
        guard descriptor >= 0 else { throw DownloadDisk.failure("make", draft) }
        defer { close(descriptor) }
        do throws(DownloadError) {
            try Self.write(bytes, to: descriptor, at: 0, draft)
            guard makeLast(descriptor), rename(draft, path) == 0 else { throw DownloadDisk.failure("write", path) }
        } catch {
            unlink(draft)
            throw error
        }
        state = State(length: bytes.count, base: bytes.count)
        DownloadDisk.syncFolder(of: path)
    }

    private static func write(
        _ bytes: [UInt8], to descriptor: Int32, at offset: Int, _ path: String
    ) throws(DownloadError) {
        let code = bytes.withUnsafeBytes { FileCalls.write($0, to: descriptor, at: Int64(offset)) }
        guard code == 0 else {
            errno = code
            throw DownloadDisk.failure("write", path, needing: Int64(bytes.count))
        }
    }

    private static func coded(_ path: String, _ work: () throws -> [UInt8]) throws(DownloadError) -> [UInt8] {
        do {
            return try work()
        } catch {
            throw .file("could not write \(path): \(error)")
        }
    }
}
