// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

extension WebSocketSession {
    /// What a link throws that has ended, or is about to.
    private static let ends: [WebSocketError.Code] = [.closed, .connectionLost, .pongTimedOut, .closeTimedOut]

    /// Sends a message that takes no waiting on the link that stands.
    ///
    /// - Parameter message: The message.
    /// - Returns: Whether it was sent; where not, ``send(_:)-(WebSocketMessage)`` sends it, or says why it cannot.
    func sendAtOnce(_ message: WebSocketMessage) -> Bool {
        guard !Task.isCancelled else { return false }
        return loopLink?.sendAtOnce(message) ?? false
    }

    /// Sends a message on the link that stands.
    ///
    /// A link may have ended without anybody having noticed yet, above all where its reader waits for a slow observer. It has
    /// sent nothing of the message then, and where messages are to wait for a connection that comes back, this one does. That
    /// observer may be who sends, and is not waited for then.
    ///
    /// - Parameter message: The message.
    /// - Throws: ``WebSocketError``.
    package func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        var deadline: Deadline?
        while true {
            let link = try await standing(by: deadline)
            let failure: WebSocketError
            do throws(WebSocketError) {
                try await link.send(message)
                return
            } catch {
                failure = error
            }
            deadline = try await outwait(link, failure, by: deadline)
        }
    }

    /// Sends one message in parts on the link that stands, or on the next, as long as nobody has asked for a part.
    ///
    /// - Parameters:
    ///   - parts: The parts.
    ///   - kind: Whether the message is text.
    /// - Throws: ``WebSocketError``, or what `parts` throws.
    package func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, as kind: WebSocketMessage.Kind
    ) async throws where Parts.Element == Data {
        let noted = NotedParts(base: parts)
        var deadline: Deadline?
        while true {
            let link = try await standing(by: deadline)
            do {
                return try await link.send(noted, as: kind)
            } catch let failure as WebSocketError where !noted.use.hasBegun {
                deadline = try await outwait(link, failure, by: deadline)
            }
        }
    }

    /// Sends a ping on the link that stands, and waits for its answer, but not for ever: it may be who waits that would have
    /// to take what comes before it.
    ///
    /// - Returns: How long the answer took.
    /// - Throws: ``WebSocketError``.
    package func ping() async throws(WebSocketError) -> Duration {
        let link = try await standing()
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

    /// After a link has refused a message, waits until it is left, where the message is to wait for the next one.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - failure: Why it refused.
    ///   - deadline: How long the message waits already.
    /// - Returns: How long it may go on waiting.
    /// - Throws: ``WebSocketError``: `failure` where it is not to wait, or has waited long enough.
    private func outwait(
        _ link: any WebSocketLink, _ failure: WebSocketError, by deadline: Deadline?
    ) async throws(WebSocketError) -> Deadline {
        guard Self.ends.contains(failure.code), case .wait(let limit) = settings.sendWhileReconnecting else {
            throw failure
        }
        let end = deadline ?? settings.time.deadline(after: limit)
        guard try await isLeft(link, by: end) else { throw failure }
        return end
    }

    /// Waits until a link that has ended is the session's no more.
    ///
    /// - Returns: Whether it is so in time.
    private func isLeft(_ link: any WebSocketLink, by deadline: Deadline) async throws(WebSocketError) -> Bool {
        let timer = ringing(after: deadline.remaining)
        defer { timer.cancel() }
        while true {
            let (heard, number) = (bell.count, links)
            // One that this side has closed is not waited for.
            guard phase == .open, self.link === link else { return true }
            // Its reader comes to its end, and finds out.
            hub.hurry(connection: number)
            desk?.hurry(connection: number)
            guard deadline.remaining > .zero else { return false }
            try await wait(after: heard)
        }
    }

    /// Lets those look who wait, after a while.
    func ringing(after time: Duration) -> Task<Void, Never> {
        Task { [bell, source = settings.time] in
            try? await source.sleep(for: time)
            bell.ring()
        }
    }
}

/// The parts of a message, and whether somebody has begun to ask for them.
private struct NotedParts<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == Data {
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
