// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization

/// What has come from one WebSocket: shared by the event loop that reads and the task that takes.
final class WebSocketInbox: Sendable {
    /// A message, or a part of one that is taken in parts.
    enum Item: BoundedItem {
        case message(WebSocketMessage)
        case beginning(WebSocketMessage.Kind)
        case part(Data)
        case end

        /// How much it counts against the bound.
        var cost: Int {
            switch self {
            case .message(let message): message.byteCount + 64
            case .part(let data): data.count + 64
            case .beginning, .end: 64
            }
        }
    }

    typealias Source = BoundedSource<Item, WebSocketError>

    /// What the loop is to do after something was taken.
    enum Demand: Sendable, Hashable {
        case none
        /// There is room again.
        case resume
        /// The next message is wanted in parts.
        case parts
        /// A message is wanted whole, and the one that comes is larger than that may be.
        case overflow
        /// All that came before a fault was taken.
        case fault
    }

    /// What became of what came.
    enum Room: Sendable, Hashable {
        /// It is here, and there is room for more.
        case more
        /// It is here, and nothing more is to be read until something was taken.
        case full
        /// It was dropped, and so is all that comes after it.
        case dropping
    }

    /// Who gets messages in place of the reader; not the bare function, for which each way out of the lock makes objects.
    private struct Hand: Sendable {
        let take: MessageHand
    }

    private struct State {
        var source: Source
        /// Whether what came last is within a message that is taken in parts.
        var isInMessage = false
        /// Whether something was dropped: what comes after that would be taken for what follows.
        var isDropping = false
        /// The loop reads no more until there is room.
        var isPaused = false
        /// The loop reads no more until it knows how a message is wanted that is too large to be taken whole.
        var isOverflowing = false
        /// A fault came behind what is here.
        var isFaulty = false
        var wantsParts = false
        /// Who gets whole messages while somebody waits.
        var hand: Hand?
        var closure: WebSocketClosure?
        var closers: [CheckedContinuation<WebSocketClosure, Never>] = []

        /// Whether a whole message that comes now is the next one that is taken, by who waits.
        var canHandOn: Bool {
            hand != nil && source.isAwaited && !wantsParts && source.queue.isEmpty && !isDropping && !isInMessage
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

        /// Who waits, if somebody does: for something that comes.
        mutating func takeReader(for item: Item) -> Source.Reader? {
            guard source.queue.isEmpty, !isDropping, let reader = source.takeReader() else { return nil }
            wantsParts = false
            follow(item)
            return reader
        }

        /// Takes nothing more.
        mutating func drop(because error: WebSocketError?) {
            guard !isDropping else { return }
            isDropping = true
            source.failure = error ?? (isInMessage ? .cut : nil)
        }

        /// What the loop is to do when something was taken: once half of what there may be is left, it reads on.
        mutating func demand() -> Demand {
            guard isPaused, source.queue.cost * 2 <= source.queue.maximumCost else { return .none }
            isPaused = false
            return .resume
        }
    }

    private let state: Mutex<State>

    init(limit: Int) { state = Mutex(State(source: Source(BoundedQueue(maximumCost: max(limit, 1))))) }

    var closure: WebSocketClosure? { state.withLock { $0.closure } }

    // MARK: The task that takes

    /// Takes what is there.
    ///
    /// - Returns: What there is, `nil` when there is nothing yet; what the loop is to do; and the number of the wait for more.
    func take() -> (Source.Taken?, Demand, wait: UInt64) {
        state.withLock { ($0.source.take(), $0.demand(), $0.source.nextWait()) }
    }

    /// Takes a message that is there whole, and no larger than wanted.
    ///
    /// - Parameter most: The most bytes of the message.
    /// - Returns: The message, `nil` where something else is next, or nothing; and what the loop is to do.
    func takeMessage(upTo most: Int) -> (WebSocketMessage?, Demand) {
        state.withLock { state -> (WebSocketMessage?, Demand) in
            guard case .message(let message)? = state.source.queue.first, message.byteCount <= most else {
                return (nil, .none)
            }
            state.source.queue.popFirst()
            return (message, state.demand())
        }
    }

    /// Waits for what comes.
    ///
    /// - Parameters:
    ///   - id: The number of the wait.
    ///   - inParts: Whether a message is wanted in parts.
    ///   - act: Called with what the loop is to do.
    /// - Returns: What came, or how it ended.
    func wait(_ id: UInt64, inParts: Bool, _ act: @Sendable (Demand) -> Void) async -> Source.Taken {
        await Source.suspend { reader in
            let (early, demand) = state.withLock { state -> (Source.Taken?, Demand) in
                let early = state.source.read(
                    reader, wait: id,
                    busy: .failure(
                        WebSocketError(
                            .alreadyReading, message: "another task waits for a message of this connection")),
                    cancelled: .failure(.cancelled))
                if early != nil { return (early, state.demand()) }
                // An empty inbox is room, whatever its bound.
                defer { (state.wantsParts, state.isOverflowing, state.isPaused) = (inParts, false, false) }
                if state.isFaulty { return (nil, .fault) }
                return (nil, inParts ? .parts : state.isOverflowing ? .overflow : state.isPaused ? .resume : .none)
            }
            act(demand)
            return early
        } onCancel: {
            state.withLock { state in
                guard let reader = state.source.cancel(wait: id) else { return nil }
                state.wantsParts = false
                return Source.Wake(reader, .failure(.cancelled))
            }
        }
    }

