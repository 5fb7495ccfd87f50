// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

#if os(Linux)
import CSimorghNetlink
import Dispatch
import Synchronization

/// Listens to the kernel, and looks again when something has changed.
///
/// An event says that something changed, and is not believed more than that: when a link goes down, its IPv4 routes go
/// without a word. What is so is asked for.
final class NetlinkWatch: Sendable {
    private struct State {
        var settling = NetworkSettling()
        var listening: (any DispatchSourceRead)?
        var news = NetworkNews()
        /// Whether a loss was seen that may be none, and is looked at once more.
        var isInDoubt = false
        /// How often something new was told.
        var told = 0
        /// How many looks in a row the kernel left without an answer, or refused.
        var vain = 0
    }

    /// After how long to look once more when something new was told.
    private static let afterwards = Duration.seconds(2)
    /// How many looks in a row may be in vain before somebody else is to look; 3.
    private static let patience = 3

    private let events: NetlinkSocket
    private let questions: NetlinkQuestions
    private let tell: @Sendable (NetworkStatus) -> Void
    private let giveUp: @Sendable (NetlinkSocket.Failure) -> Void
    private let clock = TimeSource.system.stopwatch()
    private let state = Mutex(State())
    /// On which all of it happens.
    private let queue = DispatchQueue(label: "simorgh.network")

    /// - Parameters:
    ///   - events: Where the kernel tells that something changed.
    ///   - questions: Where it is asked what is so.
    ///   - tell: Told what is new.
    ///   - giveUp: Told that the kernel answers no more, and why; ends this watch and looks in its place.
    init(
        _ events: NetlinkSocket, _ questions: NetlinkQuestions, _ tell: @escaping @Sendable (NetworkStatus) -> Void,
        giveUp: @escaping @Sendable (NetlinkSocket.Failure) -> Void
    ) {
        self.events = events
        self.questions = questions
        self.tell = tell
        self.giveUp = giveUp
    }

    /// Tells what is so, and listens from then on.
    func start() {
        queue.sync { look(onlyForLoss: false) }
        state.withLock { state in
            // Whoever stopped it meanwhile has found nothing to end.
            guard !state.news.isStopped else { return }
            let listening = DispatchSource.makeReadSource(fileDescriptor: events.descriptor, queue: queue)
            listening.setEventHandler { [weak self] in self?.drain() }
            // The descriptor may not be closed before the source is done with it.
            listening.setCancelHandler { [events] in withExtendedLifetime(events) {} }
            listening.resume()
            state.listening = listening
        }
    }

    func stop() {
        state.withLock { state in
            state.news.stop()
            state.listening?.cancel()
            state.listening = nil
        }
    }

    /// Takes what has come, none of which is read.
    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var isNews = false
        for _ in 0..<256 {
            do throws(NetlinkSocket.Failure) {
                _ = try events.receive(into: &buffer)
                isNews = true
            } catch {
                if error.number == EAGAIN { break }
                // ENOBUFS says that events were lost, which is one more reason to look.
                isNews = true
                if error.number != ENOBUFS { break }
            }
        }
        guard isNews else { return }
        let (delay, lossDelay) = state.withLock { state in
            let now = clock.elapsed
            return (state.settling.changed(at: now), state.news.isConnected ? state.settling.mayBeLost(at: now) : nil)
        }
        if let lossDelay {
            if lossDelay > .zero { wait(lossDelay) { $0.lookForLoss() } } else { lookForLoss() }
        }
        if let delay { askAgain(after: delay) }
    }

    /// Looks whether all is lost, which is not to wait: by three questions, and all of them only where it seems so.
    private func lookForLoss() {
        let begin = clock.elapsed
        defer {
            state.withLock { state in
                let now = clock.elapsed
                state.settling.lookedForLoss(at: now, taking: now - begin)
            }
        }
        guard !state.withLock({ $0.news.isStopped }), let ways = try? questions.ways() else { return }
        var picture = NetworkPicture()
        (picture.ipv4, picture.ipv6) = ways
        let indexes = Set([ways.ipv4, ways.ipv6].compactMap { $0?.outgoing.first })
        picture.links = indexes.compactMap(questions.link)
        if state.withLock({ $0.news.isCertainLoss(picture) }) { look(onlyForLoss: true) }
    }

    private func askAgain(after delay: Duration) { wait(delay) { $0.asked() } }

    private func wait(_ delay: Duration, _ then: @escaping @Sendable (NetlinkWatch) -> Void) {
        let nanoseconds = Int(delay / .nanoseconds(1))
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
            if let self { then(self) }
        }
    }

    private func asked() {
        let (delay, isOver) = state.withLock { state in (state.settling.asked(at: clock.elapsed), state.news.isStopped)
        }
        if isOver { return }
        if let delay { askAgain(after: delay) } else { look(onlyForLoss: false) }
    }

    /// Looks, and tells what is new.
    private func look(onlyForLoss: Bool) {
        let begin = clock.elapsed
        let picture: NetworkPicture
        do throws(NetlinkSocket.Failure) {
            picture = try questions.picture()
        } catch {
            return failed(error, since: begin, onlyForLoss: onlyForLoss)
        }
        let status = picture.status
        let (isNews, isInDoubt) = state.withLock { state in
            let now = clock.elapsed
            state.settling.looked(at: now, taking: now - begin)
            state.vain = 0
            let isCertain = state.news.isCertainLoss(picture)
            if onlyForLoss, !isCertain { return (false, false) }
            let isDoubtful = state.news.isConnected && !status.isConnected && !isCertain && !state.isInDoubt
            state.isInDoubt = isDoubtful
            return (!isDoubtful && state.news.isNews(status), isDoubtful)
        }
        if isNews {
            tell(status)
            lookAfterwards()
        }
        if isInDoubt { lookLater(after: NetworkSettling.longest) }
    }

    /// A look was in vain: looks again, or where so many were, leaves that to somebody else.
    private func failed(_ failure: NetlinkSocket.Failure, since begin: Duration, onlyForLoss: Bool) {
        let isEnough = state.withLock { state in
            let now = clock.elapsed
            // Asking in vain is work, too, and is rested from.
            state.settling.looked(at: now, taking: now - begin)
            // It changes faster than it can be told, or the kernel has no memory for the answer: soon it has.
            state.vain = failure.mayPass ? 0 : state.vain + 1
            return state.vain >= Self.patience
        }
        if isEnough { return giveUp(failure) }
        if !onlyForLoss { lookLater(after: NetworkSettling.quiet) }
    }

    /// Looks once more when it has been quiet for long: who brings a network up writes down its name servers after that,
    /// and no event tells of a file.
    private func lookAfterwards() {
        let number = state.withLock { state in
            state.told += 1
            return state.told
        }
        wait(Self.afterwards) { watch in
            let isLast = watch.state.withLock { !$0.news.isStopped && $0.told == number }
            if isLast { watch.lookLater(after: NetworkSettling.quiet) }
        }
    }

    /// Looks again, unless that will be done in any case.
    private func lookLater(after delay: Duration) {
        if state.withLock({ $0.settling.changed(at: clock.elapsed) }) != nil { askAgain(after: delay) }
    }
}
#endif
