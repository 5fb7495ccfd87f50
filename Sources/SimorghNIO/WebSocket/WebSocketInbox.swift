// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization

/// What has come from one WebSocket: shared by the event loop that reads and the task that takes.
final class WebSocketInbox: Sendable {
    /// A message, or a part of one that is taken in parts.
    enum Item: Sendable {
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

    /// What whoever asks gets.
    enum Delivery: Sendable {
        case item(Item)
        case closed
        case failed(WebSocketError)
    }

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

    /// Who waits for a message.
    private typealias Reader = UnsafeContinuation<Delivery, Never>

    /// Who gets messages in place of the reader; not the bare function, for which each way out of the lock makes objects.
    private struct Hand: Sendable {
        let take: MessageHand
    }

    private struct State {
        var items = ItemQueue<Item>()
        var bytes = 0
        /// Whether what came last is within a message that is taken in parts.
        var isInMessage = false
        /// Whether something was dropped: what comes after that would be taken for what follows.
        var isDropping = false
        /// What whoever takes the last item is told next, once: that not all that came is here.
        var cut: WebSocketError?
        /// The loop reads no more until there is room.
        var isPaused = false
        /// The loop reads no more until it knows how a message is wanted that is too large to be taken whole.
        var isOverflowing = false
        /// A fault came behind what is here.
        var isFaulty = false
        var wantsParts = false
        /// Not a checked one, which costs an object for each wait, and a state whose layout is looked up at each use:
        /// whoever takes it out under the lock resumes it, once.
        var reader: Reader?
        /// Tells one who waits from the next, so that a late cancellation finds its own.
        var readerID: UInt64 = 0
        var lastID: UInt64 = 0
        /// Who gets whole messages while somebody waits.
        var hand: Hand?
        var closure: WebSocketClosure?
        var closers: [CheckedContinuation<WebSocketClosure, Never>] = []

        /// Whether there is nothing to take: every item costs something.
        ///
        /// The queue, which is generic and another module's, takes longer to say so.
        var isEmpty: Bool { bytes == 0 }

        /// Whether a whole message that comes now is the next one that is taken, by who waits.
        var canHandOn: Bool { hand != nil && reader != nil && !wantsParts && isEmpty && !isDropping && !isInMessage }

        mutating func pop() -> Item? {
            guard !isEmpty, let item = items.popFirst() else { return nil }
            bytes -= item.cost
            return item
        }

        mutating func push(_ item: Item) {
            items.append(item)
            bytes += item.cost
            follow(item)
        }

        mutating func follow(_ item: Item) {
            switch item {
            case .beginning, .part: isInMessage = true
            case .end, .message: isInMessage = false
            }
        }

        /// Who waits, if somebody does: for something that comes.
        mutating func takeReader(for item: Item) -> Reader? {
            guard let reader = reader.take() else { return nil }
            wantsParts = false
            follow(item)
            return reader
        }

        /// Takes nothing more.
        mutating func drop(because error: WebSocketError?) {
            guard !isDropping else { return }
            isDropping = true
            cut = error ?? (isInMessage ? .cut : nil)
        }

        /// What whoever asks gets when there is nothing to take.
        mutating func ending() -> Delivery? {
            if let cut = cut.take() { return .failed(cut) }
            guard let closure else { return nil }
            if closure.isClean { return .closed }
            return .failed(
                closure.failure
                    ?? WebSocketError(.connectionLost, message: "the connection ended", closeCode: closure.code))
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = max(limit, 1) }

    var closure: WebSocketClosure? { state.withLock { $0.closure } }

    // MARK: The task that takes

    /// Takes what is there.
    ///
    /// - Returns: What there is, `nil` when there is nothing yet; what the loop is to do; and the number of the wait for more.
    /// - Throws: ``WebSocketError``, when somebody else waits.
    func take() throws(WebSocketError) -> (Delivery?, Demand, wait: UInt64) {
        let (delivery, demand, wait) = state.withLock { state -> (Delivery?, Demand, UInt64) in
            guard state.reader == nil else { return (nil, .none, 0) }
            state.lastID += 1
            guard let item = state.pop() else { return (state.ending(), .none, state.lastID) }
            guard state.isPaused, state.bytes * 2 <= limit else { return (.item(item), .none, state.lastID) }
            state.isPaused = false
            return (.item(item), .resume, state.lastID)
        }
        guard wait > 0 else {
            throw WebSocketError(.alreadyReading, message: "another task waits for a message of this connection")
        }
        return (delivery, demand, wait)
    }

    /// Takes a message that is there whole, and no larger than wanted.
    ///
    /// - Parameter most: The most bytes of the message.
    /// - Returns: The message, `nil` where something else is next, or nothing; and what the loop is to do.
    func takeMessage(upTo most: Int) -> (WebSocketMessage?, Demand) {
        state.withLock { state -> (WebSocketMessage?, Demand) in
            guard state.reader == nil, !state.isEmpty, case .message(let message)? = state.items.first,
                message.byteCount <= most
            else { return (nil, .none) }
            _ = state.pop()
            guard state.isPaused, state.bytes * 2 <= limit else { return (message, .none) }
            state.isPaused = false
            return (message, .resume)
        }
    }

