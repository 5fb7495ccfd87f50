// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization

/// The outbound frames of one WebSocket, shared by the sending tasks and the event loop that writes.
///
/// One message is sent at a time. If a message is small, no other is being sent and there is room, sending takes one
/// lock and does not suspend. Otherwise the sender waits for its turn in FIFO order.
final class OutboundFrameQueue: Sendable {
    /// The size up to which a message is encoded next to others under the lock, in bytes.
    static let maximumInlineSize = 4 * 1024
    /// The size from which the memory of a written frame is reused, in bytes.
    static let minimumRecycledSize = 16 * 1024
    /// The largest buffer for small frames that is kept, in bytes.
    ///
    /// An idle connection keeps it, too.
    private static let maximumKeptBufferSize = 512

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = max(limit, 1) }

    /// The result of adding a message.
    enum Sending: Sendable, Hashable {
        /// Not added: the sender has to wait for its turn, which also reports the end of the connection.
        case refused
        /// Added; a flush is already scheduled.
        case added
        /// Added; the caller has to schedule a flush.
        case addedFirst
    }

    /// The frames that are written together.
    struct Batch: Sendable {
        /// Whole frames.
        var frames: [ByteBuffer] = []
        /// Small frames that follow, in one buffer.
        ///
        /// Usually there is nothing else, so no array is allocated.
        var small = ByteBuffer()

        var isEmpty: Bool { frames.isEmpty && small.readableBytes == 0 }

        /// Returns the memory of the written small frames, for the next ones.
        mutating func spare() -> ByteBuffer? {
            guard small.capacity > 0, small.capacity <= OutboundFrameQueue.maximumKeptBufferSize else { return nil }
            // If the channel still holds the bytes, `clear()` allocates new memory.
            small.clear()
            return small
        }
    }

    // MARK: The sending tasks

    /// Adds a small message as one frame, if no other sender is active or waits.
    func sendImmediately(_ opcode: WebSocketOpcode, payload: UnsafeRawBufferPointer) -> Sending {
        state.withLock { state -> Sending in
            guard state.ended == nil, state.isFree(limit) else { return .refused }
            state.write(opcode, payload: payload)
            return state.schedule()
        }
    }

    /// Returns a mask for a message that the event loop writes directly; `nil` if other frames must go first.
    func maskForAnswer() -> UInt32? {
        state.withLock { state -> UInt32? in
            guard state.ended == nil, state.isEmpty, state.isFree(limit) else { return nil }
            return state.masks.next()
        }
    }

    /// Waits until no other sender is active and there is room.
    ///
    /// The caller must call ``leave()`` afterwards.
    func enter() async throws(WebSocketError) {
        let id = state.withLock { state -> UInt64? in
            if state.ended == nil, state.isFree(limit) {
                state.isHeld = true
                return nil
            }
            state.lastID += 1
            return state.lastID
        }
        guard let id else { return }
        try await wait(id) { state in
            guard state.isFree(self.limit) else { return false }
            state.isHeld = true
            return true
        } enqueue: { state, turn in
            state.waiters.append(turn, number: id)
        }
    }

    /// Waits until there is room for more; called by the active sender.
    func room() async throws(WebSocketError) {
        guard state.withLock({ $0.isFull(limit) || $0.ended != nil }) else { return }
        try await wait(0) { state in
            !state.isFull(self.limit)
        } enqueue: { state, turn in
            state.holder = turn
        }
    }

    /// Waits for a turn.
    ///
    /// The number 0 stands for the active sender.
    private func wait(
        _ id: UInt64, goesOn: @Sendable (inout State) -> Bool, enqueue: @Sendable (inout State, consuming Turn) -> Void
    ) async throws(WebSocketError) {
        try await withTaskCancellationHandler {
            await withCheckedContinuation { (turn: Turn) in
                let early = state.withLock { state -> Result<Void, WebSocketError>? in
                    if let ended = state.ended { return .failure(ended) }
                    if Task.isCancelled { return .failure(.cancelled) }
                    if goesOn(&state) { return .success(()) }
                    enqueue(&state, turn)
                    return nil
                }
                if let early { turn.resume(returning: early) }
            }
        } onCancel: {
            let turn = state.withLock { $0.leave(id) }
            turn?.resume(returning: .failure(.cancelled))
        }.get()
    }

    /// Ends the turn.
    func leave() {
        let turn = state.withLock { state -> Turn? in
            state.isHeld = false
            return state.next(limit)
        }
        turn?.resume(returning: .success(()))
    }

    /// Returns a mask for a frame that is encoded outside of the lock.
    func mask() -> UInt32 { state.withLock { $0.masks.next() } }

    /// Returns a buffer for a frame with a payload of the given size, if possible one whose frame was written.
    ///
    /// New memory of that size costs more than filling it: the system has to clear it first.
    func room(for count: Int) -> ByteBuffer {
        guard count >= Self.minimumRecycledSize else { return ByteBuffer() }
        MallocTuning.retainFreedMemory()
        let used = state.withLock { state -> ByteBuffer? in
            guard let used = state.spares.popLast() else { return nil }
            state.spared -= used.capacity
            return used
        }
        guard var used else { return ByteBuffer() }
        used.clear()
        return used
    }

    /// Adds frames of the active sender: all of them, or none.
    ///
    /// - Returns: The result, which says if the caller has to schedule a flush.
    func add(_ frames: [ByteBuffer]) throws(WebSocketError) -> Sending {
        let (sending, error) = state.withLock { state -> (Sending, WebSocketError?) in
            if let ended = state.ended { return (.refused, ended) }
            state.seal()
            for frame in frames {
                state.frames.append(frame)
                state.pending += frame.readableBytes
            }
            return (state.schedule(), nil)
        }
        if let error { throw error }
        return sending
    }

    /// Adds a ping, even if another sender is active.
    ///
    /// - Returns: The result, which says if the caller has to schedule a flush.
    func ping(_ payload: [UInt8]) throws(WebSocketError) -> Sending {
        let (sending, error) = state.withLock { state -> (Sending, WebSocketError?) in
            if let ended = state.ended { return (.refused, ended) }
            state.write(.ping, payload: payload)
            return (state.schedule(), nil)
        }
        if let error { throw error }
        return sending
    }

    // MARK: The event loop

    /// Answers a ping.
    ///
    /// While the outbox is full, only the latest ping is answered.
    func pong(_ payload: [UInt8]) {
        state.withLock { state in
            guard state.ended == nil else { return }
            if state.isFull(limit) {
                state.pong = payload
            } else {
                state.write(.pong, payload: payload)
            }
        }
    }

    /// Accepts no more messages; adds a close frame, if one is given.
    func end(_ error: WebSocketError, closeFrame: (code: WebSocketCloseCode?, reason: String)?) {
        let turns = state.withLock { state -> [Turn] in
            guard state.ended == nil else { return [] }
            state.ended = error
            state.pong = nil
            state.spares = []
            if let (code, reason) = closeFrame {
                var payload: [UInt8] = []
                if let code {
                    payload = [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)] + reason.utf8
                }
                state.write(.close, payload: payload)
            }
            let holder = state.holder.take()
            return state.waiters.removeAll() + (holder.map { [$0] } ?? [])
        }
        for turn in turns { turn.resume(returning: .failure(error)) }
    }

    /// Discards the unwritten frames.
    func discard() {
        state.withLock { state in
            state.frames = []
            state.small = ByteBuffer()
            state.pending = 0
        }
    }

    /// Removes and returns the frames to write now.
    ///
    /// - Parameter isWritable: True if the channel is writable.
    /// - Returns: The frames, with small ones combined in one buffer.
    func take(isWritable: Bool) -> Batch {
        state.withLock { state -> Batch in
            state.isScheduled = false
            state.isBlocked = !isWritable
            guard isWritable else { return Batch() }
            if let pong = state.pong.take() { state.write(.pong, payload: pong) }
            state.pending = 0
            defer {
                state.frames = []
                state.small = ByteBuffer()
            }
            return Batch(frames: state.frames, small: state.small)
        }
    }

    /// Notes that the taken frames were written or passed to the channel.
    ///
    /// - Parameters:
    ///   - isWritable: True if the channel is still writable.
    ///   - spare: Memory for small frames.
    func wrote(isWritable: Bool, spare: ByteBuffer? = nil) {
        let turn = state.withLock { state -> Turn? in
            state.isBlocked = !isWritable
            if let spare, state.ended == nil, state.small.capacity == 0 { state.small = spare }
            return state.next(limit)
        }
        turn?.resume(returning: .success(()))
    }

    /// Keeps the memory of a written frame for reuse.
    func recycle(_ frame: ByteBuffer) {
        state.withLock { state in
            guard state.ended == nil, state.spared + frame.capacity <= limit else { return }
            state.spares.append(frame)
            state.spared += frame.capacity
        }
    }

    /// Frees the memory that is kept for reuse.
    func freeSpareBuffers() {
        state.withLock { state in
            state.spares = []
            state.spared = 0
            if state.small.readableBytes == 0 { state.small = ByteBuffer() }
        }
    }

    /// True if there is nothing to write.
    var isEmpty: Bool { state.withLock { $0.isEmpty } }
}

