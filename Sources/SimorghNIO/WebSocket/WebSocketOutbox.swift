// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization

/// What is to be written to one WebSocket: shared by the tasks that send and the event loop that writes.
///
/// One message goes out at a time. Where it is small, none is on its way and there is room, that takes one lock and no
/// waiting; otherwise whoever sends takes a turn, in the order of asking.
final class WebSocketOutbox: Sendable {
    /// A message of up to so many bytes is put among others under the lock.
    static let mostSmall = 4 * 1024
    /// From so many bytes on, the memory of what was written is used again.
    static let leastSpare = 16 * 1024
    /// The memory of small frames is kept where it is no more than this: a connection that rests has it too.
    private static let mostKept = 512

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = max(limit, 1) }

    /// What became of a message.
    enum Sending: Sendable, Hashable {
        /// It has to take its turn, by which it learns of an end, too.
        case refused
        /// It is to be written, and the loop knows.
        case added
        /// It is to be written, and the loop must be told.
        case addedFirst
    }

    /// What is written at once.
    struct Batch: Sendable {
        /// Whole frames.
        var frames: [ByteBuffer] = []
        /// Small frames behind them, in one piece: mostly all there is, and no reason to make an array.
        var small = ByteBuffer()

        var isEmpty: Bool { frames.isEmpty && small.readableBytes == 0 }

        /// The memory of the small frames, which are written, for those that come next.
        mutating func spare() -> ByteBuffer? {
            guard small.capacity > 0, small.capacity <= WebSocketOutbox.mostKept else { return nil }
            // What the network still holds is not touched: this is other memory then.
            small.clear()
            return small
        }
    }

    // MARK: The tasks that send

    /// Sends a small message in one frame, if nothing stands in the way.
    func sendAtOnce(_ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer) -> Sending {
        state.withLock { state -> Sending in
            guard state.ended == nil, state.isFree(limit) else { return .refused }
            state.write(opcode, payload)
            return state.schedule()
        }
    }

    /// A mask for a message that the loop writes without putting it here, if nothing is here that comes before it.
    func maskForAnswer() -> UInt32? {
        state.withLock { state -> UInt32? in
            guard state.ended == nil, state.isEmpty, state.isFree(limit) else { return nil }
            return state.masks.next()
        }
    }

    /// Waits until nobody else sends and there is room; the turn is given back by ``leave()``.
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
            state.line.append(turn, number: id)
        }
    }

    /// Waits, with the turn in hand, until there is room for more.
    func room() async throws(WebSocketError) {
        guard state.withLock({ $0.isFull(limit) || $0.ended != nil }) else { return }
        try await wait(0) { state in
            !state.isFull(self.limit)
        } enqueue: { state, turn in
            state.holder = turn
        }
    }

    /// Waits for a turn: the one with the number 0 is that of the one who has it already.
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

    /// Gives the turn back.
    func leave() {
        let turn = state.withLock { state -> Turn? in
            state.isHeld = false
            return state.next(limit)
        }
        turn?.resume(returning: .success(()))
    }

    /// A mask for a frame that is made outside of the lock.
    func mask() -> UInt32 { state.withLock { $0.masks.next() } }

    /// Room for a frame with so many bytes of payload, that of one which was written where there is any.
    ///
    /// New memory of that size costs more than to fill it: the system has to clear it first.
    func room(for count: Int) -> ByteBuffer {
        guard count >= Self.leastSpare else { return ByteBuffer() }
        FreedMemory.keep()
        let used = state.withLock { state -> ByteBuffer? in
            guard let used = state.spares.popLast() else { return nil }
            state.spared -= used.capacity
            return used
        }
        guard var used else { return ByteBuffer() }
        used.clear()
        return used
    }

    /// Adds frames of whoever has the turn: all of them, or none.
    ///
    /// - Returns: Whether the loop must be told.
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

    /// Sends a ping, whoever has the turn.
    ///
    /// - Returns: Whether the loop must be told.
    func ping(_ payload: [UInt8]) throws(WebSocketError) -> Sending {
        let (sending, error) = state.withLock { state -> (Sending, WebSocketError?) in
            if let ended = state.ended { return (.refused, ended) }
            state.write(.ping, payload)
            return (state.schedule(), nil)
        }
        if let error { throw error }
        return sending
    }

    // MARK: The event loop

    /// Answers a ping; when much waits to be written, the latest alone.
    func pong(_ payload: [UInt8]) {
        state.withLock { state in
            guard state.ended == nil else { return }
            if state.isFull(limit) {
                state.pong = payload
            } else {
                state.write(.pong, payload)
            }
        }
    }

    /// Nothing is sent any more but a goodbye, where there is one.
    func end(_ error: WebSocketError, goodbye: (code: WebSocketCloseCode?, reason: String)?) {
        let turns = state.withLock { state -> [Turn] in
            guard state.ended == nil else { return [] }
            state.ended = error
            state.pong = nil
            state.spares = []
            if let (code, reason) = goodbye {
                var payload: [UInt8] = []
                if let code {
                    payload = [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)] + reason.utf8
                }
                state.write(.close, payload)
            }
            let holder = state.holder.take()
            return state.line.removeAll() + (holder.map { [$0] } ?? [])
        }
        for turn in turns { turn.resume(returning: .failure(error)) }
    }

    /// Drops what was not written.
    func discard() {
        state.withLock { state in
            state.frames = []
            state.small = ByteBuffer()
            state.pending = 0
        }
    }

    /// Takes what is to be written now.
    ///
    /// - Parameter isWritable: Whether the network takes anything.
    /// - Returns: Frames, several in a piece or not.
    func take(isWritable: Bool) -> Batch {
        state.withLock { state -> Batch in
            state.isScheduled = false
            state.isBlocked = !isWritable
            guard isWritable else { return Batch() }
            if let pong = state.pong.take() { state.write(.pong, pong) }
            state.pending = 0
            defer {
                state.frames = []
                state.small = ByteBuffer()
            }
            return Batch(frames: state.frames, small: state.small)
        }
    }

    /// What was taken is written, or lies with the network.
    ///
    /// - Parameters:
    ///   - isWritable: Whether the network takes more.
    ///   - spare: Memory for small frames.
    func wrote(isWritable: Bool, spare: ByteBuffer? = nil) {
        let turn = state.withLock { state -> Turn? in
            state.isBlocked = !isWritable
            if let spare, state.ended == nil, state.small.capacity == 0 { state.small = spare }
            return state.next(limit)
        }
        turn?.resume(returning: .success(()))
    }

    /// A frame was written; its memory may be used again.
    func recycle(_ frame: ByteBuffer) {
        state.withLock { state in
            guard state.ended == nil, state.spared + frame.capacity <= limit else { return }
            state.spares.append(frame)
            state.spared += frame.capacity
        }
    }

    /// Gives back the memory that is kept to be used again.
    func forgetSpares() {
        state.withLock { state in
            state.spares = []
            state.spared = 0
            if state.small.readableBytes == 0 { state.small = ByteBuffer() }
        }
    }

    /// Whether there is anything to write.
    var isEmpty: Bool { state.withLock { $0.isEmpty } }
}

