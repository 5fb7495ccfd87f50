// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The outbound frames of a WebSocket over a byte stream, shared by the sending tasks and the task that writes.
final class ByteStreamOutbox: WebSocketOutbox, WebSocketFrameQueue {
    /// The size up to which a message is encoded next to others under the lock, in bytes.
    static let maximumInlineSize = 4 * 1024

    private typealias Writer = CheckedContinuation<Data?, Never>

    private struct State {
        var turns: SendTurns
        var masks = MaskKeys()
        /// The encoded frames to write next.
        var bytes = Data()
        /// The task that writes, while there is nothing to write.
        var writer: Writer?
        /// True if nothing is added anymore: the writer ends after the remaining frames.
        var isFinished = false
        var progress = WebSocketProtocolStateMachine.Progress.none

        mutating func add(_ frame: Data) {
            bytes.append(frame)
            turns.pending += frame.count
        }

        mutating func add(_ opcode: WebSocketOpcode, payload: UnsafeRawBufferPointer) {
            add(Self.encode(WebSocketFrame(opcode, length: payload.count), payload: payload, mask: masks.next()))
        }

        mutating func add(_ opcode: WebSocketOpcode, payload: [UInt8]) {
            payload.withUnsafeBytes { add(opcode, payload: $0) }
        }

        static func encode(_ header: WebSocketFrame, payload: UnsafeRawBufferPointer, mask: UInt32) -> Data {
            let buffer = MessageBuffer()
            buffer.write(atLeast: header.headSize + payload.count) { room in
                FrameEncoder.write(header, payload: payload, mask: mask, to: room)
            }
            return buffer.takeData()
        }

        /// Removes and returns the frames to write now; `nil` if nothing is queued.
        mutating func take() -> Data? {
            turns.isScheduled = false
            if let pong = turns.pong.take() { add(.pong, payload: pong) }
            guard !bytes.isEmpty else { return nil }
            defer { bytes = Data() }
            turns.pending = 0
            progress.waiting += bytes.count
            return bytes
        }

        /// Returns what resumes the writer, if it waits and there is something to write, and the next sender.
        mutating func wake() -> Wake {
            guard writer != nil else { return Wake() }
            let batch = take()
            guard batch != nil || isFinished else { return Wake() }
            return Wake(writer: writer.take(), batch: batch, turn: turns.next())
        }
    }

    /// The tasks to resume after the lock is released.
    private struct Wake {
        var writer: Writer?
        var batch: Data?
        var turn: SendTurns.Turn?

        func resume() {
            writer?.resume(returning: batch)
            turn?.resume(returning: .success(()))
        }
    }

    private let state: Mutex<State>

    /// Creates an outbox.
    ///
    /// - Parameter limit: The number of unwritten bytes from which senders wait.
    init(limit: Int) { state = Mutex(State(turns: SendTurns(limit: limit))) }

    /// The progress of outgoing data.
    var progress: WebSocketProtocolStateMachine.Progress {
        state.withLock { state in
            var progress = state.progress
            progress.waiting += state.bytes.count
            return progress
        }
    }

    private func change(_ body: (inout State) -> WebSocketError?) throws(WebSocketError) {
        let (error, wake) = state.withLock { state in (body(&state), state.wake()) }
        wake.resume()
        if let error { throw error }
    }

    private func change(_ body: (inout State) -> Void) {
        let wake = state.withLock { state in
            body(&state)
            return state.wake()
        }
        wake.resume()
    }

    // MARK: The sending tasks

    func withTurns<Result: Sendable>(_ body: (inout SendTurns) -> Result) -> Result {
        state.withLock { body(&$0.turns) }
    }

    func encode(_ header: WebSocketFrame, payload: UnsafeRawBufferPointer) -> Data {
        State.encode(header, payload: payload, mask: state.withLock { $0.masks.next() })
    }

    func add(_ frames: [Data]) throws(WebSocketError) {
        try change { state -> WebSocketError? in
            if let ended = state.turns.ended { return ended }
            for frame in frames { state.add(frame) }
            return nil
        }
    }

    /// Adds a small message as one frame, if no other sender is active or waits.
    ///
    /// - Returns: False if the sender has to wait for its turn, which also reports the end of the connection.
    func sendImmediately(_ opcode: WebSocketOpcode, payload: UnsafeRawBufferPointer) -> Bool {
        let (isSent, wake) = state.withLock { state -> (Bool, Wake) in
            guard state.turns.isFree else { return (false, Wake()) }
            state.add(opcode, payload: payload)
            return (true, state.wake())
        }
        wake.resume()
        return isSent
    }

    @discardableResult
    func ping(_ payload: [UInt8]) throws(WebSocketError) -> SendTurns.Sending {
        try change { state -> WebSocketError? in
            if let ended = state.turns.ended { return ended }
            state.add(.ping, payload: payload)
            return nil
        }
        return .added
    }

    // MARK: The connection

    func pong(_ payload: [UInt8]) {
        change { state -> Void in
            guard state.turns.ended == nil else { return }
            if state.turns.isFull {
                state.turns.pong = payload
            } else {
                state.add(.pong, payload: payload)
            }
        }
    }

    func end(_ error: WebSocketError, closeFrame: (code: WebSocketCloseCode?, reason: String)?) {
        let (turns, wake) = state.withLock { state -> ([SendTurns.Turn], Wake) in
            guard state.turns.ended == nil else { return ([], Wake()) }
            if let (code, reason) = closeFrame {
                state.add(.close, payload: FrameEncoder.closePayload(code, reason: reason))
            }
            return (state.turns.end(error), state.wake())
        }
        for turn in turns { turn.resume(returning: .failure(error)) }
        wake.resume()
    }

    func discard() {
        state.withLock { state in
            state.bytes = Data()
            state.turns.pending = 0
        }
    }

    func freeSpareBuffers() {}

    /// Lets the writer end after the remaining frames.
    func finish() {
        change { state -> Void in state.isFinished = true }
    }

    // MARK: The writer

    /// Waits for the frames to write next.
    ///
    /// - Returns: The frames; `nil` after ``finish()`` and the last one.
    func next() async -> Data? {
        await withCheckedContinuation { (writer: Writer) in
            change { state -> Void in state.writer = writer }
        }
    }

    /// Notes that the connection has accepted bytes.
    func wrote(_ count: Int) {
        state.withLock { state in
            state.progress.written += count
            state.progress.waiting -= count
        }
    }
}