    /// Waits until it is over.
    ///
    /// - Parameter onCancel: Called when the task is cancelled; the end is to come soon then.
    /// - Returns: How it ended.
    func closed(onCancel: @escaping @Sendable () -> Void) async -> WebSocketClosure {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (closer: CheckedContinuation<WebSocketClosure, Never>) in
                let closure = state.withLock { state -> WebSocketClosure? in
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

    /// From now on, whole messages that come while somebody waits go to somebody else.
    ///
    /// - Parameter hand: Who gets them; called on the loop.
    func handMessages(to hand: @escaping MessageHand) { state.withLock { $0.hand = Hand(take: hand) } }

    /// Gives what came.
    ///
    /// - Parameters:
    ///   - items: In their order.
    ///   - isClosing: Whether what there is no room for is dropped: this side has said goodbye.
    /// - Returns: Whether there is room for more.
    func deliver(_ items: [Item], isClosing: Bool) -> Room {
        var items = items[...]
        handOn(&items)
        return items.isEmpty ? .more : keep(items, isClosing: isClosing)
    }

    /// Gives what came by itself, mostly to somebody who waits for it.
    ///
    /// - Parameters:
    ///   - item: The message, or the part of one.
    ///   - isClosing: As for more of them.
    /// - Returns: Whether there is room for more.
    func deliver(_ item: Item, isClosing: Bool) -> Room {
        give(item) ? .more : keep([item], isClosing: isClosing)
    }

    /// Gives something to who waits for it.
    ///
    /// - Returns: Whether somebody did, and took it.
    private func give(_ item: Item) -> Bool {
        let (reader, hand) = state.withLock { state -> (Source.Reader?, Hand?) in
            if case .message = item, state.canHandOn { return (nil, state.hand) }
            return (state.takeReader(for: item), nil)
        }
        if let hand, case .message(let message) = item { return hand.take(message) { _ in nil } }
        reader?.resume(returning: .success(item))
        return reader != nil
    }

    /// Gives messages to who gets them while somebody waits, as far as that one takes them.
    ///
    /// Not under the lock, as it takes another one, under which this one may be asked for. Between the two only a
    /// cancellation can take away who waits: all else that does is the loop's.
    private func handOn(_ items: inout ArraySlice<Item>) {
        guard let hand = state.withLock({ $0.canHandOn ? $0.hand : nil }) else { return }
        while case .message(let message)? = items.first {
            var rest = items.dropFirst()
            let isTaken = hand.take(message) { most in
                guard case .message(let next)? = rest.first, next.byteCount <= most else { return nil }
                rest.removeFirst()
                return next
            }
            guard isTaken else { return }
            items = rest
        }
    }

    /// Gives what came to who waits, and keeps the rest.
    private func keep(_ items: ArraySlice<Item>, isClosing: Bool) -> Room {
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

    /// Nothing that comes from now on is taken in.
    ///
    /// - Parameter error: What whoever takes the last of what is here is told.
    func drop(because error: WebSocketError) {
        let wake = state.withLock { state in
            state.isOverflowing = false
            state.drop(because: error)
            return state.source.wakeAtEnd()
        }
        wake?.resume()
    }

    /// Whether nobody will find anything to take.
    var isEmpty: Bool { state.withLock { $0.source.queue.isEmpty } }

    /// Whether whoever waits still wants the message in parts.
    var wantsParts: Bool { state.withLock { $0.wantsParts } }

    /// A message is larger than it may be to be taken whole.
    ///
    /// - Returns: What whoever waits wants; `none` where nobody does, and the next to ask decides.
    func overflows() -> Demand {
        state.withLock { state in
            if state.source.isAwaited { return state.wantsParts ? .parts : .overflow }
            state.isOverflowing = true
            return .none
        }
    }

    /// A fault came behind what is here.
    ///
    /// - Returns: Whether all that came before was taken, and more is waited for.
    func isTaken() -> Bool {
        state.withLock { state in
            state.isFaulty = true
            return state.source.isAwaited
        }
    }

    /// It is over; only what came before can still be taken.
    func finish(_ closure: WebSocketClosure) {
        let (wake, closers) = state.withLock {
            state -> (Source.Wake?, [CheckedContinuation<WebSocketClosure, Never>]) in
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
        .closed, message: "the rest of the message came after this side's goodbye, and nobody took it")
}
