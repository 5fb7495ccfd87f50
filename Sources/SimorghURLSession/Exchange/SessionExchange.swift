// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Synchronization

/// One exchange over a session: passes events to its state machine, and performs the actions after releasing the lock.
///
/// The transport checks a request, chooses the session by its ``SessionKey`` and prepares its body (``SessionUpload``).
/// ``response(to:over:)`` then creates the task, registers this exchange with the session's ``SessionDelegate``, and waits.
/// The delegate reports each event of the task on the session's serial queue: ``responded(_:)``, ``received(_:)``,
/// ``sent(_:)``, ``measured(_:)``, and at the end ``completed(_:)``, after which it releases the exchange and the lease of
/// the session. The caller and the reader of a streamed body add events of their own: a cancellation, and the request for
/// the next chunk. The actions of ``SessionStateMachine`` resume the caller with the response, or the reader with a chunk.
final class SessionExchange: RequestMember {
    typealias ResponseResult = Result<TransportResponse, TransportError>
    typealias ChunkResult = Result<Data?, TransportError>

    private struct State {
        var machine: SessionStateMachine
        var task: URLSessionTask?
        var caller: CheckedContinuation<ResponseResult, Never>?
        /// A response that arrived before its caller waited for it.
        var earlyResponse: ResponseResult?
        var reader: CheckedContinuation<ChunkResult, Never>?
        /// Checks the timeouts.
        var timeoutTask: Task<Void, Never>?
        /// Its registration in the cancellation scope.
        var scopeIndex: Int?
        /// The current transmission of a body in chunks, until the task has ended.
        var bodyStream: UploadStream?
        var suspension = TaskSuspensionStateMachine()
    }

    private let state: Mutex<State>
    private let request: TransportRequest
    private let clock: SessionClock
    private let capabilities: SessionCapabilities
    /// Kept until the task has ended, because its file is removed with it.
    private let upload: SessionUpload
    /// Receives the final timings of a streamed response.
    private let ending = ResponseCompletion()

    var carried: TransportRequest { request }

    init(
        _ request: TransportRequest, upload: SessionUpload, clock: SessionClock, bufferLimit: Int,
        capabilities: SessionCapabilities
    ) {
        self.request = request
        self.upload = upload
        self.clock = clock
        self.capabilities = capabilities
        state = Mutex(
            State(
                machine: SessionStateMachine(
                    request, uploadLength: upload.length, bufferLimit: bufferLimit,
                    capabilities: capabilities)))
    }