extension OutboundFrameQueue {
    /// The continuation of a waiting sender.
    private typealias Turn = CheckedContinuation<Result<Void, WebSocketError>, Never>

    private struct State {
        /// The frames to write next: whole frames, then small ones in one buffer.
        var frames: [ByteBuffer] = []
        var small = ByteBuffer()
        var pending = 0
        /// The buffers of written frames, and the size of their memory.
        var spares: [ByteBuffer] = []
        var spared = 0
        /// True if a flush is scheduled and has not begun.
        var isScheduled = false
        /// True while the channel is not writable.
        var isBlocked = false
        /// True while a sender is active.
        var isHeld = false
        /// The senders that wait for their turn.
        var waiters = NumberedQueue<Turn>()
        /// The active sender, if it waits for room.
        var holder: Turn?
        var lastID: UInt64 = 0
        var ended: WebSocketError?
        var masks = MaskKeys()
        /// The payload of the latest ping that is unanswered because the channel is not writable.
        var pong: [UInt8]?

        var isEmpty: Bool { frames.isEmpty && small.readableBytes == 0 && pong == nil }

        func isFull(_ limit: Int) -> Bool { isBlocked || pending >= limit }

        /// True if a message may be added without a turn: no sender is active or waits, and there is room.
        func isFree(_ limit: Int) -> Bool { !isHeld && waiters.isEmpty && !isFull(limit) }

