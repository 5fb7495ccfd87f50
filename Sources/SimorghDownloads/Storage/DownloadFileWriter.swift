// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
package import SimorghSupport
import Synchronization

/// Serial queue that writes a download's bytes to disk, hashes them, fsyncs, and updates the journal.
///
/// Writers continue at once until too many bytes are pending. An error is thrown by the next call.
package final class DownloadFileWriter: Sendable {
    private struct State {
        /// The number of bytes waiting to be written.
        var pending = 0
        var failure: DownloadError?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// State used only on the serial queue; the lock makes this visible to the compiler.
    private struct Work {
        var ranges: ByteRanges
        var hasher: FileHasher
        /// The offset up to which the file was hashed.
        var hashed: Int64 = 0
        /// The number of bytes written since the last fsync.
        var unsyncedBytes: Int64 = 0
        /// The number of bytes not yet recorded in the journal.
        var unrecordedBytes: Int64 = 0
        var sinceLastRecord: Stopwatch
        var sinceLastSync: Stopwatch
    }

    /// The largest number of pending bytes: few enough to be in the processor's cache when they are written.
    private static let depth = 256 * 1024
    /// The number of bytes and the time after which written bytes are fsynced.
    private static let syncBytes: Int64 = 16 * 1024 * 1024
    private static let syncInterval: Duration = .seconds(2)
    /// The number of bytes and the time after which the journal records bytes that the kernel has: enough to survive
    /// the end of the process.
    ///
    /// `minimumRecordInterval` is the shortest time between two such records, however fast bytes arrive.
    private static let recordBytes: Int64 = 1024 * 1024
    private static let recordInterval: Duration = .milliseconds(250)
    private static let minimumRecordInterval: Duration = .milliseconds(4)

    /// The number of bytes to hash between two checks for cancellation.
    private static let hashBytes: Int64 = 16 * 1024 * 1024

    private let file: PartialFile
    private let journal: JournalFile
    private let time: TimeSource
    private let queue = DispatchQueue(label: "simorgh.download", target: DownloadFileWriter.disk)
    private let state = Mutex(State())
    private let work: Mutex<Work>

    private static let disk = DispatchQueue(label: "simorgh.downloads", attributes: .concurrent)

    /// Creates a writer for a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - journal: Its journal, with the ranges that are written.
    ///   - algorithms: The hash algorithms.
    ///   - time: The clock that measures the time between fsyncs.
    package init(
        _ file: PartialFile, journal: JournalFile, hashing algorithms: Set<DownloadDigest.Algorithm>, time: TimeSource
    ) {
        self.file = file
        self.journal = journal
        self.time = time
        work = Mutex(
            Work(
                ranges: journal.journal.ranges, hasher: FileHasher(algorithms), sinceLastRecord: time.stopwatch(),
                sinceLastSync: time.stopwatch()))
    }

    /// The ranges written so far.
    package var ranges: ByteRanges { work.withLock { $0.ranges } }

    /// True if so many bytes are pending that writers have to wait.
    package var isFull: Bool { state.withLock { $0.pending > Self.depth } }

    /// Writes bytes.
    ///
    /// - Parameters:
    ///   - chunks: The bytes.
    ///   - offset: Their offset in the file.
    /// - Throws: The error of an earlier write.
    package func write(_ chunks: [Data], at offset: Int64) async throws(DownloadError) {
        let count = chunks.reduce(0) { $0 + $1.count }
        guard count > 0 else { return }
        let (failure, waits) = state.withLock { state -> (DownloadError?, Bool) in
            if state.failure == nil { state.pending += count }
            return (state.failure, state.pending > Self.depth)
        }
        if let failure { throw failure }
        queue.async { [self] in
            let failed = state.withLock { $0.failure != nil }
            var error: DownloadError?
            if !failed {
                do throws(DownloadError) {
                    try put(chunks, at: offset, count: count)
                } catch let caught {
                    error = caught
                }
            }
            settle(count, error: error)
        }
        guard waits else { return }
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                guard state.pending > Self.depth else { return true }
                state.waiters.append(continuation)
                return false
            }
            if isOpen { continuation.resume() }
        }
    }

    private func settle(_ count: Int, error: DownloadError?) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.pending -= count
            if state.failure == nil { state.failure = error }
            guard state.pending <= Self.depth else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func put(_ chunks: [Data], at offset: Int64, count: Int) throws(DownloadError) {
        try file.write(chunks, at: offset)
        try work.withLock { work throws(DownloadError) in
            if !work.hasher.isIdle, work.hashed == offset {
                for chunk in chunks { chunk.withUnsafeBytes { work.hasher.update($0) } }
                work.hashed += Int64(count)
            }
            work.ranges.insert(offset..<offset + Int64(count))
            work.unsyncedBytes += Int64(count)
            work.unrecordedBytes += Int64(count)
            if work.unsyncedBytes >= Self.syncBytes || work.sinceLastSync.elapsed >= Self.syncInterval {
                try sync(&work)
                return
            }
            let pause = work.sinceLastRecord.elapsed
            let isDue =
                pause >= Self.recordInterval
                || work.unrecordedBytes >= Self.recordBytes && pause >= Self.minimumRecordInterval
            if isDue {
                if let marker = file.marker { try journal.append(.written(work.ranges.ends, boot: marker)) }
                (work.unrecordedBytes, work.sinceLastRecord) = (0, time.stopwatch())
            }
        }
    }

    /// Fsyncs the written bytes, and only then records them in the journal.
    private func sync(_ work: inout Work) throws(DownloadError) {
        work.sinceLastSync = time.stopwatch()
        guard work.unsyncedBytes > 0 else { return }
        do throws(DownloadError) {
            try file.sync()
        } catch {
            forget(&work, after: error)
            throw error
        }
        try journal.append(.ranges(work.ranges.ends), isSynced: true)
        (work.unsyncedBytes, work.unrecordedBytes, work.sinceLastRecord) = (0, 0, time.stopwatch())
        // The hash stays at most this far behind, so that the pages are still in memory.
        try hashAvailableBytes(&work)
    }

    /// Reverts to the synced ranges and rejects further writes.
    ///
    /// After a failed fsync the kernel has dropped written bytes. It reports that once: a later fsync would succeed
    /// without writing them.
    private func forget(_ work: inout Work, after error: DownloadError) {
        state.withLock { if $0.failure == nil { $0.failure = error } }
        let lasting = journal.journal.ranges
        work.ranges = lasting
        (work.unsyncedBytes, work.unrecordedBytes) = (0, 0)
        do throws(DownloadError) {
            try journal.append(.ranges(lasting.ends))
        } catch {
            // The journal still lists the lost bytes as written; with an empty file it is not believed.
            try? file.truncate(to: 0)
        }
    }

    /// Hashes bytes that were received out of order.
    ///
    /// - Parameters:
    ///   - work: The state of the queue.
    ///   - maximum: The largest number of bytes to hash.
    /// - Returns: True if more bytes can be hashed.
    /// - Throws: `DownloadError` if the file cannot be read.
    @discardableResult
    private func hashAvailableBytes(_ work: inout Work, atMost maximum: Int64 = .max) throws(DownloadError) -> Bool {
        let whole = work.ranges.prefix
        guard !work.hasher.isIdle, work.hashed < whole else { return false }
        let end = whole - work.hashed > maximum ? work.hashed + maximum : whole
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024 * 1024, alignment: 4096)
        defer { buffer.deallocate() }
        while work.hashed < end {
            let wanted = Int(min(Int64(buffer.count), end - work.hashed))
            let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: work.hashed)
            guard count > 0 else { throw .file("\(file.path) is shorter than it was") }
            work.hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            work.hashed += Int64(count)
        }
        return end < whole
    }

    /// Runs work on the serial queue.
    private func run<Value: Sendable>(
        ignoringFailure: Bool = false, body: @escaping @Sendable (inout Work) throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        let outcome: Result<Value, DownloadError> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                continuation.resume(
                    returning: Result { () throws(DownloadError) in
                        if !ignoringFailure, let failure = state.withLock({ $0.failure }) { throw failure }
                        return try work.withLock { work throws(DownloadError) in try body(&work) }
                    })
            }
        }
        return try outcome.get()
    }

    /// Hashes the bytes of earlier runs, before new bytes arrive.
    ///
    /// The state of a hash cannot be saved, so these bytes are read again.
    ///
    /// - Throws: ``DownloadError``; `CancellationError` soon after a cancellation, however long the file is.
    package func hashExistingBytes() async throws {
        while true {
            let hasMore = try await run { [self] work throws(DownloadError) in
                try hashAvailableBytes(&work, atMost: Self.hashBytes)
            }
            guard hasMore else { return }
            try Task.checkCancellation()
        }
    }

    /// Fsyncs the written bytes.
    package func checkpoint() async throws(DownloadError) {
        // Also after a failed write: the bytes before it are in the file.
        try await run(ignoringFailure: true) { [self] work throws(DownloadError) in try sync(&work) }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Starts again with another version of the file.
    ///
    /// - Parameters:
    ///   - entity: The version.
    ///   - algorithms: The hash algorithms.
    ///   - isReserved: True to preallocate the disk space of the whole file.
    /// - Throws: ``DownloadError``.
    package func restart(
        _ entity: RemoteFileVersion, hashing algorithms: Set<DownloadDigest.Algorithm>, isReserved: Bool
    ) async throws(DownloadError) {
        try await run { [self] work throws(DownloadError) in
            // Before a byte of the new version is written, the journal must forget those of the old one.
            try journal.append(.entity(entity), isSynced: true)
            DownloadFileSystem.syncFolder(of: journal.path)
            try file.truncate(to: 0)
            if isReserved, let total = entity.total { try file.reserve(total) }
            work = Work(
                ranges: ByteRanges(), hasher: FileHasher(algorithms), sinceLastRecord: time.stopwatch(),
                sinceLastSync: time.stopwatch())
        }
    }

    /// Returns written bytes, for a comparison.
    package func bytes(_ range: Range<Int64>) async throws(DownloadError) -> [UInt8] {
        try await run { [self] _ throws(DownloadError) in
            var bytes = [UInt8](repeating: 0, count: range.count)
            var caught: DownloadError?
            let count = bytes.withUnsafeMutableBytes { buffer -> Int in
                do throws(DownloadError) { return try file.read(into: buffer, at: range.lowerBound) } catch {
                    caught = error
                    return 0
                }
            }
            if let caught { throw caught }
            return Array(bytes.prefix(count))
        }
    }

    /// Truncates the file to its final length and fsyncs it.
    ///
    /// - Parameters:
    ///   - length: The length.
    ///   - algorithms: Hash algorithms in addition to those used so far, because a digest may arrive in a trailer.
    /// - Returns: The hashes of the file.
    /// - Throws: ``DownloadError``; `CancellationError` soon after a cancellation, however much remains to be hashed.
    package func finish(
        length: Int64, hashing algorithms: Set<DownloadDigest.Algorithm> = []
    ) async throws -> [DownloadDigest] {
        while true {
            let digests = try await run { [self] work throws(DownloadError) in
                try end(&work, length: length, hashing: algorithms)
            }
            if let digests { return digests }
            try Task.checkCancellation()
        }
    }

    /// Performs the next step of finishing the file.
    ///
    /// - Returns: The hashes; `nil` if more of the file has to be hashed.
    private func end(
        _ work: inout Work, length: Int64, hashing algorithms: Set<DownloadDigest.Algorithm>
    ) throws(DownloadError) -> [DownloadDigest]? {
        if file.length != length { try file.truncate(to: length) }
        if !algorithms.isSubset(of: work.hasher.algorithms) {
            (work.hasher, work.hashed) = (FileHasher(algorithms), 0)
        }
        if try hashAvailableBytes(&work, atMost: Self.hashBytes) { return nil }
        do throws(DownloadError) {
            try file.sync()
        } catch {
            forget(&work, after: error)
            throw error
        }
        try journal.append(.ranges(work.ranges.ends))
        work.unsyncedBytes = 0
        return work.hasher.digests
    }
}
