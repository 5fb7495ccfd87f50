// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

extension WebSocketSession {
    /// The error codes of a link that has ended or is about to.
    private static let endCodes: [WebSocketError.Code] = [.closed, .connectionLost, .pongTimedOut, .closeTimedOut]

    /// Sends a message on the open link if that needs no waiting.
    ///
    /// - Parameter message: The message.
    /// - Returns: True if it was sent; otherwise ``send(_:)-(WebSocketMessage)`` sends it or throws.
    func sendImmediately(_ message: WebSocketMessage) -> Bool {
        guard !Task.isCancelled else { return false }
        return loopLink?.sendImmediately(message) ?? false
    }

    /// Sends a message on the open link.
    ///
    /// The link may have ended without the session having noticed, especially if its reader task waits for a slow
    /// observer. It has sent no part of the message then. If messages wait for a reconnection, this message waits,
    /// too. The slow observer may be the caller itself, so its buffer is no longer waited for.
    ///
    /// - Parameter message: The message.
    /// - Throws: ``WebSocketError``.
    package func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        var deadline: Deadline?
        while true {
            let link = try await currentLink(by: deadline)
            let failure: WebSocketError
            do throws(WebSocketError) {
                try await link.send(message)
                return
            } catch {
                failure = error
            }
            deadline = try await waitForNextLink(after: link, failure: failure, by: deadline)
        }
    }

    /// Sends one message in parts on the open link, or on the next one if no part has been requested yet.
    ///
    /// - Parameters:
    ///   - parts: The parts.
    ///   - kind: The kind of the message.
    /// - Throws: ``WebSocketError``, or the error of `parts`.
    package func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, as kind: WebSocketMessage.Kind
    ) async throws where Parts.Element == Data {
        let recorded = RecordedParts(base: parts)
        var deadline: Deadline?
        while true {
            let link = try await currentLink(by: deadline)
            do {
                return try await link.send(recorded, as: kind)
            } catch let failure as WebSocketError where !recorded.use.hasBegun {
                deadline = try await waitForNextLink(after: link, failure: failure, by: deadline)
            }
        }
    }

    /// Sends a ping on the open link and waits for the pong, with a timeout.
    ///
    /// The timeout avoids a deadlock: the caller may be the task that has to read the messages before the pong.
    ///
    /// - Returns: The round-trip time.
    /// - Throws: ``WebSocketError``.
    package func ping() async throws(WebSocketError) -> Duration {
        let link = try await currentLink()
        let (time, limit) = (settings.time, settings.pongTimeout)
        typealias Answer = Result<Duration, WebSocketError>
        let answer: Answer = await withTaskGroup(of: Answer.self) { group in
            group.addTask {
                do throws(WebSocketError) {
                    return .success(try await link.ping())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                guard (try? await time.sleep(for: limit)) != nil else { return .failure(.taskCancelled) }
                return .failure(
                    WebSocketError(.pongTimedOut, message: "the server did not answer a ping within \(limit.shown)"))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.taskCancelled)
        }
        return try answer.get()
    }

    /// Waits until the session has left a link that refused a message, if messages wait for a reconnection.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - failure: The error of the link.
    ///   - deadline: The deadline of a message that is already waiting.
    /// - Returns: The deadline of the message.
    /// - Throws: ``WebSocketError``: `failure` if the message does not wait, or its deadline has passed.
    private func waitForNextLink(
        after link: any WebSocketChannel, failure: WebSocketError, by deadline: Deadline?
    ) async throws(WebSocketError) -> Deadline {
        guard Self.endCodes.contains(failure.code), case .wait(let limit) = settings.sendWhileReconnecting else {
            throw failure
        }
        let end = deadline ?? settings.time.deadline(after: limit)
        guard try await hasLeft(link, by: end) else { throw failure }
        return end
    }

    /// Waits until the session no longer uses a link that has ended.
    ///
    /// - Returns: True if that happened before the deadline.
    private func hasLeft(_ link: any WebSocketChannel, by deadline: Deadline) async throws(WebSocketError) -> Bool {
        let timer = wakeTimer(after: deadline.remaining)
        defer { timer.cancel() }
        while true {
            let (count, number) = (changes.count, links)
            // A link that this side is closing is not waited for.
            guard phase == .open, self.link === link else { return true }
            // Lets the reader task reach the end of the link and report it.
            hub.stopWaiting(connection: number)
            fragmentQueue?.stopWaiting(connection: number)
            guard deadline.remaining > .zero else { return false }
            try await wait(after: count)
        }
    }

    /// Returns a task that wakes all waiting tasks after a delay, to check their deadlines.
    func wakeTimer(after time: Duration) -> Task<Void, Never> {
        Task { [changes, source = settings.time] in
            try? await source.sleep(for: time)
            changes.ring()
        }
    }
}

/// A sequence of parts that records if iteration has begun.
private struct RecordedParts<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == Data {
    typealias Element = Data
    typealias Failure = Base.Failure
    typealias AsyncIterator = Base.AsyncIterator

    final class Use: Sendable {
        private let state = Mutex(false)

        var hasBegun: Bool { state.withLock { $0 } }

        func begin() { state.withLock { $0 = true } }
    }

    let base: Base
    let use = Use()

    func makeAsyncIterator() -> Base.AsyncIterator {
        use.begin()
        return base.makeAsyncIterator()
    }
}
