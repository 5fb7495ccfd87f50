// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization
import TestSupport

/// One end of a pipe in memory, with little room, which passes bytes on in pieces of random sizes.
final class PipeByteStream: ByteStream {
    struct AbortedError: Error {}

    let info = ConnectionInfo(
        id: 1, applicationProtocol: "http/1.1", localAddress: nil, remoteAddress: nil, tlsVersion: nil)
    private let inbound: Lane
    private let outbound: Lane
    private let sizes: LockedValue<SeededNumbers>

    private init(inbound: Lane, outbound: Lane, seed: UInt64) {
        self.inbound = inbound
        self.outbound = outbound
        sizes = LockedValue(SeededNumbers(seed))
    }

    deinit { abort() }

    /// Creates both ends of a pipe.
    ///
    /// - Parameters:
    ///   - room: The number of bytes that each direction holds.
    ///   - seed: The seed for the sizes of the pieces.
    /// - Returns: The ends.
    static func pair(room: Int = 4096, seed: UInt64 = 1) -> (client: PipeByteStream, server: PipeByteStream) {
        let (up, down) = (Lane(room: room), Lane(room: room))
        return (
            PipeByteStream(inbound: down, outbound: up, seed: seed),
            PipeByteStream(inbound: up, outbound: down, seed: seed &+ 1)
        )
    }

    /// True after the other end has aborted or closed its direction.
    var hasPeerEnded: Bool { inbound.hasEnded }

    /// The number of bytes that wait to be read.
    var unread: Int { inbound.count }

    private func random(upTo maximum: Int) -> Int {
        let size = LockedValue(1)
        sizes.change { numbers in
            let count = Int.random(in: 1...max(1, maximum), using: &numbers)
            size.change { $0 = count }
        }
        return size.value
    }

    func read(upTo maximum: Int) async throws -> Data? {
        try await withTaskCancellationHandler {
            try await inbound.take(upTo: random(upTo: maximum))
        } onCancel: {
            abort()
        }
    }

    func write(_ bytes: Data) async throws {
        try await withTaskCancellationHandler {
            var rest = bytes
            while !rest.isEmpty {
                let count = try await outbound.put(rest.prefix(random(upTo: rest.count)))
                rest = rest.dropFirst(count)
            }
        } onCancel: {
            abort()
        }
    }

    func closeWriting() async throws { outbound.end(.success(())) }

    func abort() {
        inbound.end(.failure(AbortedError()))
        outbound.end(.failure(AbortedError()))
    }

    /// One direction.
    private final class Lane: Sendable {
        private struct State {
            var received = ReceivedBytes()
            var waiters: [CheckedContinuation<Void, Never>] = []
        }

        private let room: Int
        private let state = Mutex(State())

        init(room: Int) { self.room = room }

        var hasEnded: Bool { state.withLock { $0.received.ending != nil } }
        var count: Int { state.withLock { $0.received.bytes.count } }

        func take(upTo maximum: Int) async throws -> Data? {
            while true {
                if let result = change({ $0.received.take(upTo: maximum) }) { return try result.get() }
                await wait { $0.received.isWaiting }
            }
        }

        func put(_ bytes: Data) async throws -> Int {
            while true {
                let (count, ending) = change { [room] state -> (Int, Result<Void, any Error>?) in
                    guard state.received.ending == nil else { return (0, state.received.ending) }
                    let part = bytes.prefix(room - state.received.bytes.count)
                    state.received.bytes.append(part)
                    return (part.count, nil)
                }
                if count > 0 { return count }
                if let ending {
                    try ending.get()
                    throw AbortedError()
                }
                await wait { [room] in $0.received.bytes.count >= room && $0.received.ending == nil }
            }
        }

        func end(_ ending: Result<Void, any Error>) {
            change { state in
                state.received.end(ending)
            }
        }

        private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
            let (value, waiters) = state.withLock { state in
                let value = body(&state)
                defer { state.waiters = [] }
                return (value, state.waiters)
            }
            for waiter in waiters { waiter.resume() }
            return value
        }

        private func wait(while holds: @Sendable (State) -> Bool) async {
            await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
                let mustWait = state.withLock { state in
                    let mustWait = holds(state)
                    if mustWait { state.waiters.append(waiter) }
                    return mustWait
                }
                if !mustWait { waiter.resume() }
            }
        }
    }
}
