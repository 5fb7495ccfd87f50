// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
package import SimorghSupport
import Synchronization

/// One after the other, and away from everybody else: what is written of a file, hashed, synced and put down in its journal.
///
/// Whoever brings bytes goes on at once until too many wait to be written. An error shows at the next call.
package final class DownloadLane: Sendable {
    private struct State {
        /// How many bytes wait to be written.
        var pending = 0
        var failure: DownloadError?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// Touched on the queue alone, one after the other; the lock says so to the compiler.
    private struct Work {
        var ranges: ByteRanges
        var hasher: DownloadHasher
        /// Up to where the hasher has seen the file.
        var hashed: Int64 = 0
        /// How many bytes were written since the last sync.
        var unsynced: Int64 = 0
        /// How many of them the journal has not been told of.
        var unnoted: Int64 = 0
        var noted: Stopwatch
        var synced: Stopwatch
    }

    /// How many bytes may wait to be written: so few that they are still in a processor's cache when they are.
    private static let depth = 256 * 1024
    /// After how many bytes, and what time, they are made to last.
    private static let syncBytes: Int64 = 16 * 1024 * 1024
    private static let syncInterval: Duration = .seconds(2)
    /// After how much of either the journal is told of what the kernel has: enough for the end of the process.
    ///
    /// Not without a pause, however fast they come.
    private static let noteBytes: Int64 = 1024 * 1024
    private static let noteInterval: Duration = .milliseconds(250)
    private static let notePause: Duration = .milliseconds(4)

    /// How much is hashed before it is asked whether that is still wanted.
    private static let hashBytes: Int64 = 16 * 1024 * 1024

    private let file: PartialFile
    private let journal: JournalFile
    private let time: TimeSource
    private let queue = DispatchQueue(label: "simorgh.download", target: DownloadLane.disk)
    private let state = Mutex(State())
    private let work: Mutex<Work>

    private static let disk = DispatchQueue(label: "simorgh.downloads", attributes: .concurrent)

    /// Creates a lane for a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - journal: Its journal, whose ranges say what is there.
    ///   - algorithms: What to hash it for.
    ///   - time: Measures when to sync.
    package init(
        _ file: PartialFile, _ journal: JournalFile, hashing algorithms: Set<DownloadDigest.Algorithm>, time: TimeSource
    ) {
        self.file = file
        self.journal = journal
        self.time = time
        work = Mutex(
            Work(
                ranges: journal.journal.ranges, hasher: DownloadHasher(algorithms), noted: time.stopwatch(),
                synced: time.stopwatch()))
    }

    /// What is written by now.
    package var ranges: ByteRanges { work.withLock { $0.ranges } }

    /// Whether so much waits to be written that whoever brings more waits, too.
    package var isFull: Bool { state.withLock { $0.pending > Self.depth } }

    /// Writes bytes.
    ///
    /// - Parameters:
    ///   - chunks: The bytes.
    ///   - offset: Where they belong.
    /// - Throws: What an earlier write met.
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
                do throws(DownloadError) { try put(chunks, at: offset, count) } catch let caught { error = caught }
            }
            settle(count, error)
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

    private func settle(_ count: Int, _ error: DownloadError?) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.pending -= count
            if state.failure == nil { state.failure = error }
            guard state.pending <= Self.depth else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func put(_ chunks: [Data], at offset: Int64, _ count: Int) throws(DownloadError) {
        try file.write(chunks, at: offset)
        try work.withLock { work throws(DownloadError) in
            if !work.hasher.isIdle, work.hashed == offset {
                for chunk in chunks { chunk.withUnsafeBytes { work.hasher.update($0) } }
                work.hashed += Int64(count)
            }
            work.ranges.insert(offset..<offset + Int64(count))
            work.unsynced += Int64(count)
            work.unnoted += Int64(count)
            if work.unsynced >= Self.syncBytes || work.synced.elapsed >= Self.syncInterval {
                try sync(&work)
                return
            }
            let pause = work.noted.elapsed
            if pause >= Self.noteInterval || work.unnoted >= Self.noteBytes && pause >= Self.notePause {
                if let marker = file.marker { try journal.append(.written(work.ranges.ends, boot: marker)) }
                (work.unnoted, work.noted) = (0, time.stopwatch())
            }
        }
    }

    /// Makes what was written last, and only then says in the journal that it is there.
    private func sync(_ work: inout Work) throws(DownloadError) {
        work.synced = time.stopwatch()
        guard work.unsynced > 0 else { return }
        do throws(DownloadError) {
            try file.sync()
        } catch {
            forget(&work, error)
            throw error
        }
        try journal.append(.ranges(work.ranges.ends), isSynced: true)
        (work.unsynced, work.unnoted, work.noted) = (0, 0, time.stopwatch())
        // At most so much behind, so that the pages are still in memory.
        try hashFurther(&work)
    }

    /// Goes back to what lasts, and takes no more.
    ///
    /// The kernel has let go of bytes that were written. It says so once: another sync would succeed without them.
    private func forget(_ work: inout Work, _ error: DownloadError) {
        state.withLock { if $0.failure == nil { $0.failure = error } }
        let lasting = journal.journal.ranges
        work.ranges = lasting
        (work.unsynced, work.unnoted) = (0, 0)
        do throws(DownloadError) {
            try journal.append(.ranges(lasting.ends))
        } catch {
            // It still has them for written, and what is not in the file is not believed.
            try? file.truncate(to: 0)
        }
    }

    /// Hashes what came out of its order.
    ///
    /// - Parameters:
    ///   - work: What is under way.
    ///   - most: How many bytes at most.
    /// - Returns: Whether there is more.
    /// - Throws: `DownloadError` where the file cannot be read.
    @discardableResult
    private func hashFurther(_ work: inout Work, atMost most: Int64 = .max) throws(DownloadError) -> Bool {
        let whole = work.ranges.prefix
        guard !work.hasher.isIdle, work.hashed < whole else { return false }
        let end = whole - work.hashed > most ? work.hashed + most : whole
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

    /// Runs work in the lane.
    private func run<Value: Sendable>(
        whateverFailed: Bool = false, _ body: @escaping @Sendable (inout Work) throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        let outcome: Result<Value, DownloadError> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                continuation.resume(
                    returning: Result { () throws(DownloadError) in
                        if !whateverFailed, let failure = state.withLock({ $0.failure }) { throw failure }
                        return try work.withLock { work throws(DownloadError) in try body(&work) }
                    })
            }
        }
        return try outcome.get()
    }

    /// Catches up with what an earlier run left, before bytes come: the state of a hash cannot be written down, so what is there
    /// is read once more.
    ///
    /// - Throws: ``DownloadError``; `CancellationError` soon, however much there is.
    package func hashBeginning() async throws {
        while try await run({ [self] work throws(DownloadError) in try hashFurther(&work, atMost: Self.hashBytes) }) {
            try Task.checkCancellation()
        }
    }

    /// Makes what was written last.
    package func checkpoint() async throws(DownloadError) {
        // Also behind a write that failed: what came before it is there.
        try await run(whateverFailed: true) { [self] work throws(DownloadError) in try sync(&work) }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Begins anew, with another version of the file.
    ///
    /// - Parameters:
    ///   - entity: The version.
    ///   - algorithms: What to hash it for.
    ///   - isReserved: Whether to take the room for all of it now.
    /// - Throws: ``DownloadError``.
    package func restart(
        _ entity: DownloadEntity, hashing algorithms: Set<DownloadDigest.Algorithm>, isReserved: Bool
    ) async throws(DownloadError) {
        try await run { [self] work throws(DownloadError) in
            // Before a byte of the new version is written, the journal forgets those of the old one.
            try journal.append(.entity(entity), isSynced: true)
            DownloadDisk.syncFolder(of: journal.path)
            try file.truncate(to: 0)
            if isReserved, let total = entity.total { try file.reserve(total) }
            work = Work(
                ranges: ByteRanges(), hasher: DownloadHasher(algorithms), noted: time.stopwatch(),
                synced: time.stopwatch())
        }
    }

    /// Bytes that are there, to be compared.
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

    /// Makes all of it last, cut to its length.
    ///
    /// - Parameters:
    ///   - length: The length.
    ///   - algorithms: What to hash it for, beside what it was hashed for as it came: a hash may be told behind the last byte.
    /// - Returns: Its hashes.
    /// - Throws: ``DownloadError``; `CancellationError` soon, however much is still to be hashed.
    package func finish(
        length: Int64, hashing algorithms: Set<DownloadDigest.Algorithm> = []
    ) async throws -> [DownloadDigest] {
        while true {
            let digests = try await run { [self] work throws(DownloadError) in
                try end(&work, length, hashing: algorithms)
            }
            if let digests { return digests }
            try Task.checkCancellation()
        }
    }

    /// Does the next piece of what makes it whole.
    ///
    /// - Returns: Its hashes; `nil` where more of it is to be hashed.
    private func end(
        _ work: inout Work, _ length: Int64, hashing algorithms: Set<DownloadDigest.Algorithm>
    ) throws(DownloadError) -> [DownloadDigest]? {
        if file.length != length { try file.truncate(to: length) }
        if !algorithms.isSubset(of: work.hasher.algorithms) {
            (work.hasher, work.hashed) = (DownloadHasher(algorithms), 0)
        }
        if try hashFurther(&work, atMost: Self.hashBytes) { return nil }
        do throws(DownloadError) {
            try file.sync()
        } catch {
            forget(&work, error)
            throw error
        }
        try journal.append(.ranges(work.ranges.ends))
        work.unsynced = 0
        return work.hasher.digests
    }
}
