// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import TestSupport
import Testing

/// Sending a body over HTTP/1.1, checked against a simple model.
///
/// 100,000 random events by default; a million with `SIMORGH_THOROUGH=1` in the environment.
@Suite("UploadStateMachine", .timeLimit(.minutes(60)))
struct UploadStateMachineTests {
    @Test("A held body is not written, and an empty one ends at once")
    func empty() {
        var held = UploadStateMachine.held
        let nothing = held.next(isWritable: true)
        #expect(nothing == .none && held.isHeld)
        var cursor = UploadStateMachine(bytes: 0)
        let end = cursor.next(isWritable: true)
        let after = cursor.next(isWritable: true)
        #expect(end == .end && after == .none)
    }

    @Test("The first bytes are written even to a full socket: the head before them may still be buffered")
    func first() {
        var cursor = UploadStateMachine(bytes: UploadStateMachine.slice + 1)
        let first = cursor.next(isWritable: false)
        let second = cursor.next(isWritable: false)
        let third = cursor.next(isWritable: true)
        let end = cursor.next(isWritable: true)
        #expect(first == .write(.init(range: 0..<UploadStateMachine.slice)))
        #expect(second == .wait)
        #expect(third == .write(.init(range: UploadStateMachine.slice..<(UploadStateMachine.slice + 1))))
        #expect(end == .end)
    }

    @Test("Chunked coding frames each chunk, and with a known length the last part is marked")
    func chunks() {
        var coded = UploadStateMachine(isChunked: true, length: nil)
        let isTaken = coded.receivedChunk(ofSize: 5)
        let part = coded.next(isWritable: true)
        let more = coded.next(isWritable: true)
        let isEnd = coded.ended()
        #expect(isTaken && isEnd && more == .wantMore)
        #expect(part == .write(.init(range: 0..<5, chunk: 5, endsChunk: true)))
        var plain = UploadStateMachine(isChunked: false, length: 8)
        _ = plain.receivedChunk(ofSize: 5)
        let first = plain.next(isWritable: true)
        _ = plain.next(isWritable: true)
        _ = plain.receivedChunk(ofSize: 3)
        let last = plain.next(isWritable: true)
        #expect(first == .write(.init(range: 0..<5)))
        #expect(last == .write(.init(range: 0..<3, isLast: true)))
    }

    @Test("A chunk that was not requested is refused")
    func unasked() {
        var cursor = UploadStateMachine(isChunked: false, length: nil)
        _ = cursor.receivedChunk(ofSize: 5)
        let (chunk, end) = (cursor.receivedChunk(ofSize: 1), cursor.ended())
        _ = cursor.next(isWritable: false)
        _ = cursor.next(isWritable: false)
        // The socket is full, so no further chunk was requested.
        let (early, over) = (cursor.receivedChunk(ofSize: 1), cursor.ended())
        #expect(!chunk && !end && !early && !over && !cursor.isWaitingForSource)
        let more = cursor.next(isWritable: true)
        let late = cursor.receivedChunk(ofSize: 1)
        #expect(more == .wantMore && late)
    }

    /// A model of the socket and the source of a body.
    private struct World {
        var fault: String?
        var cursor: UploadStateMachine
        let isMemory: Bool
        let isChunked: Bool
        /// The chunks that the source has yet to produce, the next one last.
        var source: [Int]
        let promised: Int?
        /// The number of bytes that the socket accepts before it is full.
        var room = 0
        /// The size of the current chunk; `sent` is the part of it that was written.
        var atHand = 0
        var sent = 0
        var total = 0
        var sinceTurn = 0
        var isAwaitingSource: Bool
        var isYielding = false
        var isOver = false

        init(_ random: inout SeededNumbers) {
            isMemory = Int.random(in: 0..<4, using: &random) == 0
            let slice = UploadStateMachine.slice
            let sizes = [1, 2, 100, slice - 1, slice, slice + 1, 700_000, 2_000_000]
            source = (0..<Int.random(in: 0...6, using: &random)).map { _ in sizes.randomElement(using: &random) ?? 1 }
            if isMemory {
                (isChunked, promised, isAwaitingSource) = (false, nil, false)
                atHand = source.reduce(0, +)
                source = []
                cursor = UploadStateMachine(bytes: atHand)
            } else {
                isChunked = Bool.random(using: &random)
                promised = isChunked || Bool.random(using: &random) ? nil : source.reduce(0, +)
                isAwaitingSource = true
                cursor = UploadStateMachine(isChunked: isChunked, length: promised.map(Int64.init))
            }
        }

