// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A state machine for sending a request's body over HTTP/1.1, without the bytes.
///
/// Its owner performs actions until `next` returns `.none`. A write may fail, or change the writability of the socket,
/// so that the owner is called recursively. Each call then gets the next action, and no action is returned twice.
package struct UploadStateMachine: Equatable, Sendable {
    /// A range of bytes to write at once.
    package struct Part: Equatable, Sendable {
        /// The range in the available bytes.
        package var range: Range<Int>
        /// The length of the chunk that begins here, to be written before the bytes; `nil` within a chunk, and without
        /// chunked coding.
        package var chunk: Int?
        /// True if the chunk ends here, so that a line break is written after the bytes.
        package var endsChunk: Bool
        /// True if these are the last promised bytes, after which the server may respond.
        package var isLast: Bool

        package init(range: Range<Int>, chunk: Int? = nil, endsChunk: Bool = false, isLast: Bool = false) {
            self.range = range
            self.chunk = chunk
            self.endsChunk = endsChunk
            self.isLast = isLast
        }
    }

    package enum Action: Equatable, Sendable {
        case write(Part)
        /// Ask for the next chunk.
        case wantMore
        /// Wait until the socket is writable.
        case wait
        /// Yield to the loop's other work, such as reading an early response; then call ``resumed()``.
        case yield
        /// The body is complete.
        case end
        case none
    }

    private enum State: Equatable, Sendable {
        /// The body waits for `100 Continue`.
        case held
        /// Bytes in memory: their number, and how many were written.
        case bytes(Int, sent: Int)
        /// Waiting for the next chunk, or for the socket to become writable if it is full; `left` is the rest of a
        /// promised length.
        case source(left: Int64, isFull: Bool)
        /// A chunk is being written; `left` does not include it.
        case chunk(Int, sent: Int, left: Int64)
        case ended
    }

    /// The number of bytes that are copied and written at a time.
    package static let slice = 64 * 1024
    /// The number of bytes to write before yielding to the loop's other work.
    package static let turn = 512 * 1024

    private var state: State
    /// True if chunked coding is used, because the length is unknown.
    package let isChunked: Bool
    private var budget = Self.turn
    private var isYielding = false

    private init(_ state: State, isChunked: Bool) {
        self.state = state
        self.isChunked = isChunked
    }

    /// A cursor for a body that waits for `100 Continue`.
    package static var held: UploadStateMachine { UploadStateMachine(.held, isChunked: false) }

    /// Creates a cursor for a body in memory.
    ///
    /// - Parameter count: Its length in bytes.
    package init(bytes count: Int) { self.init(.bytes(count, sent: 0), isChunked: false) }

    /// Creates a cursor for a body in chunks, the first of which was requested.
    ///
    /// - Parameters:
    ///   - isChunked: True if chunked coding is used.
    ///   - length: The promised length in bytes; `nil` if it is unknown.
    package init(isChunked: Bool, length: Int64?) {
        self.init(.source(left: isChunked ? .max : length ?? .max, isFull: false), isChunked: isChunked)
    }

    package var isHeld: Bool { state == .held }

    /// True if the source is preparing the next chunk, which does not count toward the server's time.
    package var isWaitingForSource: Bool {
        guard case .source(_, isFull: false) = state else { return false }
        return true
    }

    /// True if there are bytes that were not written yet.
    package var hasBytes: Bool {
        switch state {
        case .bytes, .chunk: true
        case .held, .source, .ended: false
        }
    }

    /// Returns the next action.
    ///
    /// - Parameter isWritable: True if the socket is writable.
    /// - Returns: The action; the cursor has already advanced past it.
    package mutating func next(isWritable: Bool) -> Action {
        switch state {
        case .held, .ended: return .none
        case .source(let left, let isFull):
            guard isFull, isWritable else { return .none }
            state = .source(left: left, isFull: false)
            return .wantMore
        case .bytes(let count, let sent):
            guard sent < count else {
                state = .ended
                return .end
            }
            if let pause = pause(sent, isWritable: isWritable) { return pause }
            let part = Part(range: sent..<min(count, sent + Self.slice))
            state = .bytes(count, sent: part.range.upperBound)
            return .write(part)
        case .chunk(let count, let sent, let left):
            guard sent < count else {
                state = .source(left: left, isFull: !isWritable)
                return isWritable ? .wantMore : .wait
            }
            if let pause = pause(sent, isWritable: isWritable) { return pause }
            var part = Part(range: sent..<min(count, sent + Self.slice))
            let isEnd = part.range.upperBound == count
            if isChunked {
                part.chunk = sent == 0 ? count : nil
                part.endsChunk = isEnd
            }
            part.isLast = isEnd && left <= 0
            state = .chunk(count, sent: part.range.upperBound, left: left)
            return .write(part)
        }
    }

    /// Returns the action that pauses writing; `nil` to write now.
    private mutating func pause(_ sent: Int, isWritable: Bool) -> Action? {
        guard !isYielding else { return Action.none }
        // The first bytes are written in any case: the head before them may have filled the socket without being
        // flushed yet.
        guard sent == 0 || isWritable else {
            budget = Self.turn
            return .wait
        }
        guard budget > 0 else {
            isYielding = true
            return .yield
        }
        budget -= Self.slice
        return nil
    }

    /// Records that the loop has done its other work.
    package mutating func resumed() {
        isYielding = false
        budget = Self.turn
    }

    /// Adds a chunk.
    ///
    /// - Parameter count: Its length in bytes.
    /// - Returns: False if no chunk was requested; then it is ignored.
    package mutating func receivedChunk(ofSize count: Int) -> Bool {
        guard case .source(let left, isFull: false) = state else { return false }
        budget = Self.turn
        state = .chunk(count, sent: 0, left: left - Int64(count))
        return true
    }

    /// Ends the body.
    ///
    /// - Returns: False if no chunk was requested; then the call is ignored.
    package mutating func ended() -> Bool {
        guard case .source(_, isFull: false) = state else { return false }
        state = .ended
        return true
    }
}
