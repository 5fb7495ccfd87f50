// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The writer of one blob, to memory and to the disk.
///
/// A blob that fits into memory is available as soon as it is complete, and its file is written a little later; a
/// larger one is written to the disk as it arrives.
final class BlobStoreWriter: BlobWriter {
    private struct State {
        /// All bytes so far, while the blob may be kept in memory; then the bytes not yet in the draft, less than a
        /// batch.
        var bytes = Data()
        var isWhole: Bool
        var draft: BlobDraft?
        var layout: BlobLayout
        /// The number of pieces in the draft.
        var pieces: Int64 = 0
        var reserved: Int64 = 0
        /// True if the blob is written to the disk.
        var isOnDisk: Bool
        var isOver = false
        /// The number of bytes counted as unfinished.
        var counted: Int64 = 0
    }

    private let store: BlobStore
    private let disk: DiskTier?
    private let key: BlobKey
    private let metadata: [UInt8]
    private let attachment: BlobAttachment
    private let moment: CacheMoment?
    private let memoryLimit: Int64
    private let state: Mutex<State>

    init(
        _ store: BlobStore, disk: DiskTier?, key: BlobKey, metadata: [UInt8], attachment: BlobAttachment,
        length: Int64?, since moment: CacheMoment?, memoryLimit: Int64
    ) {
        self.store = store
        self.disk = disk
        self.key = key
        self.metadata = metadata
        self.attachment = attachment
        self.moment = moment
        self.memoryLimit = memoryLimit
        let revision = UInt64.random(in: .min ... .max)
        let layout =
            disk?.layout(revision: revision, metadata: metadata.count)
            ?? BlobLayout(revision: revision, metadata: metadata.count, seal: BlobSeal())
        let isSmall = (length ?? 0) + Int64(metadata.count) <= memoryLimit
        state = Mutex(State(isWhole: isSmall, layout: layout, isOnDisk: disk != nil))
    }

    deinit {
        let (draft, reserved) = state.withLock { state in
            count(0, in: &state)
            return (state.draft, state.reserved)
        }
        guard let disk, draft != nil || reserved > 0 else { return }
        // Deleting a large file may take a while.
        FileQueue.later {
            draft?.discard()
            disk.release(reserved)
        }
    }

    /// The additional number of bytes that may wait for the disk.
    private static let maximumWaitingBytes: Int64 = 16 << 20

    /// Updates this writer's share of all unfinished bytes in memory.
    ///
    /// - Returns: True if the total stays within the limit.
    @discardableResult
    private func count(_ bytes: Int64, in state: inout State) -> Bool {
        let change = bytes - state.counted
        let limit = memoryLimit * 8 + (state.isWhole ? 0 : Self.maximumWaitingBytes)
        let isAllowed = store.unfinished.withLock { unfinished in
            guard change <= 0 || unfinished + change <= limit else { return false }
            unfinished += change
            return true
        }
        if isAllowed { state.counted = bytes }
        return isAllowed
    }

    func write(_ bytes: Data) async -> Bool {
        let (isUseful, isFull) = state.withLock { state in
            guard !state.isOver else { return (false, false) }
            state.layout.length += Int64(bytes.count)
            let isSmall = state.layout.length + Int64(metadata.count) <= memoryLimit
            if state.isWhole, !isSmall || !count(state.layout.length, in: &state) { state.isWhole = false }
            guard state.isWhole || state.isOnDisk else {
                state.bytes = Data()
                count(0, in: &state)
                return (false, false)
            }
            // Copied, since the bytes may be a small part of a large buffer.
            state.bytes.append(bytes)
            if state.isWhole { return (true, false) }
            // If many writers wait for the disk, each writes every single piece.
            let isCounted = count(Int64(state.bytes.count), in: &state)
            return (true, state.bytes.count >= (isCounted ? Int(StoredBlob.writeSize) : BlobLayout.pieceSize))
        }
        guard isUseful, isFull, let disk else {
            if !isUseful { await store.supersede(key) }
            return isUseful
        }
        // Waits for the disk without blocking a thread of the task pool; a cancelled task stops waiting.
        let outcome = try? await FileQueue.runUntilCancelled { [self] in
            state.withLock { state in
                if !Self.flush(&state, to: disk, isLast: false) { Self.abandonFile(of: &state, on: disk) }
                count(Int64(state.bytes.count), in: &state)
                return state.isOnDisk
            }
        }
        // The draft is discarded when the disk responds.
        guard let isStillUseful = outcome else { return false }
        // The previous blob is outdated, even if the new one cannot be stored.
        if !isStillUseful { await store.supersede(key) }
        return isStillUseful
    }

    @discardableResult
    func commit() async -> Bool {
        let (isOpen, blob): (Bool, StoredBlob?) = state.withLock { state in
            defer { state.isOver = true }
            guard !state.isOver else { return (false, nil) }
            guard state.isWhole else { return (true, nil) }
            let blob = StoredBlob(
                key: key, revision: state.layout.revision, metadata: metadata, attachment: attachment,
                length: Int64(state.bytes.count), body: .bytes(state.bytes))
            return (true, blob)
        }
        guard isOpen else { return false }
        guard let disk else { return enter(blob) {} }
        if let blob, store.canFileInBackground {
            switch enterForFile(blob) {
            case .forgotten: return false
            case .entered:
                store.writeFile(blob.revision) { [self] in writeFile(on: disk, revision: blob.revision) }
                return true
            case .refused: break
            }
        }
        // A cancelled task does not wait for the disk, but a complete body is stored before later changes to its
        // family.
        let isStored = Mutex(false)
        await store.change(of: key.group.family, isRemoval: false) { [self] disk in
            // If the disk has no room for it, memory may.
            let wasStored = await FileQueue.run { [self] in finish(on: disk, blob: blob) || enter(blob) {} }
            isStored.withLock { $0 = wasStored }
        }
        return !Task.isCancelled && isStored.withLock { $0 }
    }

