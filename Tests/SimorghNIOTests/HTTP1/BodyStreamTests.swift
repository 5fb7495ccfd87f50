// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghNIO
import TestSupport
import Testing

@Suite("BodyStream", .timeLimit(.minutes(5)))
struct BodyStreamTests {
    /// Takes all chunks, and returns the bytes, the number of parts, and the memory they keep alive.
    private static func drain(_ stream: BodyStream) -> (bytes: [UInt8], parts: Int, kept: Int) {
        var (bytes, parts, kept): ([UInt8], Int, Int) = ([], 0, 0)
        while case .chunk(let chunk, _) = stream.take() {
            bytes += chunk.readableBytesView
            parts += 1
            kept += chunk.storageCapacity
        }
        return (bytes, parts, kept)
    }

    @Test("Single bytes sliced from large reads do not keep the large buffers alive", arguments: [1, 2, 100, 1000])
    func small(_ size: Int) throws {
        let stream = BodyStream()
        var all: [UInt8] = []
        for index in 0..<20_000 / size * 10 {
            var read = ByteBuffer(repeating: UInt8(truncatingIfNeeded: index), count: 8192)
            let slice = read.readSlice(length: size)
            let part = try #require(slice)
            all += part.readableBytesView
            _ = stream.push(part)
        }
        let (bytes, parts, kept) = Self.drain(stream)
        #expect(bytes == all)
        #expect(parts <= all.count / 8192 + 2)
        #expect(kept <= 4 * all.count + 16 * 1024)
    }

    @Test("Large and small parts are delivered in order")
    func order() throws {
        let stream = BodyStream()
        var all: [UInt8] = []
        for index in 0..<300 {
            var read = ByteBuffer(repeating: UInt8(truncatingIfNeeded: index), count: 20_000)
            let slice = read.readSlice(length: index.isMultiple(of: 7) ? 20_000 : index)
            let part = try #require(slice)
            guard part.readableBytes > 0 else { continue }
            all += part.readableBytesView
            _ = stream.push(part)
        }
        #expect(Self.drain(stream).bytes == all)
    }

    @Test(
        "push stops reading at BodyStream.capacity bytes, and take resumes it at half of that", arguments: [1, 16_384])
    func pauses(_ size: Int) throws {
        let stream = BodyStream()
        var pushed = 0
        var read = ByteBuffer(repeating: 1, count: 16_384)
        let slice = read.readSlice(length: size)
        let part = try #require(slice)
        repeat { pushed += size } while stream.push(part) != .none
        #expect(pushed == BodyStream.capacity)
        var resumed = 0
        var left = pushed
        while case .chunk(let chunk, let resumes) = stream.take() {
            left -= chunk.readableBytes
            guard resumes else { continue }
            resumed += 1
            #expect(left <= BodyStream.capacity / 2)
        }
        #expect(left == 0)
        #expect(resumed == 1)
    }

    @Test("If far more is buffered, take reports progress each time half of the capacity was taken")
    func progress() {
        let stream = BodyStream()
        let part = ByteBuffer(repeating: 1, count: 64 * 1024)
        #expect(stream.push(part) == .ample)
        for _ in 0..<4 { _ = stream.push(part) }
        #expect(stream.push(part) == .little)
        for _ in 0..<34 { _ = stream.push(part) }
        #expect(stream.push(part) == .none)
        #expect(stream.buffered == 41 * 64 * 1024)
        var told: [Int] = []
        while case .chunk(_, let resumes) = stream.take() {
            if resumes { told.append(stream.buffered / 64 / 1024) }
        }
        #expect(told == [37, 33, 29, 25, 21, 17, 13, 9, 4])
        #expect(stream.push(part) == .ample)
    }

    @Test("A reader is woken once the requested number of bytes is there, and keeps waiting for less")
    func wakes() async throws {
        let stream = BodyStream()
        #expect(!stream.wake(), "no reader is waiting")
        let reader = Task {
            var chunks: [ByteBuffer] = []
            while let chunk = try await stream.next(resume: {}) { chunks.append(chunk) }
            return chunks
        }
        _ = stream.push(ByteBuffer(repeating: 1, count: 20_000))
        // The reader may not be waiting yet: it takes the buffered bytes first, and then waits for more.
        try await eventually {
            _ = stream.wake()
            return stream.isAwaited
        }
        #expect(!stream.wake(atLeast: 20_000), "nothing is buffered")
        _ = stream.push(ByteBuffer(repeating: 2, count: 19_999))
        #expect(stream.wake(atLeast: 20_000))
        #expect(stream.isAwaited)
        _ = stream.push(ByteBuffer(repeating: 3, count: 1))
        #expect(!stream.wake(atLeast: 20_000))
        stream.end()
        #expect(try await reader.value.map(\.readableBytes) == [20_000, 19_999, 1])
    }

    @Test("The end of the body wakes a reader that waits for more bytes")
    func ends() async throws {
        let stream = BodyStream()
        let reader = Task { try await stream.next(resume: {}) }
        try await eventually { stream.isAwaited }
        _ = stream.push(ByteBuffer(string: "a"))
        #expect(stream.wake(atLeast: 2))
        stream.end()
        #expect(try await reader.value == ByteBuffer(string: "a"))
    }

    @Test("A reader that keeps up receives each part unchanged")
    func prompt() {
        let stream = BodyStream()
        for text in ["a", "bc", "d"] {
            _ = stream.push(ByteBuffer(string: text))
            guard case .chunk(let chunk, _) = stream.take() else {
                Issue.record("nothing there")
                return
            }
            #expect(String(buffer: chunk) == text)
        }
    }
}
