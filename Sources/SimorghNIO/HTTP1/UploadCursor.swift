// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How far a request's body has gone out over HTTP/1.1, and what is to be done next; without a byte of it.
///
/// Its owner asks for the next action until there is none, and performs each. A write can fail, or make the socket full and
/// empty again, so that the owner is called from within it: whoever asks next is told what comes next, and nothing twice.
package struct UploadCursor: Equatable, Sendable {
    /// Bytes to write in one go.
    package struct Part: Equatable, Sendable {
        /// Which of the bytes at hand.
        package var range: Range<Int>
        /// The length of the chunk that begins with them, where that is written before them.
        package var chunk: Int?
        /// Whether the chunk ends behind them, which is written, too.
        package var endsChunk: Bool
        /// Whether these are the last bytes that were promised: the server knows it, and may answer.
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
        /// Go on when the socket takes more.
        case wait
        /// Let the loop look at other things, such as an answer that came meanwhile; then tell ``resumed()``.
        case yield
        /// The body is whole.
        case end
        case none
    }

    private enum State: Equatable, Sendable {
        /// The server has not said yet that it wants the body.
        case held
        /// Bytes in memory, and how many of them were written.
        case bytes(Int, sent: Int)
        /// The next chunk is awaited, of the source, or of the socket where that is full; of a length that was promised, so
        /// much is left.
        case source(left: Int64, isFull: Bool)
        /// A chunk; what is left counts without it.
        case chunk(Int, sent: Int, left: Int64)
        case ended
    }

    /// So much is copied and written at a time.
    package static let slice = 64 * 1024
    /// So much is written before the loop may look at other things.
    package static let turn = 512 * 1024

    private var state: State
    /// Whether chunks are written as such, for nobody knows the length.
    package let isChunked: Bool
    private var budget = Self.turn
    private var isYielding = false

    private init(_ state: State, isChunked: Bool) {
        self.state = state
        self.isChunked = isChunked
    }

    /// A body that waits for the server to ask for it.
    package static var held: UploadCursor { UploadCursor(.held, isChunked: false) }

    /// A body in memory.
    ///
    /// - Parameter count: Its length.
    package init(bytes count: Int) { self.init(.bytes(count, sent: 0), isChunked: false) }

    /// A body that comes in chunks, the first of which is asked for.
    ///
    /// - Parameters:
    ///   - isChunked: Whether they are written as such.
    ///   - length: How many bytes were promised; `nil` for any number.
    package init(isChunked: Bool, length: Int64?) {
        self.init(.source(left: isChunked ? .max : length ?? .max, isFull: false), isChunked: isChunked)
    }

    package var isHeld: Bool { state == .held }

    /// Whether the next chunk is being made, which is nobody's time but its maker's.
    package var isWaitingForSource: Bool {
        guard case .source(_, isFull: false) = state else { return false }
        return true
    }

    /// Whether there are bytes at hand that were not all written.
    package var hasBytes: Bool {
        switch state {
        case .bytes, .chunk: true
        case .held, .source, .ended: false
        }
    }

    /// What is to be done next.
    ///
    /// - Parameter isWritable: Whether the socket takes more.
    /// - Returns: What to do; the cursor is past it already.
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
            if let pause = pause(sent, isWritable) { return pause }
            let part = Part(range: sent..<min(count, sent + Self.slice))
            state = .bytes(count, sent: part.range.upperBound)
            return .write(part)
        case .chunk(let count, let sent, let left):
            guard sent < count else {
                state = .source(left: left, isFull: !isWritable)
                return isWritable ? .wantMore : .wait
            }
            if let pause = pause(sent, isWritable) { return pause }
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

    /// Why not to write now; `nil` where nothing is in the way.
    private mutating func pause(_ sent: Int, _ isWritable: Bool) -> Action? {
        guard !isYielding else { return Action.none }
        // The first bytes are written in any case: the head before them may fill the socket and is not on its way yet.
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

    /// The loop has looked at other things.
    package mutating func resumed() {
        isYielding = false
        budget = Self.turn
    }

    /// A chunk has come.
    ///
    /// - Parameter count: Its length.
    /// - Returns: `false` where none was asked for: it is for nobody.
    package mutating func took(_ count: Int) -> Bool {
        guard case .source(let left, isFull: false) = state else { return false }
        budget = Self.turn
        state = .chunk(count, sent: 0, left: left - Int64(count))
        return true
    }

    /// There is no further chunk.
    ///
    /// - Returns: `false` where none was asked for.
    package mutating func ended() -> Bool {
        guard case .source(_, isFull: false) = state else { return false }
        state = .ended
        return true
    }
}
