// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// A queue of message parts between the task that reads the connection and the task that consumes the messages.
///
/// It holds one part, so nothing more is read from the server until the consumer has taken the last part. If the
/// reader task can no longer be suspended, parts are kept within the slack of a ``BoundedQueue``.
package final class FragmentQueue: Sendable {
    private enum Item: BoundedItem {
        case beginning(WebSocketMessage.Kind)
        case part(Data)
        case end
        /// The message breaks off here and is incomplete.
        case broken(WebSocketError)

        var cost: Int { if case .part(let data) = self { data.count } else { 0 } }
    }

    private typealias Source = BoundedSource<Item, WebSocketError>

    private struct State {
        /// The queue of one item, plus its slack.
        ///
        /// The consumer waits for the signal below instead of in this source, because a restart must wake it, too.
        var source = Source(BoundedQueue(maximumCount: 0, maximumCost: 0))
        /// The number of connections that were opened.
        var connections = 0
        /// True if the last item was within a message.
        var isInMessage = false
        /// True if the consumer is no longer waited for.
        var ignoresCapacity = false
        /// True if an item was dropped since then.
        var isDropping = false
        /// The number of the message being read.
        var reading = 0
        /// The message that was being read at a restart, until its consumer has received the error; 0 for none.
        var cut = 0

        /// Removes and returns the next item of a message; a consumer of an earlier message gets its end.
        mutating func take(of message: Int) -> Source.Taken? {
            guard message != reading else { return source.take() }
            guard message == cut else { return .success(.end) }
            cut = 0
            return .success(.broken(.closed))
        }

        /// Marks a message as read to its end.
        mutating func leave(_ message: Int) {
            if message == reading { reading += 1 }
        }

        /// Returns true if an item is kept, either because the queue is empty or within the slack.
        func hasRoom(for item: Item) -> Bool {
            source.queue.isEmpty || ignoresCapacity && source.queue.hasSlack(for: item.cost)
        }
    }

    private let state = Mutex(State())
    /// Signals that an item was added or taken.
    private let changes = AsyncSignal()

    package init() {}

    // MARK: Producer

    /// Adds all messages of a link until it ends.
    func addMessages(from link: any WebSocketChannel) async {
        do {
            while let parts = try await link.receiveParts() {
                try await add(.beginning(parts.kind))
                for try await part in parts where !part.isEmpty { try await add(.part(part)) }
                try await add(.end)
            }
            breakOff(.closed)
        } catch {
            breakOff(link.closure?.failure ?? error as? WebSocketError ?? .closed)
        }
    }

    private func add(_ item: Item) async throws {
        while true {
            let count = changes.count
            let isDone = state.withLock { state in
                if state.isDropping { return true }
                guard state.hasRoom(for: item) else {
                    guard state.ignoresCapacity else { return false }
                    state.isDropping = true
                    if state.isInMessage { state.source.queue.append(.broken(.closed)) }
                    state.isInMessage = false
                    return true
                }
                state.source.queue.append(item)
                state.isInMessage = if case .end = item { false } else { true }
                return true
            }
            if isDone { return changes.ring() }
            try await changes.wait(after: count)
        }
    }

    private func breakOff(_ error: WebSocketError) {
        state.withLock { state in
            guard state.isInMessage else { return }
            state.isInMessage = false
            state.source.queue.append(.broken(error))
        }
        changes.ring()
    }

    // MARK: State of the connection

    /// Handles that a link is open.
    func resume() {
        state.withLock { state in
            state.connections += 1
            (state.ignoresCapacity, state.isDropping) = (false, false)
        }
    }

    /// Stops waiting for the consumer until the next link is open.
    func stopWaiting() {
        state.withLock { $0.ignoresCapacity = true }
        changes.ring()
    }

    /// Stops waiting for the consumer at the end of the link with this number.
    ///
    /// Does nothing if another link has been opened in the meantime, or if this one is not open yet.
    ///
    /// - Parameter number: The number of links that were opened, up to and including this one.
    func stopWaiting(connection number: Int) {
        let isCurrent = state.withLock { state in
            guard state.connections == number else { return false }
            state.ignoresCapacity = true
            return true
        }
        if isCurrent { changes.ring() }
    }

    /// Sets the end, which the consumer receives after all items.
    func finish(_ failure: WebSocketError?) {
        state.withLock { _ = $0.source.finish(failure) }
        changes.ring()
    }

    /// Starts again after an end: cuts off the message being read and drops the queued items.
    func begin() {
        state.withLock { $0 = State(connections: $0.connections, reading: $0.reading + 1, cut: $0.reading) }
        changes.ring()
    }

    // MARK: Consumer

    /// Waits for the next message, and skips the unread rest of the one before.
    func next() async throws(WebSocketError) -> WebSocketFragments? {
        while true {
            switch try await take({ $0.source.take() }) {
            case .beginning(let kind):
                let number = state.withLock { state in
                    state.reading += 1
                    return state.reading
                }
                return WebSocketFragments(kind: kind) { () async throws(WebSocketError) in
                    try await self.part(of: number)
                }
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
            let count = changes.count
            if let taken = state.withLock({ next(&$0) }) {
                changes.ring()
                return try taken.get()
            }
            do {
                try await changes.wait(after: count)
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
