// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghRealtime
import Synchronization

/// The pings that somebody waits for the answer of.
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

    /// A payload that no other ping of the connection has.
    func nextPayload() -> [UInt8] {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return withUnsafeBytes(of: id.bigEndian) { Array($0) }
    }

    /// Sends a ping and waits for its answer.
    ///
    /// - Parameters:
    ///   - payload: What the server sends back.
    ///   - send: Puts it on its way.
    /// - Returns: How long the answer took.
    /// - Throws: `WebSocketError`.
    func wait(
        _ payload: [UInt8], _ send: @Sendable () throws(WebSocketError) -> Void
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
                    fail(id, error)
                }
            }
        } onCancel: {
            fail(id, .cancelled)
        }.get()
    }

    private func fail(_ id: UInt64, _ error: WebSocketError) {
        let waiting = state.withLock { state -> Waiting? in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiting.remove(at: index)
        }
        waiting?.answer.resume(returning: .failure(error))
    }

    /// A pong came: it answers the ping with its payload, and those before, since a server need only answer the latest.
    func answered(_ payload: [UInt8]) {
        let now = NIODeadline.now()
        let answered = state.withLock { state -> ArraySlice<Waiting> in
            guard let index = state.waiting.firstIndex(where: { $0.payload == payload }) else { return [] }
            defer { state.waiting.removeFirst(index + 1) }
            return state.waiting[...index]
        }
        for ping in answered { ping.answer.resume(returning: .success(now.since(ping.sent))) }
    }

    /// No answer comes any more.
    func end(_ error: WebSocketError) {
        let waiting = state.withLock { state in
            if state.ended == nil { state.ended = error }
            defer { state.waiting = [] }
            return state.waiting
        }
        for ping in waiting { ping.answer.resume(returning: .failure(error)) }
    }
}