    /// Sends the request and waits for the response.
    ///
    /// - Parameters:
    ///   - outgoing: The head, as the session expects it.
    ///   - lease: The session.
    /// - Returns: The response.
    /// - Throws: The error of the exchange.
    func response(to outgoing: URLRequest, over lease: SessionLease) async throws(TransportError) -> TransportResponse {
        if let scope = request.options.scope {
            guard let scopeIndex = scope.add(self) else { throw .cancelled(phase: .queue) }
            state.withLock { $0.scopeIndex = scopeIndex }
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let earlyResponse = state.withLock { state in
                    if state.earlyResponse == nil { state.caller = caller }
                    return state.earlyResponse.take()
                }
                if let earlyResponse { return caller.resume(returning: earlyResponse) }
                begin(outgoing, over: lease)
            }
        } onCancel: {
            cancel()
        }
        guard case .failure(let error) = result else { return try result.get() }
        throw await upload.explained(error)
    }

    private func begin(_ outgoing: URLRequest, over lease: SessionLease) {
        var outgoing = outgoing
        outgoing.apply(request.options)
        let owner = lease.owner
        let task: URLSessionTask =
            switch upload.content {
            case .none: owner.session.dataTask(with: outgoing)
            case .bytes(let bytes): owner.session.uploadTask(with: outgoing, from: bytes)
            case .file(let url, _): owner.session.uploadTask(with: outgoing, fromFile: url)
            case .stream: owner.session.uploadTask(withStreamedRequest: outgoing.announcing(upload.length))
            }
        task.priority = request.options.priority.ofTask
        owner.delegate.add(self, lease, for: task)
        let timeoutTask = Task { [weak self] in
            while let wait = self?.timeAdvanced() {
                do { try await Task.sleep(for: wait) } catch { return }
            }
        }
        let isOver = state.withLock { state in
            state.task = task
            if !state.machine.isOver { state.timeoutTask = timeoutTask }
            return state.machine.isOver
        }
        task.resume()
        // The exchange was cancelled while its task was created.
        guard isOver else { return }
        task.cancel()
        timeoutTask.cancel()
    }

    func responded(_ response: URLResponse) {
        guard var head = HTTPResponse(response) else { return }
        request.options.connectivityWait?.end()
        let decoding =
            request.options.decompresses
            ? capabilities.decoding(
                of: head.headerFields[.contentEncoding],
                asksItself: request.head.headerFields.contains(.acceptEncoding))
            : .unchanged
        if decoding == .decoded { head.forgetCoding() }
        // The Content-Length counts the encoded bytes: only without a coding is it the length of the body.
        let length = head.headerFields[.contentLength].flatMap { Int64($0) }
        // These responses have no body; their Content-Length is that of the response to GET (RFC 9110, section 8.6).
        let isBodiless = request.head.method == .head || head.status == .notModified
        apply { $0.responded(head, length: isBodiless ? 0 : length, decoding: decoding, at: clock.elapsed) }
    }

    func received(_ data: Data) { apply { $0.received(data, at: clock.elapsed) } }

    func measured(_ transactions: [TransactionSnapshot]) {
        apply { machine in
            machine.measured(transactions)
            return []
        }
    }

    /// Handles the session's report that it waits for the network.
    func waitsForConnectivity() {
        let refusal = request.options.connectivityWait?.begin()
        apply { $0.waitsForConnectivity(refusal: refusal, at: clock.elapsed) }
    }

    /// Returns a new transmission of a body in chunks; `nil` if the body cannot be sent again.
    func newBodyStream() -> UploadStream? {
        var isAllowed = false
        apply { machine in
            let (allowed, actions) = machine.bodyStreamRequested()
            isAllowed = allowed
            return actions
        }
        guard isAllowed else { return nil }
        let stream = UploadStream(request.body) { [weak self] event in
            guard let self else { return }
            apply { $0.uploadChanged(event, at: clock.elapsed) }
        }
        let (previous, isOver) = state.withLock { state in
            defer { if !state.machine.isOver { state.bodyStream = stream } }
            return (state.bodyStream.take(), state.machine.isOver)
        }
        previous?.stop()
        return isOver ? nil : stream
    }

    func sent(_ count: Int64) {
        request.options.connectivityWait?.end()
        apply { machine in
            machine.sent(count, at: clock.elapsed)
            return []
        }
        request.options.progress?.sent(count, of: upload.length)
    }

    func challengeCancelled() {
        apply { machine in
            machine.challengeCancelled()
            return []
        }
    }

    /// Handles a failed TLS check, after which the session cancels the task.
    func securityFailed(_ error: TransportError) {
        apply { machine in
            machine.securityFailed(error)
            return []
        }
    }

    func completed(_ error: (any Error)?) {
        apply { $0.completed(error) }
        state.withLock { $0.bodyStream.take() }?.stop()
    }

    func cancel() { apply { $0.cancelled() } }

    func bodyReleased() { apply { $0.bodyReleased() } }

    /// Returns the next chunk; `nil` at the end.
    func next() async throws(TransportError) -> Data? {
        let chunk: ChunkResult = await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                apply(first: { $0.reader = reader }) { $0.chunkRequested() }
            }
        } onCancel: {
            cancel()
        }
        return try chunk.get()
    }

    private func timeAdvanced() -> Duration? {
        var wait: Duration?
        apply { machine in
            let (actions, next) = machine.timeAdvanced(clock.elapsed)
            wait = next
            return actions
        }
        return wait
    }

    private func apply(
        first prepare: (inout State) -> Void = { _ in },
        _ event: (inout SessionStateMachine) -> [SessionStateMachine.Action]
    ) {
        let (sideEffects, cleanup): ([SideEffect], Cleanup?) = state.withLock { state in
            prepare(&state)
            let wasOver = state.machine.isOver
            let sideEffects = event(&state.machine).compactMap { sideEffect($0, state: &state) }
            guard state.machine.isOver, !wasOver || state.timeoutTask != nil || state.scopeIndex != nil else {
                return (sideEffects, nil)
            }
            // An exchange that ends before it starts is registered in the scope but has no timeout task.
            return (
                sideEffects,
                Cleanup(
                    timeoutTask: state.timeoutTask.take(), scopeIndex: state.scopeIndex.take(),
                    bodyStream: state.bodyStream, timings: timings(state.machine), error: state.machine.error)
            )
        }
        // Before the continuations resume, so that the caller finds nothing of the exchange left.
        if let cleanup {
            cleanup.timeoutTask?.cancel()
            cleanup.bodyStream?.abandon()
            request.options.scope?.remove(self, from: cleanup.scopeIndex)
            ending.end(cleanup.timings, error: cleanup.error)
        }
        for sideEffect in sideEffects { sideEffect.run() }
    }

    /// The parts of an exchange to release when it has ended, and its result.
    private struct Cleanup {
        let timeoutTask: Task<Void, Never>?
        let scopeIndex: Int?
        let bodyStream: UploadStream?
        let timings: ExchangeTimings
        let error: TransportError?
    }

    /// Returns the side effect of an action; takes its continuation out of the state, so that it is resumed only once.
    private func sideEffect(_ action: SessionStateMachine.Action, state: inout State) -> SideEffect? {
        switch action {
        case .deliverResponse(let head, let body):
            return respond(.success(response(head, body: body, machine: state.machine)), state: &state)
        case .failResponse(var error):
            // Without a head and measurements, nothing is known of the exchange and its connection.
            let (head, facts) = (state.machine.head, state.machine.facts)
            if head != nil || facts != nil {
                error.facts = AttemptDetails(
                    timings: timings(state.machine), connection: connection(facts), response: head)
            }
            return respond(.failure(error), state: &state)
        case .deliverChunk(let chunk): return state.reader.take().map { .read($0, .success(chunk)) }
        case .failBody(let error): return state.reader.take().map { .read($0, .failure(error)) }
        case .cancelTask: return state.task.map(SideEffect.cancel)
        case .pauseTask: return suspension(true, state: &state)
        case .resumeTask: return suspension(false, state: &state)
        }
    }

    private func suspension(_ isWanted: Bool, state: inout State) -> SideEffect? {
        guard let task = state.task, state.suspension.wants(isWanted) else { return nil }
        return .suspendOrResume(task, self)
    }

    /// Suspends or resumes the task until it is as the state machine wants it.
    private func suspendOrResume(_ task: URLSessionTask) {
        while let suspends = state.withLock({ $0.suspension.next() }) {
            suspends ? task.suspend() : task.resume()
        }
    }

    private func respond(_ result: ResponseResult, state: inout State) -> SideEffect? {
        guard let caller = state.caller.take() else {
            state.earlyResponse = result
            return nil
        }
        return .respond(caller, result)
    }

    private func response(_ head: HTTPResponse, body: Data?, machine: SessionStateMachine) -> TransportResponse {
        let timings = timings(machine)
        if let body {
            return TransportResponse(
                head: head, body: ResponseBody(body), timings: timings, connection: connection(machine.facts))
        }
        return TransportResponse(
            head: head, body: ResponseBody(SessionBody(self)), timings: timings, connection: nil, ending: ending)
    }

    private func connection(_ facts: SessionFacts?) -> ConnectionInfo? {
        facts?.connection(to: request)
    }

    private func timings(_ machine: SessionStateMachine) -> ExchangeTimings {
        var timings = ExchangeTimings()
        timings.total = clock.elapsed
        timings.firstByte = machine.headTime
        timings.sentBytes = upload.length ?? machine.sent
        timings.receivedBytes = machine.received
        if machine.isOver { timings.body = machine.headTime.map { clock.elapsed - $0 } }
        return machine.facts?.timings(over: timings) ?? timings
    }

    /// A side effect to perform after the lock is released.
    private enum SideEffect {
        case respond(CheckedContinuation<ResponseResult, Never>, ResponseResult)
        case read(CheckedContinuation<ChunkResult, Never>, ChunkResult)
        case cancel(URLSessionTask)
        case suspendOrResume(URLSessionTask, SessionExchange)

        func run() {
            switch self {
            case .respond(let caller, let result): caller.resume(returning: result)
            case .read(let reader, let chunk): reader.resume(returning: chunk)
            case .cancel(let task): task.cancel()
            case .suspendOrResume(let task, let exchange): exchange.suspendOrResume(task)
            }
        }
    }
}
