// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

/// The pings whose callers wait for a pong.
package final class PendingPings: Sendable {
    private typealias Answer = CheckedContinuation<Result<Duration, WebSocketError>, Never>

    private struct Waiting: Sendable {
        let id: UInt64
        let payload: [UInt8]
        let sent: ContinuousClock.Instant
        let answer: Answer
    }

    private struct State {
        var waiting: [Waiting] = []
        var lastID: UInt64 = 0
        var ended: WebSocketError?
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns a payload that is unique among the pings of the connection.
    package func nextPayload() -> [UInt8] {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return withUnsafeBytes(of: id.bigEndian) { Array($0) }
    }

    /// Returns the payload of a caller's ping, unique if the caller has none.
    ///
    /// - Parameter payload: The caller's payload.
    /// - Returns: The payload.
    /// - Throws: `WebSocketError` for a payload that is too large.
    package func payload(_ payload: Data) throws(WebSocketError) -> [UInt8] {
        guard payload.count <= WebSocketFrame.maximumControlPayload else {
            throw WebSocketError(.invalidArgument, message: "a ping carries at most 125 bytes, not \(payload.count)")
        }
        return payload.isEmpty ? nextPayload() : Array(payload)
    }

    /// Sends a ping and waits for its pong.
    ///
    /// - Parameters:
    ///   - payload: The payload, which the server returns.
    ///   - send: Sends the ping.
    /// - Returns: The round-trip time.
    /// - Throws: `WebSocketError`.
    package func wait(
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
                    state.waiting.append(Waiting(id: id, payload: payload, sent: .now, answer: answer))
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
    package func answered(_ payload: [UInt8]) {
        let now = ContinuousClock.now
        let answered = state.withLock { state -> ArraySlice<Waiting> in
            guard let index = state.waiting.firstIndex(where: { $0.payload == payload }) else { return [] }
            defer { state.waiting.removeFirst(index + 1) }
            return state.waiting[...index]
        }
        for ping in answered { ping.answer.resume(returning: .success(ping.sent.duration(to: now))) }
    }

    /// Fails all pings, because no pong can arrive anymore.
    package func end(_ error: WebSocketError) {
        let waiting = state.withLock { state in
            if state.ended == nil { state.ended = error }
            defer { state.waiting = [] }
            return state.waiting
        }
        for ping in waiting { ping.answer.resume(returning: .failure(error)) }
    }
}
