// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Writes one blob, to memory as long as it is small, and to the disk.
///
/// One that is small enough for the memory is there at once when it is whole, and in its file a little later; a larger one is
/// written as it comes.
final class BlobStoreWriter: BlobWriter {
    private struct State {
        /// All so far, as long as it may be kept in memory; then what is not in the draft yet, less than a batch.
        var bytes = Data()
        var isWhole: Bool
        var draft: BlobDraft?
        var layout: BlobLayout
        /// How many pieces are in the draft.
        var pieces: Int64 = 0
        var reserved: Int64 = 0
        /// Whether the disk takes it.
        var isOnDisk: Bool
        var isOver = false
        /// How many bytes of it are counted as unfinished.
        var counted: Int64 = 0
    }

    private let store: BlobStore
    private let disk: DiskTier?
    private let key: BlobKey
    private let metadata: [UInt8]
    private let note: BlobNote
    private let moment: CacheMoment?
    private let memoryLimit: Int64
    private let state: Mutex<State>

    init(
        _ store: BlobStore, _ disk: DiskTier?, _ key: BlobKey, _ metadata: [UInt8], _ note: BlobNote,
        length: Int64?, since moment: CacheMoment?, memoryLimit: Int64
    ) {
        self.store = store
        self.disk = disk
        self.key = key
        self.metadata = metadata
        self.note = note
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
            count(0, &state)
            return (state.draft, state.reserved)
        }
        guard let disk, draft != nil || reserved > 0 else { return }
        // To remove a large file may take a while.
        FileQueue.later {
            draft?.discard()
            disk.release(reserved)
        }
    }

    /// How many bytes more may wait for the disk.
    private static let waiting: Int64 = 16 << 20

    /// Counts the bytes that are in memory among those of all that is unfinished.
    ///
    /// - Returns: Whether that many may be there.
    @discardableResult
    private func count(_ bytes: Int64, _ state: inout State) -> Bool {
        let change = bytes - state.counted
        let limit = memoryLimit * 8 + (state.isWhole ? 0 : Self.waiting)
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
            if state.isWhole, !isSmall || !count(state.layout.length, &state) { state.isWhole = false }
            guard state.isWhole || state.isOnDisk else {
                state.bytes = Data()
                count(0, &state)
                return (false, false)
            }
            // A copy: what comes may be a small part of a large buffer.
            state.bytes.append(bytes)
            if state.isWhole { return (true, false) }
            // Where many wait for the disk, each goes there with every piece.
            let isCounted = count(Int64(state.bytes.count), &state)
            return (true, state.bytes.count >= (isCounted ? Int(StoredBlob.pieceSize) : BlobLayout.pieceSize))
        }
        guard isUseful, isFull, let disk else {
            if !isUseful { await store.supersede(key) }
            return isUseful
        }
        // Whoever waits for a disk waits here, not a thread of the tasks' pool, and no longer than the task is wanted.
        let outcome = try? await FileQueue.runUntilCancelled { [self] in
            state.withLock { state in
                if !Self.flush(&state, disk, isLast: false) { Self.leave(&state, disk) }
                count(Int64(state.bytes.count), &state)
                return state.isOnDisk
            }
        }
        // It is let go, with what was written of it, when the disk answers.
        guard let isStillUseful = outcome else { return false }
        // What was there before is not true any more, even where the new one finds no place.
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
                key: key, revision: state.layout.revision, metadata: metadata, note: note,
                length: Int64(state.bytes.count), body: .bytes(state.bytes))
            return (true, blob)
        }
        guard isOpen else { return false }
        guard let disk else { return enter(blob) {} }
        if let blob, store.mayFile {
            switch enterForFile(blob) {
            case .forgotten: return false
            case .entered:
                store.file(blob.revision) { [self] in file(disk, blob.revision) }
                return true
            case .refused: break
            }
        }
        // Who is cancelled does not wait for a disk, and a body that has come is kept: before what comes after it is kept,
        // changed or forgotten.
        let isStored = Mutex(false)
        await store.change(of: key.group.family, isRemoval: false) { [self] disk in
            // On the disk there is no place for it, but there may be in memory.
            let isThere = await FileQueue.run { [self] in finish(disk, blob) || enter(blob) {} }
            isStored.withLock { $0 = isThere }
        }
        return !Task.isCancelled && isStored.withLock { $0 }
    }

    private func isWanted(_ memory: MemoryTier) -> Bool {
        moment == nil || memory.moment(of: key.group.family) == moment
    }

    /// Makes the blob one of the store, unless it was forgotten before it was whole.
    ///
    /// - Parameters:
    ///   - blob: The blob for the memory; `nil` where it is too large.
    ///   - isEntered: Is called if it is, while nobody can forget it.
    /// - Returns: Whether it is in memory.
    private func enter(_ blob: StoredBlob?, _ isEntered: () -> Void) -> Bool {
        store.memory.withLock { memory in
            guard isWanted(memory) else { return false }
            // What was there before is not true any more, even where the new one is too large.
            // With what stands beside it, and is made of that, it may be too large after all.
            var isKept = false
            if let blob { isKept = memory.replace(with: blob) } else { memory.remove(key) }
            isEntered()
            return isKept
        }
    }

    private enum Entrance {
        /// It was forgotten before it was whole.
        case forgotten
        /// It is in memory.
        case entered
        /// The memory has no room for it.
        case refused
    }

    /// Makes the blob one of the memory, its file still to be written.
    private func enterForFile(_ blob: StoredBlob) -> Entrance {
        store.memory.withLock { memory in
            guard isWanted(memory) else { return .forgotten }
            return memory.insertForFile(blob) ? .entered : .refused
        }
    }

    /// Writes the file of a blob that is in memory already, unless that was forgotten, changed or replaced; this blocks.
    private func file(_ disk: DiskTier, _ revision: UInt64) {
        let isWanted = { [self] in store.memory.withLock { $0.isFiling(key, revision) } }
        guard isWanted() else { return }
        defer { store.memory.withLock { $0.endFiling(key, revision) } }
        let (draft, layout, reserved) = drafted(disk)
        guard let draft else {
            // What has its name is an older one. Where this one is not wanted any more, another will come.
            if isWanted() { disk.remove(key) }
            return
        }
        _ = disk.finish(draft, key, metadata, layout, reserved: reserved, isWanted: isWanted) { add in
            store.memory.withLock { memory in
                guard memory.isFiling(key, revision) else { return false }
                memory.endFiling(key, revision)
                add()
                return true
            }
        }
    }

    /// The draft with the whole body, which is out of the writer's hands from now on; this blocks.
    ///
    /// - Returns: The draft, `nil` where the disk does not take it; and how many bytes are reserved for it.
    private func drafted(_ disk: DiskTier) -> (BlobDraft?, BlobLayout, Int64) {
        state.withLock { state in
            guard state.isOnDisk, Self.flush(&state, disk, isLast: true), let draft = state.draft else {
                Self.leave(&state, disk)
                return (nil, state.layout, 0)
            }
            defer { (state.draft, state.reserved) = (nil, 0) }
            return (draft, state.layout, state.reserved)
        }
    }

    /// Writes the rest and gives the file its name; this blocks.
    ///
    /// - Returns: Whether the blob is there now, or is not to be.
    private func finish(_ disk: DiskTier, _ blob: StoredBlob?) -> Bool {
        let (draft, layout, reserved) = drafted(disk)
        guard let draft else {
            disk.remove(key)
            return false
        }
        return disk.finish(
            draft, key, metadata, layout, reserved: reserved, isWanted: { store.memory.withLock { isWanted($0) } }
        ) { add in
            var isEntered = false
            _ = enter(blob) {
                add()
                isEntered = true
            }
            return isEntered
        }
    }

    /// Writes full pieces, and the rest where it is the last.
    private static func flush(_ state: inout State, _ disk: DiskTier, isLast: Bool) -> Bool {
        // The lock is this writer's own, which one task at a time uses: nobody else waits for it.
        guard state.isOnDisk, state.layout.fileSize <= disk.entryLimit else { return false }
        let wanted = state.layout.fileSize
        if wanted > state.reserved {
            guard disk.reserve(wanted - state.reserved) else { return false }
            state.reserved = wanted
        }
        if state.draft == nil { state.draft = disk.draft() }
        guard let draft = state.draft else { return false }
        var place = state.bytes.startIndex
        while state.bytes.endIndex - place >= BlobLayout.pieceSize || (isLast && place < state.bytes.endIndex) {
            let end = min(place + BlobLayout.pieceSize, state.bytes.endIndex)
            guard draft.write(state.bytes[place..<end], number: state.pieces, state.layout) else { return false }
            state.pieces += 1
            place = end
        }
        state.bytes = Data(state.bytes[place...])
        return true
    }

    /// Does without the disk from now on.
    private static func leave(_ state: inout State, _ disk: DiskTier) {
        state.isOnDisk = false
        state.bytes = Data()
        discard(&state, disk)
    }

    private static func discard(_ state: inout State, _ disk: DiskTier?) {
        state.draft?.discard()
        state.draft = nil
        if state.reserved > 0 { disk?.release(state.reserved) }
        state.reserved = 0
    }
}