        mutating func step(_ random: inout SeededNumbers) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: room += Int.random(in: 1...300_000, using: &random)
            case 4..<6: return give()
            case 6 where isYielding:
                isYielding = false
                sinceTurn = 0
                cursor.resumed()
            case 7:
                // A chunk that was not requested is refused.
                if !isAwaitingSource, cursor.receivedChunk(ofSize: 1) || cursor.ended() {
                    fault = "accepted an unrequested chunk"
                }
                return
            default: break
            }
            pump(&random, depth: 0)
        }

        private mutating func give() {
            guard isAwaitingSource else { return }
            isAwaitingSource = false
            if let next = source.popLast() {
                guard cursor.receivedChunk(ofSize: next) else { return fault = "refused a requested chunk" }
                (atHand, sent, sinceTurn) = (next, 0, 0)
            } else {
                guard cursor.ended() else { return fault = "refused a requested end" }
                isOver = true
            }
        }

        /// Performs the cursor's actions; a write may call this again reentrantly.
        mutating func pump(_ random: inout SeededNumbers, depth: Int) {
            while fault == nil {
                let action = cursor.next(isWritable: room > 0)
                switch action {
                case .write(let part):
                    guard !isOver, !isYielding, !isAwaitingSource else { return fault = "writes out of turn" }
                    write(part)
                    if depth < 3, Int.random(in: 0..<4, using: &random) == 0 {
                        // The write filled the socket, and the socket drained again.
                        room += Int.random(in: 0...200_000, using: &random)
                        pump(&random, depth: depth + 1)
                    }
                    continue
                case .wantMore:
                    guard sent == atHand, !isAwaitingSource, !isMemory, room > 0 else {
                        return fault = "requests more too soon"
                    }
                    isAwaitingSource = true
                case .wait:
                    if room > 0 { fault = "waits for a socket that is writable" }
                    sinceTurn = 0
                case .yield:
                    if isYielding || sinceTurn < UploadStateMachine.turn { fault = "yields too soon" }
                    isYielding = true
                case .end:
                    if sent < atHand || !isMemory || isOver { fault = "ends too soon" }
                    isOver = true
                case .none:
                    let mayWrite = sent < atHand && room > 0 && !isYielding && !isOver
                    if mayWrite { fault = "forgets bytes" }
                }
                let isAwaited = isAwaitingSource && !isOver
                if cursor.isWaitingForSource != isAwaited { fault = "is wrong about waiting for the source" }
                return
            }
        }

        private mutating func write(_ part: UploadStateMachine.Part) {
            guard part.range.lowerBound == sent, part.range.upperBound <= atHand, !part.range.isEmpty,
                part.range.count <= UploadStateMachine.slice
            else { return fault = "writes \(part.range) after \(sent) of \(atHand)" }
            if sent > 0, room <= 0 { fault = "writes to a full socket" }
            if (part.chunk != nil) != (isChunked && sent == 0) { fault = "heads a chunk in the wrong place" }
            if let chunk = part.chunk, chunk != atHand { fault = "heads a chunk of another length" }
            sent = part.range.upperBound
            total += part.range.count
            sinceTurn += part.range.count
            room -= part.range.count
            if part.endsChunk != (isChunked && sent == atHand) { fault = "ends a chunk in the wrong place" }
            if part.isLast != (promised == total) { fault = "is wrong about the last byte" }
            if sinceTurn > UploadStateMachine.turn + UploadStateMachine.slice { fault = "blocks the loop for too long" }
        }
    }

    @Test("No order of events writes a byte twice or never, frames it wrongly, or blocks the loop", arguments: 1...20)
    func random(seed: Int) async {
        var random = SeededNumbers(UInt64(seed))
        var (steps, bodies) = (0, 0)
        while steps < Thoroughness.events(5_000, seeds: 20) {
            var world = World(&random)
            while !world.isOver {
                world.step(&random)
                steps += 1
                if steps % 256 == 0 { await Task.yield() }
                if let fault = world.fault {
                    Issue.record("seed \(seed), step \(steps): \(fault)")
                    return
                }
            }
            bodies += 1
        }
        #expect(bodies > 50, "seed \(seed)")
    }
}
