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
final class OutboundFrameQueue: WebSocketOutbox, TurnQueue {
    /// The size up to which a message is encoded next to others under the lock, in bytes.
    static let maximumInlineSize = 4 * 1024
    /// The size from which the memory of a written frame is reused, in bytes.
    static let minimumRecycledSize = 16 * 1024
    /// The largest buffer for small frames that is kept, in bytes.
    ///
    /// An idle connection keeps it, too.
    private static let maximumKeptBufferSize = 512

    private let limit: Int
    private let state: Mutex<State>

    init(limit: Int) {
        self.limit = max(limit, 1)
        state = Mutex(State(turns: SendTurns(limit: limit)))
    }

    typealias Sending = SendTurns.Sending

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
            guard state.turns.isFree else { return .refused }
            state.write(opcode, payload: payload)
            return state.turns.schedule()
        }
    }

    /// Returns a mask for a message that the event loop writes directly; `nil` if other frames must go first.
    func maskForAnswer() -> UInt32? {
        state.withLock { state -> UInt32? in
            guard state.isEmpty, state.turns.isFree else { return nil }
            return state.masks.next()
        }
    }

    func withTurns<Result: Sendable>(_ body: (inout SendTurns) -> Result) -> Result {
        state.withLock { body(&$0.turns) }
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
            if let ended = state.turns.ended { return (.refused, ended) }
            state.seal()
            for frame in frames {
                state.frames.append(frame)
                state.turns.pending += frame.readableBytes
            }
            return (state.turns.schedule(), nil)
        }
        if let error { throw error }
        return sending
    }

    /// Adds a ping, even if another sender is active.
    ///
    /// - Returns: The result, which says if the caller has to schedule a flush.
    func ping(_ payload: [UInt8]) throws(WebSocketError) -> Sending {
        let (sending, error) = state.withLock { state -> (Sending, WebSocketError?) in
            if let ended = state.turns.ended { return (.refused, ended) }
            state.write(.ping, payload: payload)
            return (state.turns.schedule(), nil)
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
            guard state.turns.ended == nil else { return }
            if state.turns.isFull {
                state.turns.pong = payload
            } else {
                state.write(.pong, payload: payload)
            }
        }
    }

    /// Accepts no more messages; adds a close frame, if one is given.
    func end(_ error: WebSocketError, closeFrame: (code: WebSocketCloseCode?, reason: String)?) {
        let turns = state.withLock { state -> [SendTurns.Turn] in
            guard state.turns.ended == nil else { return [] }
            state.spares = []
            if let (code, reason) = closeFrame {
                state.write(.close, payload: FrameEncoder.closePayload(code, reason: reason))
            }
            return state.turns.end(error)
        }
        for turn in turns { turn.resume(returning: .failure(error)) }
    }

    /// Discards the unwritten frames.
    func discard() {
        state.withLock { state in
            state.frames = []
            state.small = ByteBuffer()
            state.turns.pending = 0
        }
    }

    /// Removes and returns the frames to write now.
    ///
    /// - Parameter isWritable: True if the channel is writable.
    /// - Returns: The frames, with small ones combined in one buffer.
    func take(isWritable: Bool) -> Batch {
        state.withLock { state -> Batch in
            state.turns.isScheduled = false
            state.turns.isBlocked = !isWritable
            guard isWritable else { return Batch() }
            if let pong = state.turns.pong.take() { state.write(.pong, payload: pong) }
            state.turns.pending = 0
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
        let turn = state.withLock { state -> SendTurns.Turn? in
            state.turns.isBlocked = !isWritable
            if let spare, state.turns.ended == nil, state.small.capacity == 0 { state.small = spare }
            return state.turns.next()
        }
        turn?.resume(returning: .success(()))
    }

    /// Keeps the memory of a written frame for reuse.
    func recycle(_ frame: ByteBuffer) {
        state.withLock { state in
            guard state.turns.ended == nil, state.spared + frame.capacity <= limit else { return }
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
    private struct State {
        /// The frames to write next: whole frames, then small ones in one buffer.
        var frames: [ByteBuffer] = []
        var small = ByteBuffer()
        /// The buffers of written frames, and the size of their memory.
        var spares: [ByteBuffer] = []
        var spared = 0
        var masks = MaskKeys()
        var turns: SendTurns

        var isEmpty: Bool { frames.isEmpty && small.readableBytes == 0 && turns.pong == nil }

        mutating func write(_ opcode: WebSocketOpcode, payload: UnsafeRawBufferPointer) {
            let before = small.readableBytes
            FrameWriter.write(opcode, payload: payload, mask: masks.next(), to: &small)
            turns.pending += small.readableBytes - before
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
    }
}
