// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghTesting
import SimorghURLSession
import Synchronization
import TestSupport
import Testing

@Suite("UploadStreamStateMachine", .timeLimit(.minutes(5)))
struct UploadStreamStateMachineTests {
    /// Returns the actions as text.
    private static func words(_ actions: [UploadStreamStateMachine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .read: "read"
            case .write(let bytes): "write \(bytes.count)"
            case .end(let count): "end \(count)"
            case .fail(let error): "fail \(error.code)"
            case .stopReading: "stop"
            case .close: "close"
            }
        }
    }

    @Test("A chunk is read when the stream has space, and written as far as the stream takes it")
    func chunks() {
        var machine = UploadStreamStateMachine(length: 9)
        #expect(Self.words(machine.spaceAvailable()) == ["read"])
        #expect(machine.spaceAvailable().isEmpty)
        #expect(Self.words(machine.chunkArrived(Data(count: 9))) == ["write 9"])
        #expect(machine.wrote(4).isEmpty)
        #expect(Self.words(machine.spaceAvailable()) == ["write 5"])
        #expect(machine.wrote(5).isEmpty)
        #expect(Self.words(machine.spaceAvailable()) == ["read"])
        #expect(Self.words(machine.sourceEnded()) == ["end 9", "close"])
        #expect(machine.isClosed)
        #expect(machine.spaceAvailable().isEmpty)
    }

    @Test("An empty chunk is skipped")
    func emptyChunk() {
        var machine = UploadStreamStateMachine(length: nil)
        _ = machine.spaceAvailable()
        #expect(Self.words(machine.chunkArrived(Data())) == ["read"])
    }

    @Test(
        "A body of another length than declared fails, and the stream stays open until the task has ended",
        arguments: [2, 4])
    func wrongLength(count: Int) {
        var machine = UploadStreamStateMachine(length: 3)
        _ = machine.spaceAvailable()
        var words = Self.words(machine.chunkArrived(Data(count: count)))
        _ = machine.wrote(count)
        words += Self.words(machine.spaceAvailable()) + Self.words(machine.sourceEnded())
        #expect(words.suffix(2) == ["fail requestBodyStreamExhausted", "stop"])
        #expect(Self.words(machine.stopped()) == ["close"])
    }

    @Test("An error of the source fails the exchange, and the stream stays open until the task has ended")
    func failed() {
        var machine = UploadStreamStateMachine(length: nil)
        _ = machine.spaceAvailable()
        #expect(
            Self.words(machine.sourceFailed(URLError(.badURL))) == ["fail requestBodyStreamExhausted", "stop"])
        #expect(machine.sourceEnded().isEmpty)
        #expect(machine.spaceAvailable().isEmpty)
        #expect(Self.words(machine.stopped()) == ["close"])
    }

    @Test("An abandoned body is not written further, and its stream is closed only when the task has ended")
    func abandoned() {
        var machine = UploadStreamStateMachine(length: nil)
        _ = machine.spaceAvailable()
        #expect(Self.words(machine.chunkArrived(Data(count: 2))) == ["write 2"])
        #expect(Self.words(machine.abandoned()) == ["stop"])
        #expect(machine.wrote(1).isEmpty)
        #expect(machine.spaceAvailable().isEmpty)
        #expect(machine.chunkArrived(Data(count: 1)).isEmpty)
        #expect(machine.sourceEnded().isEmpty)
        #expect(machine.abandoned().isEmpty)
        #expect(Self.words(machine.stopped()) == ["close"])
    }

    @Test("A stream that takes no bytes, or is stopped, is closed once", arguments: [true, false])
    func stopped(byWrite: Bool) {
        var machine = UploadStreamStateMachine(length: nil)
        _ = machine.spaceAvailable()
        _ = machine.chunkArrived(Data(count: 1))
        #expect(Self.words(byWrite ? machine.wrote(-1) : machine.stopped()) == ["close"])
        #expect(machine.stopped().isEmpty)
        #expect(machine.chunkArrived(Data(count: 1)).isEmpty)
    }

    @Test("Events in any order write each byte once, and close once", arguments: UInt64(0)..<200)
    func anyOrder(seed: UInt64) {
        var numbers = SeededNumbers(seed)
        var machine = UploadStreamStateMachine(length: nil)
        var (arrived, taken, closes, pending, isReading, isAbandoned) = (0, 0, 0, 0, false, false)
        for _ in 0..<60 {
            let actions: [UploadStreamStateMachine.Action]
            switch numbers.next() % 8 {
            case 0...3: actions = machine.spaceAvailable()
            case 4...5 where isReading:
                let count = Int(numbers.next() % 5)
                (arrived, isReading) = (arrived + count, false)
                actions = machine.chunkArrived(Data(count: count))
            case 6 where pending > 0:
                let count = 1 + Int(numbers.next() % UInt64(pending))
                (taken, pending) = (taken + count, 0)
                actions = machine.wrote(count)
            case 7 where isReading && numbers.next() % 8 == 0:
                isReading = false
                actions = machine.sourceEnded()
            case 7 where numbers.next() % 32 == 0:
                isAbandoned = isAbandoned || !machine.isClosed
                actions = machine.abandoned()
            default: actions = []
            }
            for action in actions {
                switch action {
                case .read:
                    #expect(!isReading && !isAbandoned)
                    isReading = true
                case .stopReading: #expect(isAbandoned)
                case .write(let bytes): pending = bytes.count
                case .close: closes += 1
                case .end(let count): #expect(Int(count) == arrived)
                case .fail: Issue.record("a body without a declared length failed")
                }
            }
            #expect(taken <= arrived)
        }
        #expect(closes <= 1)
        if machine.isClosed { #expect(taken == arrived && !isAbandoned) }
    }
}

