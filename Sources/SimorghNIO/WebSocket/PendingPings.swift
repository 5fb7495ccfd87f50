// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghRealtime
import Synchronization

/// The pings whose callers wait for a pong.
final class PendingPings: Sendable {
    private typealias Answer = CheckedContinuation<Result<Duration, WebSocketError>, Never>

    private struct Waiting: Sendable {
        let id: UInt64
        let payload: [UInt8]
        let sent: NIODeadline
        let answer: Answer
    }

    private struct State {
        var waiting: [Waiting] = []
        var lastID: UInt64 = 0
        var ended: WebSocketError?
    }

    private let state = Mutex(State())

    /// Returns a payload that is unique among the pings of the connection.
    func nextPayload() -> [UInt8] {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return withUnsafeBytes(of: id.bigEndian) { Array($0) }
    }

    /// Sends a ping and waits for its pong.
    ///
    /// - Parameters:
    ///   - payload: The payload, which the server returns.
    ///   - send: Sends the ping.
    /// - Returns: The round-trip time.
    /// - Throws: `WebSocketError`.
    func wait(
        _ payload: [UInt8], send: @Sendable () throws(WebSocketError) -> Void
    ) async throws(WebSocketError) -> Duration {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { (answer: Answer) in
                let early = state.withLock { state -> WebSocketError? in
                    if let ended = state.ended { return ended }
                    if Task.isCancelled { return .cancelled }
                    state.waiting.append(Waiting(id: id, payload: payload, sent: .now(), answer: answer))
                    return nil
                }
                if let early { return answer.resume(returning: .failure(early)) }
                do throws(WebSocketError) {
                    try send()
                } catch {
                    fail(id, with: error)
                }
            }
        } onCancel: {
            fail(id, with: .cancelled)
        }.get()
    }

    private func fail(_ id: UInt64, with error: WebSocketError) {
        let waiting = state.withLock { state -> Waiting? in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiting.remove(at: index)
        }
        waiting?.answer.resume(returning: .failure(error))
    }

    /// Completes the ping with this payload, and all earlier ones: a server need only answer the latest ping.
    func answered(_ payload: [UInt8]) {
        let now = NIODeadline.now()
        let answered = state.withLock { state -> ArraySlice<Waiting> in
            guard let index = state.waiting.firstIndex(where: { $0.payload == payload }) else { return [] }
            defer { state.waiting.removeFirst(index + 1) }
            return state.waiting[...index]
        }
        for ping in answered { ping.answer.resume(returning: .success(now.since(ping.sent))) }
    }

    /// Fails all pings, because no pong can arrive anymore.
    func end(_ error: WebSocketError) {
        let waiting = state.withLock { state in
            if state.ended == nil { state.ended = error }
            defer { state.waiting = [] }
            return state.waiting
        }
        for ping in waiting { ping.answer.resume(returning: .failure(error)) }
    }
}