        mutating func schedule() -> Sending {
            defer { isScheduled = true }
            return isScheduled || isBlocked ? .added : .addedFirst
        }

        mutating func write(_ opcode: WebSocketOpcode, payload: UnsafeRawBufferPointer) {
            let before = small.readableBytes
            FrameWriter.write(opcode, payload: payload, mask: masks.next(), to: &small)
            pending += small.readableBytes - before
        }

        mutating func write(_ opcode: WebSocketOpcode, payload: [UInt8]) {
            payload.withUnsafeBytes { write(opcode, payload: $0) }
        }

        /// Moves the small frames to the list of whole ones, so that another frame can follow them.
        mutating func seal() {
            guard small.readableBytes > 0 else { return }
            frames.append(small)
            small = ByteBuffer()
        }

        /// Returns the sender whose turn it is now.
        mutating func next(_ limit: Int) -> Turn? {
            // Usually no sender waits.
            guard holder != nil || !waiters.isEmpty, !isFull(limit) else { return nil }
            // The active sender, if it waits for room, comes first.
            if let turn = holder.take() { return turn }
            guard !isHeld, let turn = waiters.popFirst() else { return nil }
            isHeld = true
            return turn
        }

        /// Removes and returns the waiting sender with a number.
        mutating func leave(_ id: UInt64) -> Turn? { id == 0 ? holder.take() : waiters.remove(id) }
    }
}

extension WebSocketError {
    static let cancelled = WebSocketError(.cancelled, message: "the call was cancelled")
}

/// The random masking keys of frames (RFC 6455), drawn in batches on platforms where each draw is a system call.
struct MaskKeys: Sendable {
    private static let batchSize = 32

    /// The unused keys, taken from the end.
    private var spares: [UInt32] = []

    mutating func next() -> UInt32 {
        if spares.isEmpty { draw() }
        return spares.popLast() ?? .random(in: .min ... .max)
    }

    private mutating func draw() {
        #if canImport(Glibc) || canImport(Musl)
        var words = [UInt32](repeating: 0, count: Self.batchSize)
        let code = words.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
        if code == 0 {
            spares = words
            return
        }
        #endif
        // On other platforms the generator buffers randomness itself.
        var generator = SystemRandomNumberGenerator()
        spares = [generator.next()]
    }
}
