// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore

/// The state machine of one exchange over a session; its events come from the session, the caller and the clock.
///
/// Times count from the start of the exchange. Events after the end are ignored, because a session continues to report
/// a cancelled task for a while.
package struct SessionStateMachine: Sendable {
    package enum Action: Sendable {
        /// Return the response; with its body if the body is collected.
        case deliverResponse(HTTPResponse, Data?)
        /// Throw the error instead of a response.
        case failResponse(TransportError)
        /// Pass a chunk to the reader; `nil` at the end.
        case deliverChunk(Data?)
        /// Throw the error to the reader, because the body is incomplete.
        case failBody(TransportError)
        /// Cancel the task.
        case cancelTask
        /// Suspend the task until the reader catches up.
        case pauseTask
        /// Resume the task.
        case resumeTask
    }

    private let options: TransportOptions
    /// The delivery of the body: the requested one, until the response head decides that it is streamed after all.
    private var delivery: TransportOptions.Delivery
    private let limits: ResponseLimits
    private let timeouts: Timeouts
    private let isSecure: Bool
    private let capabilities: SessionCapabilities
    /// True if the body can be sent again.
    private let isReplayable: Bool
    /// The number of bytes to send; `nil` while it is unknown.
    private var uploadLength: Int64?
    /// The largest number of bytes to buffer for the reader.
    private var bufferLimit: Int

    /// The response head; `nil` before it has arrived.
    package private(set) var head: HTTPResponse?
    /// True if the response was delivered or has failed.
    private var isResponseSettled = false
    private var chunks: [Data] = []
    private var buffered = 0
    private var collected = Data()
    private var isReading = false
    private var isPaused = false
    private var endsByChallenge = false
    /// The failed TLS check that will end the task.
    private var securityError: TransportError?
    private var end: Result<Void, TransportError>?
    /// The time at which the last byte was sent or received.
    private var lastProgress = Duration.zero
    /// The number of bytes of the body that were sent.
    package private(set) var sent: Int64 = 0
    /// The number of bytes of the body that were received, as the session passes them on.
    package private(set) var received: Int64 = 0
    /// The time at which the head arrived.
    package private(set) var headTime: Duration?
    /// The number of streams of the body that the session has asked for.
    private var bodyStreams = 0
    /// True while the caller produces the next chunk of the body.
    private var isSourceAwaited = false
    /// The time at which the session began to wait for the network; `nil` if it does not.
    ///
    /// The session reports the end of the wait only by progress.
    private var waitBegan: Duration?
    /// The measurements of the session; `nil` before it reports them.
    package private(set) var facts: SessionFacts?
    /// The timeout that ended the exchange, until the session reports if the request was sent.
    private var expiry: (error: TransportError, time: Duration)?
    /// The time at which the next check of the timeouts is due; `nil` before the first one.
    private var nextCheck: Duration?
    /// True if a late check has granted the session more time, until there is progress or a check comes on time.
    private var hasGrace = false

    /// The longest wait for the measurements of a cancelled task.
    private static let factsPatience = Duration.seconds(1)
    /// The delay of a check after which the process counts as suspended meanwhile, and the time that its session then
    /// has to deliver a response that arrived.
    private static let suspensionPatience = Duration.seconds(1)
    /// The times between two checks; a clock may not be able to sleep for any duration.
    private static let (shortestSleep, longestSleep) = (Duration.milliseconds(1), Duration.seconds(86_400))

    /// Creates the machine of an exchange.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - uploadLength: The number of bytes to send; `nil` if it is unknown.
    ///   - bufferLimit: The caller's limit of unread bytes.
    ///   - capabilities: The capabilities of the session.
    package init(
        _ request: TransportRequest, uploadLength: Int64?, bufferLimit: Int, capabilities: SessionCapabilities
    ) {
        options = request.options
        delivery = request.options.delivery
        limits = request.options.limits
        timeouts = request.options.timeouts
        isSecure = request.head.scheme == "https"
        self.uploadLength = uploadLength
        self.bufferLimit = capabilities.pauseMark(limit: bufferLimit)
        self.capabilities = capabilities
        isReplayable = request.body.replayability > .once
    }

    /// True if the exchange has ended.
    package var isOver: Bool { end != nil }

    /// The error that ended the exchange; `nil` before the end, and after a complete response.
    package var error: TransportError? {
        guard case .failure(let error) = end else { return nil }
        return error
    }

    /// True if the result of the exchange is decided.
    private var isEnding: Bool { end != nil || expiry != nil }

    private var phase: TransportError.Phase {
        if head != nil { return .body }
        if waitBegan != nil { return .connect }
        return uploadLength.map { sent >= $0 } == true ? .head : .request
    }

    /// Handles the response head.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - length: The length of the body, in bytes; `nil` if it is unknown.
    ///   - decoding: The effect of the session on the body's coding.
    ///   - time: The current time.
    /// - Returns: The actions.
    package mutating func responded(
        _ response: HTTPResponse, length: Int64?, decoding: SessionDecoding = .unchanged, at time: Duration
    ) -> [Action] {
        guard !isEnding, head == nil else { return [] }
        head = response
        (headTime, lastProgress, waitBegan, hasGrace) = (time, time, nil, false)
        if case .failed(let codings) = decoding, length != 0 { return fail(.undecodable(codings)) }
        guard response.headerFields.count <= limits.headerFields else {
            return fail(
                .tooLarge(
                    "the head has more than the limit of \(limits.headerFields) fields: increase limits.headerFields",
                    phase: .head))
        }
        let size = response.headerFields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        guard size <= limits.headBytes else {
            return fail(
                .tooLarge(
                    "the head is larger than the limit of \(limits.headBytes) bytes: increase limits.headBytes",
                    phase: .head))
        }
        delivery = options.delivery(of: response.status.code, hasBody: length != 0)
        switch delivery {
        case .streamed:
            isResponseSettled = true
            // The pipeline buffers at least as many bytes of an error body anyway.
            if case .collected = options.delivery, !capabilities.canPause {
                bufferLimit = max(bufferLimit, options.errorBodyBytes ?? 0)
            }
            // Bytes that arrived before the head.
            if !collected.isEmpty {
                chunks = [collected]
                buffered = collected.count
                collected = Data()
            }
            return [.deliverResponse(response, nil)]
        case .collected(let limit):
            let size = max(length ?? 0, Int64(collected.count))
            return size > Int64(max(0, limit)) ? fail(.bodyTooLarge(limit)) : []
        }
    }

    /// Handles bytes of the body; for some responses they arrive before the head is reported.
    package mutating func received(_ data: Data, at time: Duration) -> [Action] {
        guard !isEnding, !data.isEmpty else { return [] }
        (lastProgress, waitBegan, hasGrace) = (time, nil, false)
        received += Int64(data.count)
        if case .collected(let limit) = delivery {
            // Before the head is known, these may be the bytes of an error body.
            let bodyLimit = head == nil ? max(limit, options.errorBodyBytes ?? 0) : limit
            guard data.count <= max(0, bodyLimit) - collected.count else { return fail(.bodyTooLarge(bodyLimit)) }
            collected += data
            return []
        }
        if isReading {
            isReading = false
            return [.deliverChunk(data)]
        }
        chunks.append(data)
        buffered += data.count
        guard buffered > bufferLimit else { return [] }
        guard capabilities.canPause else { return fail(.overrun(bufferLimit)) }
        defer { isPaused = true }
        return isPaused ? [] : [.pauseTask]
    }

    /// Handles progress of the upload.
    package mutating func sent(_ count: Int64, at time: Duration) {
        guard !isEnding, count > sent else { return }
        (sent, lastProgress, waitBegan, hasGrace) = (count, time, nil, false)
    }

    /// Announces that the task's next end is the result of a cancelled challenge; see the delegate.
    package mutating func challengeCancelled() { endsByChallenge = true }

    /// Announces that the task's next end, as if it were cancelled, is the result of a failed TLS check.
    package mutating func securityFailed(_ error: TransportError) { securityError = error }

    /// Handles the end of the task.
    package mutating func completed(_ error: (any Error)?) -> [Action] {
        guard end == nil else { return [] }
        if let expiry { return fail(facts?.refined(expiry.error) ?? expiry.error) }
        if let error, !(endsByChallenge && (error as? URLError)?.code == .cancelled) {
            return fail(
                securityError ?? TransportError(error, in: phase, isSecure: isSecure, facts: facts))
        }
        guard let head else { return fail(.noResponse) }
        end = .success(())
        if case .collected = delivery {
            isResponseSettled = true
            return [.deliverResponse(head, collected)]
        }
        guard isReading else { return [] }
        isReading = false
        return [.deliverChunk(nil)]
    }

    /// Handles the reader's request for the next chunk.
    package mutating func chunkRequested() -> [Action] {
        guard chunks.isEmpty else {
            let chunk = chunks.removeFirst()
            buffered -= chunk.count
            guard isPaused, buffered <= capabilities.resumeMark(pauseMark: bufferLimit), end == nil else {
                return [.deliverChunk(chunk)]
            }
            isPaused = false
            return [.deliverChunk(chunk), .resumeTask]
        }
        switch end {
        case .success: return [.deliverChunk(nil)]
        case .failure(let error): return [.failBody(error)]
        case nil:
            isReading = true
            return []
        }
    }

    /// Handles the release of the body: the rest is not needed.
    package mutating func bodyReleased() -> [Action] {
        (chunks, buffered) = ([], 0)
        guard end == nil else { return [] }
        end = .failure(.cancelled(phase: .body))
        return [.cancelTask]
    }

    /// Handles the cancellation of the caller.
    package mutating func cancelled() -> [Action] {
        guard end == nil else { return [] }
        return fail(expiry?.error ?? .cancelled(phase: phase))
    }

    /// Checks the timeouts.
    ///
    /// A check that comes much later than it was due expires nothing yet: the process was suspended, and the response
    /// may have arrived. That holds once, because on a busy machine every check may be late.
    ///
    /// - Parameter time: The current time.
    /// - Returns: The actions, and the delay until the next check; `nil` if none is needed.
    package mutating func timeAdvanced(_ time: Duration) -> (actions: [Action], wait: Duration?) {
        guard end == nil else { return ([], nil) }
        if let expiry {
            let left = expiry.time + Self.factsPatience - time
            return left > .zero ? ([], left) : (fail(expiry.error), nil)
        }
        let isLate = nextCheck.map { time - $0 > Self.suspensionPatience } ?? false
        if !isLate { hasGrace = false }
        var wait: Duration?
        for (name, limit, start) in currentTimeouts {
            guard let limit else { continue }
            let left = start + limit - time
            guard left > .zero else {
                guard isLate, !hasGrace else { return expire(name, after: limit, at: time) }
                hasGrace = true
                nextCheck = time + Self.suspensionPatience
                return ([], Self.suspensionPatience)
            }
            wait = min(wait ?? left, left)
        }
        // A phase that begins meanwhile may have a shorter timeout than the current one, or the only one.
        wait = minimumTimeout.map { min(max($0, Self.shortestSleep), wait ?? Self.longestSleep, Self.longestSleep) }
        nextCheck = wait.map { time + $0 }
        return ([], wait)
    }

    /// Ends the exchange because of a timeout; before the head, only after the session has told if the request was sent.
    private mutating func expire(
        _ phase: TransportError.Phase, after limit: Duration, at time: Duration
    ) -> (actions: [Action], wait: Duration?) {
        var error = TransportError.timedOut(phase, after: limit, requestMayHaveBeenSent: true)
        if phase == .connect, let waited = options.connectivityWait?.timeoutError {
            error = waited
            // The session does not tell when the wait has ended.
            error.requestMayHaveBeenSent = true
        }
        guard capabilities.reportsMetrics, head == nil else { return (fail(error), nil) }
        expiry = (error, time)
        return ([.cancelTask], Self.factsPatience)
    }

    /// The timeouts of the current phase and of the whole exchange, each with its start.
    private var currentTimeouts: [(TransportError.Phase, Duration?, Duration)] {
        let phaseTimeout: (TransportError.Phase, Duration?, Duration) =
            switch phase {
            case .connect: (.connect, options.connectivityWait?.limit, waitBegan ?? .zero)
            case .head: (.head, timeouts.head, lastProgress)
            case .request: (.request, isSourceAwaited ? nil : timeouts.idle, lastProgress)
            default: (.body, isPaused ? nil : timeouts.idle, lastProgress)
            }
        return [phaseTimeout, (.total, timeouts.total, .zero)]
    }

    /// The shortest timeout of any phase; `nil` if there is no timeout to check.
    private var minimumTimeout: Duration? {
        [timeouts.head, timeouts.idle, timeouts.total, options.connectivityWait?.limit].compactMap(\.self).min()
    }

    private mutating func fail(_ error: TransportError) -> [Action] {
        end = .failure(error)
        guard isResponseSettled else {
            isResponseSettled = true
            return [.failResponse(error), .cancelTask]
        }
        guard isReading else { return [.cancelTask] }
        isReading = false
        return [.failBody(error), .cancelTask]
    }
}

