// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Dispatch
package import SimorghCore
package import SimorghDownloads
import SimorghSupport
import Synchronization

/// The transfers of one background session: reports its events to the state machine and performs the actions.
///
/// Events are handled one at a time on one serial queue, which is the session's delegate queue as well.
package final class BackgroundTransfers: Sendable {
    package typealias MakeSession = (
        _ queue: DispatchQueue, _ events: @escaping @Sendable (BackgroundSessionEvent) -> Void
    ) -> any BackgroundSession
    /// Returns the transfers of a session: a new one after the old one was invalidated.
    ///
    /// A session that exists keeps its ``trust``, which may have other TLS options. It throws an error if a file of the
    /// options cannot be used.
    package typealias Provider = @Sendable (TLSOptions) throws(TransportError) -> BackgroundTransfers
    /// Performs work after a delay.
    package typealias Timer = @Sendable (_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> Void
    private typealias Machine = BackgroundTransferStateMachine
    private typealias Outcome = Result<BackendFile, BackgroundTransferError>

    /// The largest response to an upload, in bytes.
    package static let maximumResponse = 1024 * 1024
    /// The time to wait for a callback of the system about a task that has ended.
    private static let callbackDelay = Duration.seconds(30)
    /// The time to wait until delivered files are verified and named.
    private static let settlingDelay = Duration.seconds(10)
    /// The time after a delivery for which the program stays active, to pass retries to the system.
    private static let handoverDelay = Duration.seconds(2)
    private static let activityReason = "Simorgh verifies files of background transfers"

    private struct Call {
        let order: BackgroundOrder
        let continuation: CheckedContinuation<Outcome, Never>
        let progress: @Sendable (Int64, Int64?) -> Void
    }

    private struct State {
        var machine: Machine
        var files: BackgroundTransferFiles
        var session: (any BackgroundSession)?
        var calls: [Int: Call] = [:]
        var nextCall = 0
        /// The bytes that running tasks have transferred, by the number of the task.
        var counts: [Int: (bytes: Int64, expected: Int64?)] = [:]
        /// The responses to uploads.
        var bodies: [Int: Data] = [:]
        var observers: [UUID: @Sendable () -> Void] = [:]
        /// True if the events were handled before there was an observer.
        var isTold = false
        var isInvalid = false
        /// True if events are handled.
        var isActive = false
        var activity: ExpiringActivity?
    }

    /// The content of an event.
    private enum Payload: Sendable {
        case none
        case file(path: String, BackgroundResponse)
        case body(Data, BackgroundResponse)
        case resumeData(Data)

        init(resumeData: Data?) { self = resumeData.map(Payload.resumeData) ?? .none }
    }

    /// The TLS options of the session.
    package let trust: BackgroundTrust
    let identifier: String
    private let state: Mutex<State>
    private let queue: DispatchQueue
    private let timer: Timer

    package init(
        _ identifier: String = "", trust: BackgroundTrust = BackgroundTrust(), timer: Timer? = nil, make: MakeSession
    ) {
        (self.identifier, self.trust) = (identifier, trust)
        state = Mutex(
            State(
                machine: Machine(trustKey: trust.key), files: BackgroundTransferFiles(trustKey: trust.key)))
        let queue = DispatchQueue(label: "simorgh.background-transfers")
        // A file that came before its folder is known would be lost.
        queue.suspend()
        self.queue = queue
        self.timer =
            timer ?? { delay, work in
                queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1))), execute: work)
            }
        let session = make(queue) { [weak self] in self?.handle($0) }
        state.withLock { $0.session = session }
        session.list { [weak self, queue] tasks in queue.async { [weak self] in self?.handle(tasks) } }
    }

    // A suspended queue must not be released.
    deinit { activate() }

    /// Lets events through, once the first user is known.
    private func activate() {
        if !state.withLock({ $0.isActive.exchange(true) }) { queue.resume() }
    }

    package var isInvalid: Bool { state.withLock { $0.isInvalid } }

    /// True if no transfer, call or response is known.
    package var isIdle: Bool {
        state.withLock { $0.machine.isEmpty && $0.calls.isEmpty && $0.bodies.isEmpty }
    }

    /// Returns true if a call waits for a transfer.
    package func isAwaited(_ id: UUID) -> Bool { state.withLock { $0.machine.call(for: id) != nil } }

    /// Waits until all events so far are handled.
    package func flush() {
        activate()
        queue.sync {}
    }

    // MARK: Users

    /// Adds a folder that holds the folders of transfers, and an observer of handled deliveries.
    ///
    /// - Parameters:
    ///   - directory: The folder.
    ///   - user: The identifier of the observer; an older one of the same identifier is replaced.
    ///   - action: Called when the files of a delivery are verified and named; `nil` to add only the folder.
    package func attach(_ directory: String, user: UUID, action: (@Sendable () -> Void)?) {
        let isTold = state.withLock { state in
            state.files.attach(directory)
            guard let action else { return false }
            state.observers[user] = action
            return state.isTold.exchange(false)
        }
        activate()
        if isTold { action?() }
    }

    /// Removes an observer.
    package func detach(_ user: UUID) { state.withLock { _ = $0.observers.removeValue(forKey: user) } }

    /// Transfers a file, or waits for a transfer that continues since an earlier process.
    ///
    /// - Parameters:
    ///   - order: The request.
    ///   - isClosed: Returns true if the caller closes, so that its transfers continue for the next caller.
    ///   - progress: Called with the number of bytes and the expected total.
    /// - Returns: The response.
    /// - Throws: ``BackgroundTransferError``. A cancelled task stops the transfer and keeps its bytes if possible.
    package func transfer(
        _ order: BackgroundOrder, isClosed: @escaping @Sendable () -> Bool = { false },
        progress: @escaping @Sendable (Int64, Int64?) -> Void
    ) async throws(BackgroundTransferError) -> BackendFile {
        let call = state.withLock { state in
            state.nextCall += 1
            return state.nextCall
        }
        var request = order
        request.trustKey = trust.key
        let order = request
        activate()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { [self] in
                    let isKept = state.withLock { state in
                        state.calls[call] = Call(order: order, continuation: continuation, progress: progress)
                        return state.files.response(of: order.id, url: order.url) != nil
                    }
                    process(
                        .requested(
                            order.id, call: call, url: order.url, key: order.key, isKept: isKept,
                            isRestored: order.isRestored))
                    reportCount(of: order.id)
                }
            }
        } onCancel: {
            let continues = isClosed()
            queue.async { [self] in process(.abandoned(order.id, call: call, continues: continues)) }
        }
        queue.async { [self] in state.withLock { $0.machine.forget(call: call) } }
        return try outcome.get()
    }

    /// Removes a transfer with its files.
    ///
    /// - Parameters:
    ///   - id: The transfer.
    ///   - completion: Called when no event of the transfer can create a file any more.
    package func discard(_ id: UUID, completion: @escaping @Sendable () -> Void = {}) {
        queue.async { [self] in
            process(.discarded(id))
            completion()
        }
    }

    /// Stops a transfer that an earlier user has left running, and keeps its bytes if possible.
    package func pause(_ id: UUID) { queue.async { [self] in process(.paused(id)) } }

    /// Records that the response of a transfer was verified and stored, or given up on.
    package func settle(_ id: UUID) { queue.async { [self] in process(.settled(id)) } }

    /// Changes the priority of a transfer, from 0 to 1.
    package func setPriority(_ priority: Float, of id: UUID) {
        queue.async { [self] in
            let (task, session) = state.withLock { ($0.machine.task(of: id), $0.session) }
            if let task { session?.setPriority(priority, of: task.number) }
        }
    }

    // MARK: Events

    private func handle(_ tasks: [BackgroundSessionTask]) {
        process(.listed(tasks))
        for task in tasks { handle(.progress(task, count: task.count, expected: task.expectedCount)) }
    }

    /// Tells the call of a transfer how many bytes its task has transferred so far.
    private func reportCount(of id: UUID) {
        let (call, count) = state.withLock { state in
            (
                state.machine.call(for: id).flatMap { state.calls[$0] },
                state.machine.task(of: id).flatMap { state.counts[$0.number] }
            )
        }
        if let call, let count { call.progress(count.bytes, count.expected) }
    }

    private func handle(_ event: BackgroundSessionEvent) {
        switch event {
        case .progress(let task, let count, let expected):
            let isCurrent = state.withLock { state in
                guard state.machine.task(of: task.id) == task, count > 0 else { return false }
                state.counts[task.number] = (count, expected >= 0 ? expected : nil)
                return true
            }
            if isCurrent { reportCount(of: task.id) }
        case .file(let task, let response?, let path): process(.arrived(task), payload: .file(path: path, response))
        case .file(let task, nil, _): process(.ended(task, .notHTTP, hasResumeData: false))
        case .data(let task, let data): receive(data, of: task)
        case .ended(let task, let response, let failure):
            let body = state.withLock { state in
                state.counts[task.number] = nil
                return state.bodies.removeValue(forKey: task.number)
            }
            if task.isUpload, failure == nil, let response {
                process(.arrived(task), payload: .body(body ?? Data(), response))
            }
            let data = failure?.resumeData
            process(
                .ended(task, failure.map(BackgroundTransferError.init), hasResumeData: data != nil),
                payload: Payload(resumeData: data))
        case .delivered: process(.delivered)
        case .invalidated:
            state.withLock { $0.isInvalid = true }
            process(.invalidated)
            state.withLock { ($0.session, $0.bodies, $0.counts) = (nil, [:], [:]) }
        }
    }

    private func receive(_ data: Data, of task: BackgroundSessionTask) {
        let session = state.withLock { state -> (any BackgroundSession)? in
            let count = state.bodies[task.number, default: Data()].count
            guard count + data.count > Self.maximumResponse else {
                state.bodies[task.number, default: Data()].append(data)
                return nil
            }
            return state.session
        }
        guard let session else { return }
        process(.ended(task, .responseTooLarge(limit: Self.maximumResponse), hasResumeData: false))
        session.cancel(task.number)
    }

    private func process(_ event: Machine.Event, payload: Payload = .none) {
        for action in state.withLock({ $0.machine.handle(event) }) { perform(action, payload: payload) }
    }

    private func perform(_ action: Machine.Action, payload: Payload) {
        let (session, files) = state.withLock { ($0.session, $0.files) }
        switch action {
        case .start(_, let call): start(call, over: session, files: files)
        case .resume(let task): session?.resume(task.number)
        case .cancel(let task): session?.cancel(task.number)
        case .stop(let task):
            session?.stop(task.number) { [weak self, queue] data in
                queue.async { [weak self] in
                    self?.process(
                        .stopped(task, hasResumeData: data != nil), payload: Payload(resumeData: data))
                }
            }
        case .keep(let task): process(.kept(task, keep(payload, of: task, in: files)))
        case .drop:
            if case .file(let path, _) = payload { try? DownloadFileSystem.remove(path) }
        case .storeResumeData(let task):
            guard case .resumeData(let data) = payload else { return }
            files.storeResumeData(data, of: task)
        case .remove(let id):
            files.removeResponse(of: id)
            files.removeResumeData(of: id)
            files.removeEmptyFolder(of: id)
        case .removeResponse(let id): files.removeResponse(of: id)
        case .finish(let number, let outcome): finish(number, outcome: outcome, files: files)
        case .wait(let task): after(Self.callbackDelay) { $0.process(.waited(task)) }
        case .waitToTell(let delivery):
            let activity = ExpiringActivity(Self.activityReason)
            state.withLock { $0.activity.exchange(activity) }?.end()
            after(Self.settlingDelay) { $0.process(.waitedToTell(delivery: delivery)) }
        case .tell: tell()
        }
    }

    private func start(_ number: Int, over session: (any BackgroundSession)?, files: BackgroundTransferFiles) {
        guard let session, let order = state.withLock({ $0.calls[number]?.order }) else { return }
        // Foundation ends the program if the file cannot be read.
        if let file = order.file, !DownloadFileSystem.isReadable(file) {
            return fail(order, .file("the file \(file) cannot be read"))
        }
        let task = session.start(order, resumeData: files.takeResumeData(for: order))
        guard task >= 0 else { return fail(order, .invalidated) }
        var started = BackgroundSessionTask(number: task, id: order.id, url: order.url, key: order.key)
        started.isUpload = order.file != nil
        (started.secretKey, started.trustKey) = (order.secretKey, order.trustKey)
        process(.started(started))
    }

    /// Ends the call of a transfer whose task cannot be created.
    private func fail(_ order: BackgroundOrder, _ error: BackgroundTransferError) {
        var none = BackgroundSessionTask(number: -1, id: order.id, url: order.url, key: order.key)
        none.trustKey = order.trustKey
        process(.started(none))
        process(.ended(none, error, hasResumeData: false))
    }

    private func keep(
        _ payload: Payload, of task: BackgroundSessionTask, in files: BackgroundTransferFiles
    ) -> BackgroundTransferError? {
        do throws(BackgroundTransferError) {
            switch payload {
            case .file(let path, let response): try files.keep(path, response: response, of: task)
            case .body(let data, let response): try files.keep(data, response: response, of: task)
            case .none, .resumeData: return .noResponse
            }
            return nil
        } catch {
            return error
        }
    }

    private func finish(_ number: Int, outcome: Machine.Outcome, files: BackgroundTransferFiles) {
        guard let call = state.withLock({ $0.calls.removeValue(forKey: number) }) else { return }
        switch outcome {
        case .failed(let error): call.continuation.resume(returning: .failure(error))
        case .kept:
            let response = files.response(of: call.order.id, url: call.order.url)
            call.continuation.resume(returning: response.map(Outcome.success) ?? .failure(.file("the file is gone")))
        }
    }

    private func tell() {
        let (observers, activity) = state.withLock { state in
            state.isTold = state.observers.isEmpty
            return (Array(state.observers.values), state.activity.take())
        }
        // Failed downloads are passed to the system again after they are settled.
        let handover = activity ?? ExpiringActivity(Self.activityReason)
        after(Self.handoverDelay) { _ in handover.end() }
        for observer in observers { observer() }
    }

    private func after(_ delay: Duration, _ work: @escaping @Sendable (BackgroundTransfers) -> Void) {
        timer(delay) { [weak self, queue] in
            queue.async { [weak self] in if let self { work(self) } }
        }
    }
}

extension Bool {
    fileprivate mutating func exchange(_ new: Bool) -> Bool {
        defer { self = new }
        return self
    }
}

extension Optional {
    fileprivate mutating func exchange(_ new: Wrapped) -> Wrapped? {
        defer { self = new }
        return self
    }
}
