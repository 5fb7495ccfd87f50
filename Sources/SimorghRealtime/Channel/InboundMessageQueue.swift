// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

/// The received messages of one WebSocket, shared by the event loop that reads and the task that receives.
package final class InboundMessageQueue: Sendable {
    /// A message, or a part of one that is received in fragments.
    package enum Item: BoundedItem {
        case message(WebSocketMessage)
        case beginning(WebSocketMessage.Kind)
        case part(Data)
        case end

        /// The cost against the buffer's limit, in bytes.
        package var cost: Int {
            switch self {
            case .message(let message): message.byteCount + 64
            case .part(let data): data.count + 64
            case .beginning, .end: 64
            }
        }
    }

    package typealias Source = BoundedSource<Item, WebSocketError>

    /// The action for the event loop after a task has taken something.
    package enum Demand: Sendable, Hashable {
        case none
        /// Resume reading: there is room again.
        case resume
        /// Deliver the next message in fragments.
        case parts
        /// Fail: a caller wants a whole message, and the incoming one is too large for that.
        case overflow
        /// Continue with the protocol violation: all messages before it were taken.
        case fault
    }

    /// The result of a delivery.
    package enum Room: Sendable, Hashable {
        /// The items were accepted, and there is room for more.
        case more
        /// The items were accepted; do not read more until a task has taken some.
        case full
        /// The items were dropped, and all later items will be.
        case dropping
    }

    /// The sink that receives messages instead of the reader.
    ///
    /// A struct, because passing the bare function out of the lock would allocate each time.
    private struct Sink: Sendable {
        let take: MessageSink
    }

    private enum Pending {
        case none
        /// Reading has stopped, because no caller has said how it wants a message that is too large to be received whole.
        case choice
        /// A protocol violation follows the items.
        case fault
    }

    private struct State {
        var source: Source
        /// True if the last item is within a message that is received in fragments.
        var isInMessage = false
        /// True if an item was dropped: items after it would be mistaken for its successors.
        var isDropping = false
        /// True while the event loop does not read, because there is no room.
        var isPaused = false
        /// The condition of the event loop that the next caller resolves.
        var pending = Pending.none
        var wantsParts = false
        /// The sink of whole messages that arrive while a caller waits.
        var sink: Sink?
        var closure: WebSocketCloseInfo?
        var closers: [CheckedContinuation<WebSocketCloseInfo, Never>] = []

        /// True if a whole message that arrives now can go to the sink: a caller waits, and no item precedes it.
        var canUseSink: Bool {
            sink != nil && source.isAwaited && !wantsParts && source.queue.isEmpty && !isDropping && !isInMessage
        }

        mutating func push(_ item: Item) {
            source.queue.append(item)
            follow(item)
        }

        private mutating func follow(_ item: Item) {
            switch item {
            case .beginning, .part: isInMessage = true
            case .end, .message: isInMessage = false
            }
        }

        /// Returns the waiting reader, if there is one, to resume it with the item.
        mutating func takeReader(for item: Item) -> Source.Reader? {
            guard source.queue.isEmpty, !isDropping, let reader = source.takeReader() else { return nil }
            wantsParts = false
            follow(item)
            return reader
        }

        /// Accepts no more items.
        mutating func drop(because error: WebSocketError?) {
            guard !isDropping else { return }
            isDropping = true
            source.failure = error ?? (isInMessage ? .cut : nil)
        }

        /// Returns the action for the event loop after an item was taken: it resumes reading when the buffer is at most
        /// half full.
        mutating func demand() -> Demand {
            guard isPaused, source.queue.cost * 2 <= source.queue.maximumCost else { return .none }
            isPaused = false
            return .resume
        }
    }

    private let state: Mutex<State>

    package init(limit: Int) { state = Mutex(State(source: Source(BoundedQueue(maximumCost: max(limit, 1))))) }

    package var closure: WebSocketCloseInfo? { state.withLock { $0.closure } }

    // MARK: The receiving task

    /// Takes the next item.
    ///
    /// - Returns: The item, `nil` if there is no item yet; the action for the event loop; and the number of the wait
    ///   for more.
    package func take() -> (Source.Taken?, Demand, wait: UInt64) {
        state.withLock { ($0.source.take(), $0.demand(), $0.source.nextWait()) }
    }

    /// Takes the next item if it is a whole message of at most the given size.
    ///
    /// - Parameter maximumSize: The maximum size of the message, in bytes.
    /// - Returns: The message, `nil` if the next item is something else or missing; and the action for the event loop.
    package func takeBufferedMessage(upTo maximumSize: Int) -> (WebSocketMessage?, Demand) {
        state.withLock { state -> (WebSocketMessage?, Demand) in
            guard case .message(let message)? = state.source.queue.first, message.byteCount <= maximumSize else {
                return (nil, .none)
            }
            state.source.queue.popFirst()
            return (message, state.demand())
        }
    }

    /// Waits for the next item.
    ///
    /// - Parameters:
    ///   - id: The number of the wait.
    ///   - inParts: True if the caller wants the message in fragments.
    ///   - perform: Called with the action for the event loop.
    /// - Returns: The item, or the end of the connection.
    package func wait(_ id: UInt64, inParts: Bool, onDemand perform: @Sendable (Demand) -> Void) async -> Source.Taken {
        await Source.suspend { reader in
            let (early, demand) = state.withLock { state -> (Source.Taken?, Demand) in
                let early = state.source.read(
                    reader, wait: id,
                    busy: .failure(
                        WebSocketError(
                            .alreadyReading, message: "another task is already receiving from this connection")),
                    cancelled: .failure(.cancelled))
                if early != nil { return (early, state.demand()) }
                // An empty inbox has room, whatever its limit.
                defer {
                    (state.wantsParts, state.isPaused) = (inParts, false)
                    if state.pending == .choice { state.pending = .none }
                }
                if state.pending == .fault { return (nil, .fault) }
                if inParts { return (nil, .parts) }
                return (nil, state.pending == .choice ? .overflow : state.isPaused ? .resume : .none)
            }
            perform(demand)
            return early
        } onCancel: {
            state.withLock { state in
                guard let reader = state.source.cancel(wait: id) else { return nil }
                state.wantsParts = false
                return Source.Wake(reader: reader, taken: .failure(.cancelled))
            }
        }
    }

    /// Waits until the connection has ended.
    ///
    /// - Parameter onCancel: Called when the task is cancelled; it must end the connection soon.
    /// - Returns: The close information.
    package func closed(onCancel: @escaping @Sendable () -> Void) async -> WebSocketCloseInfo {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (closer: CheckedContinuation<WebSocketCloseInfo, Never>) in
                let closure = state.withLock { state -> WebSocketCloseInfo? in
                    if state.closure == nil { state.closers.append(closer) }
                    return state.closure
                }
                if let closure { closer.resume(returning: closure) }
            }
        } onCancel: {
            onCancel()
        }
    }

    // MARK: The event loop

    /// Sets the sink of whole messages that arrive while a caller waits.
    ///
    /// - Parameter sink: The sink; called on the event loop.
    package func deliverMessages(to sink: @escaping MessageSink) { state.withLock { $0.sink = Sink(take: sink) } }

    /// Delivers items.
    ///
    /// - Parameters:
    ///   - items: The items in order.
    ///   - isClosing: True if items without room are dropped, because this side has sent a close frame.
    /// - Returns: The room for more.
    package func deliver(_ items: [Item], isClosing: Bool) -> Room {
        var items = items[...]
        passToSink(&items)
        return items.isEmpty ? .more : enqueue(items, isClosing: isClosing)
    }

    /// Delivers a single item, usually to a waiting caller.
    ///
    /// - Parameters:
    ///   - item: The message, or the part of one.
    ///   - isClosing: True if items without room are dropped, because this side has sent a close frame.
    /// - Returns: The room for more.
    package func deliver(_ item: Item, isClosing: Bool) -> Room {
        offer(item) ? .more : enqueue([item], isClosing: isClosing)
    }

    /// Passes an item to the sink or the waiting reader.
    ///
    /// - Returns: True if one of them took it.
    private func offer(_ item: Item) -> Bool {
        let (reader, sink) = state.withLock { state -> (Source.Reader?, Sink?) in
            if case .message = item, state.canUseSink { return (nil, state.sink) }
            return (state.takeReader(for: item), nil)
        }
        if let sink, case .message(let message) = item { return sink.take(message) { _ in nil } }
        reader?.resume(returning: .success(item))
        return reader != nil
    }

    /// Passes messages to the sink, as far as it takes them.
    ///
    /// Not called under the lock: the sink takes its own lock, under which it may call this inbox. Meanwhile only a
    /// cancellation can remove the waiting reader, because everything else happens on the event loop.
    private func passToSink(_ items: inout ArraySlice<Item>) {
        guard let sink = state.withLock({ $0.canUseSink ? $0.sink : nil }) else { return }
        while case .message(let message)? = items.first {
            var rest = items.dropFirst()
            let isTaken = sink.take(message) { maximumSize in
                guard case .message(let next)? = rest.first, next.byteCount <= maximumSize else { return nil }
                rest.removeFirst()
                return next
            }
            guard isTaken else { return }
            items = rest
        }
    }

    /// Passes the first item to the waiting reader, and keeps the rest.
    private func enqueue(_ items: ArraySlice<Item>, isClosing: Bool) -> Room {
        let (reader, room) = state.withLock { state -> (Source.Reader?, Room) in
            let reader = items.first.flatMap { state.takeReader(for: $0) }
            for item in reader == nil ? items : items.dropFirst() {
                if isClosing, state.source.queue.isFull { state.drop(because: nil) }
                guard !state.isDropping else { return (reader, .dropping) }
                state.push(item)
            }
            guard state.source.queue.isFull, !isClosing else { return (reader, .more) }
            state.isPaused = true
            return (reader, .full)
        }
        if let reader { reader.resume(returning: .success(items.first)) }
        return room
    }

    /// Drops all items that arrive from now on.
    ///
    /// - Parameter error: The error that the receiver gets after the last kept item.
    package func drop(because error: WebSocketError) {
        let wake = state.withLock { state in
            if state.pending == .choice { state.pending = .none }
            state.drop(because: error)
            return state.source.wakeAtEnd()
        }
        wake?.resume()
    }

    /// True if there is no item to take.
    package var isEmpty: Bool { state.withLock { $0.source.queue.isEmpty } }

    /// True if the waiting caller still wants the message in fragments.
    package var wantsParts: Bool { state.withLock { $0.wantsParts } }

    /// Returns the waiting caller's choice for a message that is too large to be received whole; if no caller waits, the
    /// next one chooses.
    package func chooseReception() -> MessageReceptionStateMachine.Choice {
        state.withLock { state in
            if state.source.isAwaited { return state.wantsParts ? .fragments : .whole }
            state.pending = .choice
            return .none
        }
    }

    /// Notes that a protocol violation follows the items.
    ///
    /// - Returns: True if all items were taken, and a caller waits for more.
    package func isTaken() -> Bool {
        state.withLock { state in
            state.pending = .fault
            return state.source.isAwaited
        }
    }

    /// Ends the inbox.
    ///
    /// The items that it holds can still be taken.
    package func finish(_ closure: WebSocketCloseInfo) {
        let (wake, closers) = state.withLock {
            state -> (Source.Wake?, [CheckedContinuation<WebSocketCloseInfo, Never>]) in
            guard state.closure == nil else { return (nil, []) }
            state.closure = closure
            defer { state.closers = [] }
            let failure =
                closure.failure
                ?? WebSocketError(.connectionLost, message: "the connection ended", closeCode: closure.code)
            return (
                state.source.finish(end: closure.isClean ? .success(nil) : .failure(failure)), state.closers
            )
        }
        wake?.resume()
        for closer in closers { closer.resume(returning: closure) }
    }
}

extension WebSocketError {
    fileprivate static let cut = WebSocketError(
        .closed, message: "the rest of the message arrived after this side had sent a close frame, and was dropped")
}