    /// Waits for what comes.
    ///
    /// - Parameters:
    ///   - id: The number of the wait.
    ///   - inParts: Whether a message is wanted in parts.
    ///   - act: Called with what the loop is to do.
    /// - Returns: What came, or how it ended.
    func wait(_ id: UInt64, inParts: Bool, _ act: @Sendable (Demand) -> Void) async -> Delivery {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (reader: Reader) in
                let (early, demand) = state.withLock { state -> (Delivery?, Demand) in
                    if Task.isCancelled { return (.failed(.cancelled), .none) }
                    guard state.reader == nil else {
                        return (
                            .failed(WebSocketError(.alreadyReading, message: "another task waits for a message")), .none
                        )
                    }
                    if let item = state.pop() {
                        let isRoom = state.isPaused && state.bytes * 2 <= limit
                        if isRoom { state.isPaused = false }
                        return (.item(item), isRoom ? .resume : .none)
                    }
                    if let ending = state.ending() { return (ending, .none) }
                    state.reader = reader
                    state.readerID = id
                    state.wantsParts = inParts
                    let isOverflowing = state.isOverflowing
                    state.isOverflowing = false
                    // An empty inbox is room, whatever its bound.
                    let isPaused = state.isPaused
                    state.isPaused = false
                    if state.isFaulty { return (nil, .fault) }
                    return (nil, inParts ? .parts : isOverflowing ? .overflow : isPaused ? .resume : .none)
                }
                act(demand)
                if let early { reader.resume(returning: early) }
            }
        } onCancel: {
            let reader = state.withLock { state -> Reader? in
                guard state.readerID == id else { return nil }
                state.wantsParts = false
                return state.reader.take()
            }
            reader?.resume(returning: .failed(.cancelled))
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
        let (reader, hand) = state.withLock { state -> (Reader?, Hand?) in
            guard state.isEmpty, !state.isDropping else { return (nil, nil) }
            if case .message = item, state.canHandOn { return (nil, state.hand) }
            return (state.takeReader(for: item), nil)
        }
        if let hand, case .message(let message) = item { return hand.take(message) { _ in nil } }
        reader?.resume(returning: .item(item))
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
        let (reader, item, room) = state.withLock { state -> (Reader?, Item?, Room) in
            var rest = items
            var (reader, first): (Reader?, Item?) = (nil, nil)
            if state.reader != nil, state.isEmpty, !state.isDropping, let item = rest.popFirst() {
                (reader, first) = (state.takeReader(for: item), item)
            }
            for item in rest {
                if isClosing, state.bytes >= limit { state.drop(because: nil) }
                guard !state.isDropping else { return (reader, first, .dropping) }
                state.push(item)
            }
            guard state.bytes >= limit, !isClosing else { return (reader, first, .more) }
            state.isPaused = true
            return (reader, first, .full)
        }
        if let reader, let item { reader.resume(returning: .item(item)) }
        return room
    }

    /// Nothing that comes from now on is taken in.
    ///
    /// - Parameter error: What whoever takes the last of what is here is told.
    func drop(because error: WebSocketError) {
        let (reader, ending) = state.withLock { state -> (Reader?, Delivery?) in
            state.isOverflowing = false
            state.drop(because: error)
            guard state.reader != nil, let ending = state.ending() else { return (nil, nil) }
            return (state.reader.take(), ending)
        }
        if let reader, let ending { reader.resume(returning: ending) }
    }

    /// Whether nobody will find anything to take.
    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// Whether whoever waits still wants the message in parts.
    var wantsParts: Bool { state.withLock { $0.wantsParts } }

    /// A message is larger than it may be to be taken whole.
    ///
    /// - Returns: What whoever waits wants; `none` where nobody does, and the next to ask decides.
    func overflows() -> Demand {
        state.withLock { state in
            if state.reader != nil { return state.wantsParts ? .parts : .overflow }
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
            return state.reader != nil
        }
    }

    /// It is over; only what came before can still be taken.
    func finish(_ closure: WebSocketClosure) {
        let (reader, ending, closers) = state.withLock {
            state -> (Reader?, Delivery?, [CheckedContinuation<WebSocketClosure, Never>]) in
            guard state.closure == nil else { return (nil, nil, []) }
            state.closure = closure
            defer { state.closers = [] }
            guard state.reader != nil else { return (nil, nil, state.closers) }
            return (state.reader.take(), state.ending(), state.closers)
        }
        if let reader, let ending { reader.resume(returning: ending) }
        for closer in closers { closer.resume(returning: closure) }
    }
}

extension WebSocketError {
    fileprivate static let cut = WebSocketError(
        .closed, message: "the rest of the message came after this side's goodbye, and nobody took it")
}
