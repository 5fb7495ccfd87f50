// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension WebSocketSession {
    /// What a link throws that has ended, or is about to.
    private static let ends: [WebSocketError.Code] = [.closed, .connectionLost, .pongTimedOut, .closeTimedOut]

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
            guard Self.ends.contains(failure.code), case .wait(let limit) = settings.sendWhileReconnecting else {
                throw failure
            }
            let end = deadline ?? settings.time.deadline(after: limit)
            deadline = end
            guard try await isLeft(link, by: end) else { throw failure }
        }
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
