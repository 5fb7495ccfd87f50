// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// Parses received bytes into messages.
extension WebSocketConnectionCore {
    /// Parses received bytes as far as the inbox has room for the messages.
    ///
    /// - Parameters:
    ///   - bytes: The unread bytes.
    ///   - now: The time.
    /// - Returns: The number of bytes that were parsed; they must not be passed again.
    package mutating func process(_ bytes: UnsafeRawBufferPointer, at now: Int64) -> Int {
        self.now = now
        input = bytes
        do throws(WebSocketProtocolError) {
            while isReading, machine.isListening, try step() {}
        } catch {
            fail(error)
            return bytes.count
        }
        deliver()
        let count = bytes.count - input.count
        if !machine.isListening { stopListening() }
        input = UnsafeRawBufferPointer(start: nil, count: 0)
        return count
    }

    /// Notes that bytes of the input were parsed.
    private mutating func consume(_ count: Int) { input = UnsafeRawBufferPointer(rebasing: input[count...]) }

    /// Parses one frame head or some of a frame's payload.
    ///
    /// - Returns: False if more bytes are needed.
    private mutating func step() throws(WebSocketProtocolError) -> Bool {
        guard let current else { return try readHead() }
        return try readPayload(current)
    }

    private mutating func readHead() throws(WebSocketProtocolError) -> Bool {
        guard input.count > 0,
            let (frame, size) = try WebSocketFrame.read(input, mayBeCompressed: mayBeCompressed)
        else { return false }
        consume(size)
        let part = try machine.didReceiveHeader(frame)
        switch part {
        case .beginning where reception.isDiscarding, .middle where reception.isDiscarding: break
        case .beginning(let kind, let isCompressed):
            let isInParts = reception.messageBegan()
            if frame.length >= MallocTuning.minimumLargeSize { MallocTuning.retainFreedMemory() }
            if !isCompressed, frame.isFinal, !isInParts, frame.length <= input.count,
                frame.length <= options.maximumMessageSize
            {
                try takeWhole(kind, length: frame.length)
                return true
            }
            assembly = MessageAssembler(kind, isCompressed: isCompressed, isInParts: isInParts)
            if isInParts { batch.append(.beginning(kind)) }
            expect(frame)
        case .middle: expect(frame)
        case .control, .ignored: break
        }
        current = Current(frame: frame, part: part, missing: frame.length)
        return true
    }

    /// Takes a message that consists of one frame whose bytes have all arrived.
    private mutating func takeWhole(_ kind: WebSocketMessage.Kind, length: Int) throws(WebSocketProtocolError) {
        let bytes = UnsafeRawBufferPointer(rebasing: input[..<length])
        switch kind {
        case .binary: batch.append(.message(.data(Data(bytes))))
        case .text:
            guard let text = Self.text(bytes) else { throw .invalidText }
            batch.append(.message(.text(text)))
        }
        consume(length)
        checkBatch()
    }

    /// Returns the text of UTF-8 bytes; `nil` if they are not valid.
    ///
    /// Performance: `String(validating:as:)` is generic and looks up its types on each call, which dominates for a
    /// short text.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        if bytes.count <= 256, HeaderRules.isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
    }

    private mutating func expect(_ frame: WebSocketFrame) {
        guard let assembly, !assembly.isCompressed, !assembly.isInParts else { return }
        if frame.length > options.maximumMessageSize - assembly.count {
            // If the message is wanted in fragments, the received ones are delivered first.
            return overflowed()
        }
        self.assembly?.expect(frame.length)
    }

    private mutating func readPayload(_ current: Current) throws(WebSocketProtocolError) -> Bool {
        var current = current
        if current.missing > 0 {
            let count = min(current.missing, input.count)
            guard count > 0 else { return false }
            let taken = try take(count, of: current.part)
            // A message that is too large ends the connection, and the unread bytes are discarded.
            guard machine.isListening, !reception.isUndecided || taken > 0 else { return false }
            current.missing -= taken
            consume(taken)
            self.current = current
            deliverParts()
            if current.missing > 0 { return !reception.isUndecided }
        }
        return try endFrame(current)
    }

    /// Takes some bytes of a frame's payload.
    ///
    /// - Returns: The number of bytes taken; fewer than `count` if a message became too large, or a fragment is large
    ///   enough.
    private mutating func take(
        _ count: Int, of part: WebSocketProtocolStateMachine.FrameRole
    ) throws(WebSocketProtocolError) -> Int {
        switch part {
        case .ignored: return count
        case .control:
            control += input.prefix(count)
            return count
        case .beginning, .middle: break
        }
        let isCompressed = assembly?.isCompressed ?? false
        if !isCompressed, let assembly, !assembly.isInParts, count > options.maximumMessageSize - assembly.count {
            overflowed()
            return 0
        }
        let bytes = UnsafeRawBufferPointer(rebasing: input[..<count])
        guard isCompressed, let inflater else {
            try assembly?.append(bytes)
            return count
        }
        let limit = partLimit
        let taken = try assembly?.append(bytes, inflater: inflater, upTo: limit) ?? count
        checkSize()
        return taken
    }

    /// The maximum number of bytes of a message to hold: one more than allowed, which shows that it is too large.
    private var partLimit: Int {
        assembly?.isInParts == true ? 256 * 1024 : options.maximumMessageSize + 1
    }

    private mutating func checkSize() {
        guard let assembly, !assembly.isInParts, assembly.count > options.maximumMessageSize else { return }
        overflowed()
    }

    private mutating func deliverParts() {
        guard assembly?.isInParts == true, let part = assembly?.takePart() else { return }
        batch.append(.part(part))
        checkBatch()
    }

    /// Delivers the batch to the inbox before it becomes large.
    ///
    /// The inbox then decides whether reading continues.
    ///
    /// Messages are not delivered one by one, so that a waiting task is woken once for all messages of a read.
    private mutating func checkBatch() {
        if batch.isFull { deliver() }
    }

    private mutating func endFrame(_ current: Current) throws(WebSocketProtocolError) -> Bool {
        switch current.part {
        case .ignored: break
        case .control(let opcode):
            let payload = control
            control = []
            // Deliver earlier messages first: the control frame may end the connection.
            deliver()
            perform(try machine.didReceiveControlFrame(opcode, payload: payload, at: now))
        case .beginning, .middle:
            if current.frame.isFinal { guard try endMessage() else { return !reception.isUndecided } }
        }
        self.current = nil
        return true
    }

    /// Ends the message.
    ///
    /// - Returns: False if the inflater holds more of it than the limit allows.
    private mutating func endMessage() throws(WebSocketProtocolError) -> Bool {
        guard assembly != nil else { return true }
        if assembly?.isCompressed == true, let inflater {
            let limit = partLimit
            let isAll = try assembly?.end(inflater, upTo: limit) ?? true
            checkSize()
            guard !reception.isUndecided, machine.isListening else { return false }
            deliverParts()
            guard isAll else { return false }
            inflater.endMessage()
        }
        guard var assembly else { return true }
        self.assembly = nil
        if assembly.isInParts {
            try assembly.checkEnd()
            if let part = assembly.takePart() { batch.append(.part(part)) }
            batch.append(.end)
        } else {
            batch.append(.message(try assembly.finish()))
        }
        checkBatch()
        return true
    }
}