/// A stream whose reader takes a few bytes at a time.
private final class ScriptedSink: UploadSink {
    private let capacity: Int
    private let state = Mutex<(bytes: Data, isClosed: Bool)>((Data(), false))
    let stream = Mutex<UploadStream?>(nil)

    init(capacity: Int) { self.capacity = capacity }

    var bytes: Data { state.withLock { $0.bytes } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func perform(_ work: @escaping @Sendable () -> Void) { work() }

    func write(_ bytes: Data) -> Int {
        let part = bytes.prefix(capacity)
        state.withLock { $0.bytes += part }
        let stream = stream.withLock { $0 }
        // The event of a real stream arrives after the write.
        Task { stream?.spaceAvailable() }
        return part.count
    }

    func close() { state.withLock { $0.isClosed = true } }
}

@Suite("UploadStream", .timeLimit(.minutes(5)))
struct UploadStreamTests {
    private static func start(
        _ body: RequestBody, capacity: Int = 3
    ) -> (stream: UploadStream, sink: ScriptedSink, events: LockedValue<[String]>) {
        let events = LockedValue<[String]>([])
        let stream = UploadStream(body) { event in
            switch event {
            case .sourceIsAwaited: break
            case .ended(let count): events.change { $0.append("ended \(count)") }
            case .failed(let error): events.change { $0.append("failed \(error.code)") }
            }
        }
        let sink = ScriptedSink(capacity: capacity)
        sink.stream.withLock { $0 = stream }
        stream.start(sink)
        stream.spaceAvailable()
        return (stream, sink, events)
    }

    private static func chunks(_ texts: [String], error: (any Error)? = nil) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { continuation in
            for text in texts { continuation.yield(Data(text.utf8)) }
            continuation.finish(throwing: error)
        }
    }

    @Test("The chunks of a body arrive in order, and the stream is closed at the end")
    func whole() async throws {
        let (_, sink, events) = Self.start(.once(Self.chunks(["hello ", "brave ", "world"]), length: 17))
        try await eventually { sink.isClosed }
        #expect(sink.bytes == Data("hello brave world".utf8))
        #expect(events.value == ["ended 17"])
    }

    @Test("An error of the source is reported, and the stream is closed only when the task has ended")
    func failed() async throws {
        let (stream, sink, events) = Self.start(.once(Self.chunks(["a"], error: URLError(.badURL))))
        try await eventually { !events.value.isEmpty }
        #expect(events.value == ["failed requestBodyStreamExhausted"])
        #expect(!sink.isClosed)
        stream.stop()
        #expect(sink.isClosed)
    }

    @Test("Abandoning ends a source that waits, and leaves the stream open")
    func abandoned() async throws {
        let (isAwaited, isCancelled) = (Gate(), Gate())
        let hasEnded = LockedValue(false)
        let waiting = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.onTermination = { _ in isCancelled.open() }
        }
        let stream = UploadStream(.once(waiting)) { event in
            switch event {
            case .sourceIsAwaited(true): isAwaited.open()
            case .sourceIsAwaited(false): break
            case .ended, .failed: hasEnded.change { $0 = true }
            }
        }
        let sink = ScriptedSink(capacity: 1)
        stream.start(sink)
        stream.spaceAvailable()
        try await isAwaited.wait()
        stream.abandon()
        try await isCancelled.wait()
        #expect(!sink.isClosed && !hasEnded.value)
        stream.stop()
        #expect(sink.isClosed)
    }

    @Test("A stream that is abandoned before it starts is closed when the task has ended")
    func abandonedEarly() {
        let stream = UploadStream(.once(Self.chunks(["a"]))) { _ in }
        stream.abandon()
        let sink = ScriptedSink(capacity: 1)
        stream.start(sink)
        #expect(!sink.isClosed)
        stream.stop()
        #expect(sink.isClosed)
    }

    @Test("Stopping ends a source that waits")
    func stopped() async throws {
        let (isAwaited, isCancelled) = (Gate(), Gate())
        let waiting = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.onTermination = { _ in isCancelled.open() }
        }
        let stream = UploadStream(.once(waiting)) { event in
            if case .sourceIsAwaited(true) = event { isAwaited.open() }
        }
        let sink = ScriptedSink(capacity: 1)
        stream.start(sink)
        stream.spaceAvailable()
        try await isAwaited.wait()
        stream.stop()
        #expect(sink.isClosed)
        try await isCancelled.wait()
    }

    @Test("A stream that is stopped before it starts closes its sink")
    func stoppedEarly() {
        let stream = UploadStream(.once(Self.chunks(["a"]))) { _ in }
        stream.stop()
        let sink = ScriptedSink(capacity: 1)
        stream.start(sink)
        #expect(sink.isClosed)
    }
}