extension WebSocketOutbox {
    /// What the turn of one who waits brings.
    private typealias Turn = CheckedContinuation<Result<Void, WebSocketError>, Never>

    private struct State {
        /// What goes out next: whole frames, and behind them small ones in one piece.
        var frames: [ByteBuffer] = []
        var small = ByteBuffer()
        var pending = 0
        /// Of frames that were written, and how much memory that is.
        var spares: [ByteBuffer] = []
        var spared = 0
        /// Whether the loop was asked to write, and has not begun.
        var isScheduled = false
        /// The network takes nothing at the moment.
        var isBlocked = false
        /// A message is on its way, or in its sender's hands.
        var isHeld = false
        /// Who waits for a turn.
        var line = NumberedQueue<Turn>()
        /// Who has the turn and waits for room.
        var holder: Turn?
        var lastID: UInt64 = 0
        var ended: WebSocketError?
        var masks = MaskKeys()
        /// The latest ping that was not answered yet, since the network takes nothing.
        var pong: [UInt8]?

        var isEmpty: Bool { frames.isEmpty && small.readableBytes == 0 && pong == nil }

        func isFull(_ limit: Int) -> Bool { isBlocked || pending >= limit }

        /// Whether a message may go out without a turn: none is on its way, nobody waits, and there is room.
        func isFree(_ limit: Int) -> Bool { !isHeld && line.isEmpty && !isFull(limit) }

        mutating func schedule() -> Sending {
            defer { isScheduled = true }
            return isScheduled || isBlocked ? .added : .addedFirst
        }

        mutating func write(_ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer) {
            let before = small.readableBytes
            FrameWriter.write(opcode, payload, mask: masks.next(), to: &small)
            pending += small.readableBytes - before
        }

        mutating func write(_ opcode: WebSocketOpcode, _ payload: [UInt8]) {
            payload.withUnsafeBytes { write(opcode, $0) }
        }

        /// Puts the small frames in line, so that another can follow them.
        mutating func seal() {
            guard small.readableBytes > 0 else { return }
            frames.append(small)
            small = ByteBuffer()
        }

        /// Whose turn it is now.
        mutating func next(_ limit: Int) -> Turn? {
            // Mostly nobody waits.
            guard holder != nil || !line.isEmpty, !isFull(limit) else { return nil }
            // Who has the turn and waits for room comes first.
            if let turn = holder.take() { return turn }
            guard !isHeld, let turn = line.popFirst() else { return nil }
            isHeld = true
            return turn
        }

        /// Who waited under a number and does so no longer.
        mutating func leave(_ id: UInt64) -> Turn? { id == 0 ? holder.take() : line.remove(id) }
    }
}

extension WebSocketError {
    static let cancelled = WebSocketError(.cancelled, message: "the call was cancelled")
}