extension SessionStateMachine {
    /// Handles the measurements of the session, which arrive before the end of the task.
    package mutating func measured(_ transactions: [TransactionSnapshot]) {
        guard end == nil else { return }
        facts = SessionFacts(transactions)
    }

    /// Handles the session's report that it waits for the network.
    ///
    /// - Parameters:
    ///   - refusal: The error with which the offline queue refuses the wait.
    ///   - time: The current time.
    /// - Returns: The actions.
    package mutating func waitsForConnectivity(refusal: TransportError?, at time: Duration) -> [Action] {
        guard !isEnding, head == nil else { return [] }
        if let refusal { return fail(refusal) }
        // Without the offline queue, the caller's own configuration makes every task wait. As with URLSession itself,
        // only the limit for the whole exchange runs then.
        waitBegan = time
        return []
    }

    /// Handles the session's request for a stream of the body, which comes again if the session sends the body again.
    ///
    /// - Returns: True if the body can be sent, and the actions.
    package mutating func bodyStreamRequested() -> (isAllowed: Bool, actions: [Action]) {
        guard !isEnding else { return (false, []) }
        bodyStreams += 1
        guard bodyStreams == 1 || isReplayable else { return (false, fail(.sentOnce)) }
        return (true, [])
    }

    /// Handles an event of the body's stream.
    package mutating func uploadChanged(_ event: UploadStream.Event, at time: Duration) -> [Action] {
        guard !isEnding, head == nil else { return [] }
        switch event {
        case .sourceIsAwaited(let isAwaited): (isSourceAwaited, lastProgress) = (isAwaited, time)
        case .ended(let count): uploadLength = count
        case .failed(let error): return fail(error)
        }
        return []
    }
}
