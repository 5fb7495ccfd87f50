// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Hands messages in parts from whoever reads a connection to whoever wants them: one part at a time, so that nothing more is
/// read from the server until the last one was taken.
///
/// If the reader cannot be suspended any more, what comes is kept within the slack of a ``BoundedQueue``.
package final class WebSocketPartsDesk: Sendable {
    private enum Item: BoundedItem {
        case beginning(WebSocketMessage.Kind)
        case part(Data)
        case end
        /// The message ends here, and is not whole.
        case broken(WebSocketError)

        var cost: Int { if case .part(let data) = self { data.count } else { 0 } }
    }

    private typealias Source = BoundedSource<Item, WebSocketError>

    private struct State {
        /// Keeps one item, and others within its slack.
        ///
        /// Its reader waits for the bell instead: a new life wakes it, too.
        var source = Source(BoundedQueue(maximumCount: 0, maximumCost: 0))
        /// How many connections have stood.
        var connections = 0
        /// Whether what was brought last is within a message.
        var isInMessage = false
        /// Whether nobody is waited for.
        var isHurried = false
        /// Whether something was dropped since then.
        var isDropping = false
        /// The message that is read.
        var reading = 0
        /// The message that was read when a new life began, until its reader has heard that it is cut; 0 for none.
        var cut = 0

        /// What comes next of a message, whose end is told to who comes too late.
        mutating func take(of message: Int) -> Source.Taken? {
            guard message != reading else { return source.take() }
            guard message == cut else { return .success(.end) }
            cut = 0
            return .success(.broken(.closed))
        }

        /// Nothing more is read of a message.
        mutating func leave(_ message: Int) {
            if message == reading { reading += 1 }
        }

        /// Returns true if an item is kept, be it that nobody can be waited for.
        func hasRoom(for item: Item) -> Bool {
            source.queue.isEmpty || isHurried && source.queue.hasSlack(for: item.cost)
        }
    }

    private let state = Mutex(State())
    /// Rung when something was brought or taken.
    private let bell = Bell()

    package init() {}

    // MARK: Who reads the connection

    /// Brings all messages of a link, until it ends.
    func bring(from link: any WebSocketLink) async {
        do {
            while let parts = try await link.receiveParts() {
                try await bring(.beginning(parts.kind))
                for try await part in parts where !part.isEmpty { try await bring(.part(part)) }
                try await bring(.end)
            }
            breakOff(.closed)
        } catch {
            breakOff(link.closure?.failure ?? error as? WebSocketError ?? .closed)
        }
    }

    private func bring(_ item: Item) async throws {
        while true {
            let heard = bell.count
            let isDone = state.withLock { state in
                if state.isDropping { return true }
                guard state.hasRoom(for: item) else {
                    guard state.isHurried else { return false }
                    state.isDropping = true
                    if state.isInMessage { state.source.queue.append(.broken(.closed)) }
                    state.isInMessage = false
                    return true
                }
                state.source.queue.append(item)
                state.isInMessage = if case .end = item { false } else { true }
                return true
            }
            if isDone { return bell.ring() }
            try await bell.wait(after: heard)
        }
    }

    private func breakOff(_ error: WebSocketError) {
        state.withLock { state in
            guard state.isInMessage else { return }
            state.isInMessage = false
            state.source.queue.append(.broken(error))
        }
        bell.ring()
    }

    // MARK: The connection

    /// A link stands.
    func resume() {
        state.withLock { state in
            state.connections += 1
            (state.isHurried, state.isDropping) = (false, false)
        }
    }

    /// Nobody is waited for any more until the next link stands.
    func hurry() {
        state.withLock { $0.isHurried = true }
        bell.ring()
    }

    /// As above, unless another link stands meanwhile, or this one does not yet.
    ///
    /// - Parameter number: How many links have stood when it is the last one.
    func hurry(connection number: Int) {
        let isMeant = state.withLock { state in
            guard state.connections == number else { return false }
            state.isHurried = true
            return true
        }
        if isMeant { bell.ring() }
    }

    /// It is over, for whoever has taken all.
    func finish(_ failure: WebSocketError?) {
        state.withLock { _ = $0.source.finish(failure) }
        bell.ring()
    }

    /// A new life begins: a message of the last one ends here, and what comes next is none of it.
    func begin() {
        state.withLock { $0 = State(connections: $0.connections, reading: $0.reading + 1, cut: $0.reading) }
        bell.ring()
    }

    // MARK: Who wants messages

    /// Waits for the next message; what is left of the one before is skipped.
    func next() async throws(WebSocketError) -> WebSocketParts? {
        while true {
            switch try await take({ $0.source.take() }) {
            case .beginning(let kind):
                let number = state.withLock { state in
                    state.reading += 1
                    return state.reading
                }
                return WebSocketParts(kind: kind) { () async throws(WebSocketError) in try await self.part(of: number) }
            case .part, .end, .broken: continue
            case nil: return nil
            }
        }
    }

    private func part(of number: Int) async throws(WebSocketError) -> Data? {
        switch try await take({ $0.take(of: number) }) {
        case .part(let data): return data
        case .broken(let error):
            state.withLock { $0.leave(number) }
            throw error
        case .end, .beginning, nil:
            state.withLock { $0.leave(number) }
            return nil
        }
    }

    private func take(_ next: @Sendable (inout State) -> Source.Taken?) async throws(WebSocketError) -> Item? {
        while true {
            guard !Task.isCancelled else { throw .taskCancelled }
            let heard = bell.count
            if let taken = state.withLock({ next(&$0) }) {
                bell.ring()
                return try taken.get()
            }
            do {
                try await bell.wait(after: heard)
            } catch {
                throw .taskCancelled
            }
        }
    }
}

extension WebSocketError {
    fileprivate static let closed = WebSocketError(
        .closed, message: "the connection was closed before the message was whole")
}