    private func isWanted(_ memory: MemoryTier) -> Bool {
        moment == nil || memory.moment(of: key.group.family) == moment
    }

    /// Adds the complete blob to the store, unless its family was changed by a removal meanwhile.
    ///
    /// - Parameters:
    ///   - blob: The blob for memory; `nil` if it is too large.
    ///   - onEntry: Called if it is added, within the critical section.
    /// - Returns: True if it is in memory.
    private func enter(_ blob: StoredBlob?, onEntry: () -> Void) -> Bool {
        store.memory.withLock { memory in
            guard isWanted(memory) else { return false }
            // The previous blob is outdated, even if the new one is too large for memory, which its metadata and
            // attachment may make it.
            var isKept = false
            if let blob { isKept = memory.replace(with: blob) } else { memory.remove(key) }
            onEntry()
            return isKept
        }
    }

    private enum EntryResult {
        /// The blob was removed before it was complete.
        case forgotten
        /// The blob is in memory.
        case entered
        /// Memory has no room for the blob.
        case refused
    }

    /// Adds the blob to memory, with its file still to be written.
    private func enterForFile(_ blob: StoredBlob) -> EntryResult {
        store.memory.withLock { memory in
            guard isWanted(memory) else { return .forgotten }
            return memory.insertForFile(blob) ? .entered : .refused
        }
    }

    /// Writes the file of a blob in memory, unless that was removed, changed or replaced; this blocks.
    private func writeFile(on disk: DiskTier, revision: UInt64) {
        let isWanted = { [self] in store.memory.withLock { $0.isFiling(key, revision: revision) } }
        guard isWanted() else { return }
        defer { store.memory.withLock { $0.endFiling(key, revision: revision) } }
        let (draft, layout, reserved) = drafted(disk)
        guard let draft else {
            // The file under its name is an older one. If the blob was replaced, the new one writes the file.
            if isWanted() { disk.remove(key) }
            return
        }
        _ = disk.finish(draft, key: key, metadata: metadata, layout: layout, reserved: reserved, isWanted: isWanted) {
            add in
            store.memory.withLock { memory in
                guard memory.isFiling(key, revision: revision) else { return false }
                memory.endFiling(key, revision: revision)
                add()
                return true
            }
        }
    }

    /// Returns the draft with the whole body, and gives up its ownership; this blocks.
    ///
    /// - Returns: The draft, `nil` if the disk rejects it; the layout; and the number of bytes reserved for it.
    private func drafted(_ disk: DiskTier) -> (BlobDraft?, BlobLayout, Int64) {
        state.withLock { state in
            guard state.isOnDisk, Self.flush(&state, to: disk, isLast: true), let draft = state.draft else {
                Self.abandonFile(of: &state, on: disk)
                return (nil, state.layout, 0)
            }
            defer { (state.draft, state.reserved) = (nil, 0) }
            return (draft, state.layout, state.reserved)
        }
    }

    /// Writes the rest and moves the file into place; this blocks.
    ///
    /// - Returns: True if the blob is now stored.
    private func finish(on disk: DiskTier, blob: StoredBlob?) -> Bool {
        let (draft, layout, reserved) = drafted(disk)
        guard let draft else {
            disk.remove(key)
            return false
        }
        return disk.finish(
            draft, key: key, metadata: metadata, layout: layout, reserved: reserved,
            isWanted: { store.memory.withLock { isWanted($0) } }
        ) { add in
            var isEntered = false
            _ = enter(blob) {
                add()
                isEntered = true
            }
            return isEntered
        }
    }

    /// Writes all full pieces, and the rest if the body is complete.
    private static func flush(_ state: inout State, to disk: DiskTier, isLast: Bool) -> Bool {
        // Only this writer uses the lock, one task at a time, so holding it during file access blocks no other task.
        guard state.isOnDisk, state.layout.fileSize <= disk.entryLimit else { return false }
        let required = state.layout.fileSize
        if required > state.reserved {
            guard disk.reserve(required - state.reserved) else { return false }
            state.reserved = required
        }
        if state.draft == nil { state.draft = disk.draft() }
        guard let draft = state.draft else { return false }
        var next = state.bytes.startIndex
        while state.bytes.endIndex - next >= BlobLayout.pieceSize || (isLast && next < state.bytes.endIndex) {
            let end = min(next + BlobLayout.pieceSize, state.bytes.endIndex)
            guard draft.write(state.bytes[next..<end], number: state.pieces, layout: state.layout) else { return false }
            state.pieces += 1
            next = end
        }
        state.bytes = Data(state.bytes[next...])
        return true
    }

    /// Stops writing to the disk.
    private static func abandonFile(of state: inout State, on disk: DiskTier) {
        state.isOnDisk = false
        state.bytes = Data()
        discardDraft(of: &state, on: disk)
    }

    private static func discardDraft(of state: inout State, on disk: DiskTier?) {
        state.draft?.discard()
        state.draft = nil
        if state.reserved > 0 { disk?.release(state.reserved) }
        state.reserved = 0
    }
}
