// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The journal of a download on disk: records are appended, and the file is compacted from time to time.
///
/// It is open only during a write, so that waiting downloads do not use up file descriptors.
package final class JournalFile: Sendable {
    private struct State {
        var length: Int
        /// The length after the last compaction.
        var base: Int
        /// True if it is unknown which bytes are on disk; the file must then be compacted before the next record.
        var needsCompaction = false
    }

    /// A journal that was read; `isDamaged` is true if a part of it was lost.
    package struct Opened: Sendable {
        package let file: JournalFile
        package let isDamaged: Bool
    }

    /// The length from which the file is compacted whenever it has grown to four times its base length.
    private static let slack = 64 * 1024

    package let path: String
    /// The state of the file; the lock is held during writes.
    private let state: Mutex<State>
    /// The contents; the lock is never held while waiting for the disk.
    private let known: Mutex<DownloadJournal>
    private let syncFile: @Sendable (Int32) -> Bool

    private init(
        _ path: String, state: State, journal: DownloadJournal,
        syncFile: @escaping @Sendable (Int32) -> Bool = { FileSync.data($0) }
    ) {
        self.path = path
        self.syncFile = syncFile
        self.state = Mutex(state)
        known = Mutex(journal)
    }

    /// The contents of the journal.
    package var journal: DownloadJournal { known.withLock { $0 } }

    /// Creates a journal.
    ///
    /// - Parameters:
    ///   - path: The path of the new file; it must not exist.
    ///   - beginning: The request.
    ///   - syncFile: Fsyncs an open file and returns true on success.
    /// - Returns: The journal.
    /// - Throws: ``DownloadError``.
    package static func create(
        _ path: String, beginning: JournalRecord.Beginning,
        syncFile: @escaping @Sendable (Int32) -> Bool = { FileSync.data($0) }
    ) throws(DownloadError) -> JournalFile {
        let bytes = try coded(for: path) { try JournalCodec.file(of: [.begun(beginning)]) }
        let descriptor = FileOpening.new(path)
        guard descriptor >= 0 else { throw DownloadFileSystem.failure("make", at: path) }
        defer { close(descriptor) }
        do throws(DownloadError) {
            try write(bytes, to: descriptor, at: 0, path: path)
        } catch {
            unlink(path)
            throw error
        }
        return JournalFile(
            path, state: State(length: bytes.count, base: bytes.count), journal: DownloadJournal(beginning),
            syncFile: syncFile)
    }

    /// Opens a journal; a damaged tail is cut off.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The journal; `nil` if the file is not a journal, or if its request is missing.
    /// - Throws: ``DownloadError`` if the file could not be read.
    package static func open(_ path: String) throws(DownloadError) -> Opened? {
        let descriptor = FileOpening.existing(path)
        guard descriptor >= 0 else { throw DownloadFileSystem.failure("open", at: path) }
        defer { close(descriptor) }
        guard let length = DownloadFileSystem.length(of: path), length <= 256 * 1024 * 1024 else { return nil }
        guard let bytes = FileBytes.prefix(of: path, upTo: Int(length)) else {
            throw DownloadFileSystem.failure("read", at: path)
        }
        guard let reading = JournalCodec.read(bytes), let journal = DownloadJournal(reading.records) else {
            return nil
        }
        if reading.isDamaged, ftruncate(descriptor, off_t(reading.length)) != 0 {
            throw DownloadFileSystem.failure("truncate", at: path)
        }
        let file = JournalFile(
            path, state: State(length: reading.length, base: reading.length), journal: journal)
        return Opened(file: file, isDamaged: reading.isDamaged)
    }

    /// Reads the URL of a journal without changing the file, as another process may be writing it.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The URL; `nil` if there is no readable journal.
    package static func url(in path: String) -> String? {
        guard let length = DownloadFileSystem.length(of: path), length <= 256 * 1024 * 1024,
            let bytes = FileBytes.prefix(of: path, upTo: Int(length)),
            let journal = JournalCodec.read(bytes).flatMap({ DownloadJournal($0.records) })
        else { return nil }
        return journal.beginning.request.url
    }

    /// Accepts ranges that were written but not synced, if they cannot have been lost since.
    ///
    /// - Parameter marker: The identifier of the page cache that holds the file's unsynced bytes now.
    package func adopt(_ marker: String?) { known.withLock { $0.adopt(boot: marker) } }

    /// Appends a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - isSynced: True to fsync the record, so that it survives a power failure and not only the end of the process.
    /// - Throws: ``DownloadError``; the record is then not written. If the fsync failed, the journal accepts no
    ///   further record until the whole file has been written again.
    package func append(_ record: JournalRecord, isSynced: Bool = false) throws(DownloadError) {
        let bytes = try Self.coded(for: path) { try JournalCodec.bytes(of: record) }
        try state.withLock { state throws(DownloadError) in
            try append(record, bytes: bytes, isSynced: isSynced, in: &state)
        }
    }

    /// Appends a record that is made under the lock, so that no other record is written in between.
    ///
    /// - Parameters:
    ///   - isSynced: True to fsync the record, so that it survives a power failure and not only the end of the process.
    ///   - makeRecord: Makes the record; `nil` to write nothing.
    ///   - undo: Reverts the change if the record could not be written; called before any other record is written.
    /// - Throws: As ``append(_:isSynced:)``.
    package func append(
        isSynced: Bool = false, record makeRecord: () -> JournalRecord?, undo: () -> Void = {}
    ) throws(DownloadError) {
        try state.withLock { state throws(DownloadError) in
            guard let record = makeRecord() else { return }
            do throws(DownloadError) {
                let bytes = try Self.coded(for: path) { try JournalCodec.bytes(of: record) }
                try append(record, bytes: bytes, isSynced: isSynced, in: &state)
            } catch {
                undo()
                throw error
            }
        }
    }

    private func append(
        _ record: JournalRecord, bytes: [UInt8], isSynced: Bool, in state: inout State
    ) throws(DownloadError) {
        if state.needsCompaction { try compact(&state) }
        let descriptor = FileOpening.existing(path)
        guard descriptor >= 0 else { throw DownloadFileSystem.failure("open", at: path) }
        defer { close(descriptor) }
        do throws(DownloadError) {
            try Self.write(bytes, to: descriptor, at: state.length, path: path)
            guard !isSynced || syncFile(descriptor) else {
                // After a failed fsync the kernel marks the dirty pages clean, so a later fsync would succeed without
                // writing them.
                state.needsCompaction = true
                throw DownloadFileSystem.failure("sync", at: path)
            }
        } catch {
            // Half a record would make all later ones unreadable, and a complete one would take effect after a kill.
            if ftruncate(descriptor, off_t(state.length)) != 0 { state.needsCompaction = true }
            throw error
        }
        state.length += bytes.count
        known.withLock { $0.apply(record) }
        guard state.length > Self.slack, state.length > state.base * 4 else { return }
        do throws(DownloadError) {
            try compact(&state)
        } catch {
            // The record itself is written. Compaction is tried again when the file has grown to twice this length.
            state.base = state.length / 2
        }
    }

    /// Fsyncs the journal and its folder, so that the file and its name survive a power failure.
    ///
    /// - Returns: True on success, and if the file no longer exists.
    package func sync() -> Bool {
        let descriptor = FileOpening.existing(path)
        guard descriptor >= 0 else { return errno == ENOENT }
        let lasts = syncFile(descriptor)
        if !lasts { state.withLock { $0.needsCompaction = true } }
        close(descriptor)
        DownloadFileSystem.syncFolder(of: path)
        return lasts
    }

    /// Rewrites the journal to a temporary file and renames it, so that a crash leaves either the old or the new one.
    private func compact(_ state: inout State) throws(DownloadError) {
        let journal = journal
        let bytes = try Self.coded(for: path) { try JournalCodec.file(of: journal.records) }
        let draft = TemporaryFiles.name(for: path)
        let descriptor = FileOpening.new(draft)
        guard descriptor >= 0 else { throw DownloadFileSystem.failure("make", at: draft) }
        defer { close(descriptor) }
        do throws(DownloadError) {
            try Self.write(bytes, to: descriptor, at: 0, path: draft)
            guard syncFile(descriptor), rename(draft, path) == 0 else {
                throw DownloadFileSystem.failure("write", at: path)
            }
        } catch {
            unlink(draft)
            throw error
        }
        state = State(length: bytes.count, base: bytes.count)
        DownloadFileSystem.syncFolder(of: path)
    }

    private static func write(
        _ bytes: [UInt8], to descriptor: Int32, at offset: Int, path: String
    ) throws(DownloadError) {
        let code = bytes.withUnsafeBytes { FileCalls.write($0, to: descriptor, at: Int64(offset)) }
        guard code == 0 else {
            errno = code
            throw DownloadFileSystem.failure("write", at: path, needing: Int64(bytes.count))
        }
    }

    private static func coded(for path: String, work: () throws -> [UInt8]) throws(DownloadError) -> [UInt8] {
        do {
            return try work()
        } catch {
            throw .file("could not write \(path): \(error)")
        }
    }
}

/// Opens internal files, which only this user may read; symbolic links are not followed.
private enum FileOpening {
    /// - Returns: The descriptor; negative if there is no such file.
    static func existing(_ path: String) -> Int32 { open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) }

    /// - Returns: The descriptor; negative if the file exists.
    static func new(_ path: String) -> Int32 { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
}
