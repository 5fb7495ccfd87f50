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
    private let uploadLength: Int64
    /// The largest number of bytes to buffer for the reader.
    private var bufferLimit: Int
    private let canPause: Bool

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
    private var sent: Int64 = 0
    /// The time at which the head arrived.
    package private(set) var headTime: Duration?

    package init(_ request: TransportRequest, uploadLength: Int64, bufferLimit: Int, canPause: Bool) {
        options = request.options
        delivery = request.options.delivery
        limits = request.options.limits
        timeouts = request.options.timeouts
        isSecure = request.head.scheme == "https"
        self.uploadLength = uploadLength
        self.bufferLimit = max(0, bufferLimit)
        self.canPause = canPause
    }

    /// True if the exchange has ended.
    package var isOver: Bool { end != nil }

    private var phase: TransportError.Phase {
        if head != nil { return .body }
        return sent < uploadLength ? .request : .head
    }

    /// Handles the response head.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - length: The length of the body, in bytes; `nil` if it is unknown.
    ///   - time: The current time.
    /// - Returns: The actions.
    package mutating func responded(_ response: HTTPResponse, length: Int64?, at time: Duration) -> [Action] {
        guard end == nil, head == nil else { return [] }
        head = response
        (headTime, lastProgress) = (time, time)
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
            if case .collected = options.delivery { bufferLimit = max(bufferLimit, options.errorBodyBytes ?? 0) }
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
        guard end == nil, !data.isEmpty else { return [] }
        lastProgress = time
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
        guard canPause else { return fail(.overrun(bufferLimit)) }
        defer { isPaused = true }
        return isPaused ? [] : [.pauseTask]
    }

    /// Handles progress of the upload.
    package mutating func sent(_ count: Int64, at time: Duration) {
        guard end == nil, count > sent else { return }
        (sent, lastProgress) = (count, time)
    }

    /// Announces that the task's next end is the result of a cancelled challenge; see the delegate.
    package mutating func challengeCancelled() { endsByChallenge = true }

    /// Announces that the task's next end, as if it were cancelled, is the result of a failed TLS check.
    package mutating func securityFailed(_ error: TransportError) { securityError = error }

    /// Handles the end of the task.
    package mutating func completed(_ error: (any Error)?) -> [Action] {
        guard end == nil else { return [] }
        if let error, !(endsByChallenge && (error as? URLError)?.code == .cancelled) {
            return fail(securityError ?? TransportError(error, in: phase, isSecure: isSecure))
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
            guard isPaused, buffered <= bufferLimit / 2, end == nil else { return [.deliverChunk(chunk)] }
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
        end = .success(())
        return [.cancelTask]
    }

    /// Handles the cancellation of the caller.
    package mutating func cancelled() -> [Action] { end == nil ? fail(.cancelled(phase: phase)) : [] }

    /// Checks the timeouts.
    ///
    /// - Parameter time: The current time.
    /// - Returns: The actions, and the delay until the next check; `nil` if none is needed.
    package mutating func timeAdvanced(_ time: Duration) -> (actions: [Action], wait: Duration?) {
        guard end == nil else { return ([], nil) }
        var wait: Duration?
        for (name, limit, start) in currentTimeouts {
            guard let limit else { continue }
            let left = start + limit - time
            guard left > .zero else {
                return (fail(.timedOut(name, after: limit, requestMayHaveBeenSent: true)), nil)
            }
            wait = min(wait ?? left, left)
        }
        // A phase that begins meanwhile may have a shorter timeout than the current one.
        return ([], wait.map { min($0, minimumTimeout) })
    }

    /// The timeouts of the current phase and of the whole exchange, each with its start.
    private var currentTimeouts: [(TransportError.Phase, Duration?, Duration)] {
        let phaseTimeout: (TransportError.Phase, Duration?, Duration) =
            switch phase {
            case .head: (.head, timeouts.head, lastProgress)
            case .request: (.request, timeouts.idle, lastProgress)
            default: (.body, isPaused ? nil : timeouts.idle, lastProgress)
            }
        return [phaseTimeout, (.total, timeouts.total, .zero)]
    }

    /// The shortest timeout of any phase.
    private var minimumTimeout: Duration {
        [timeouts.head, timeouts.idle, timeouts.total].compactMap(\.self).min() ?? .seconds(3600)
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

extension TransportError {
    fileprivate static func tooLarge(_ message: String, phase: Phase) -> TransportError {
        TransportError(.dataLengthExceedsMaximum, phase: phase, message: message)
    }

    fileprivate static func bodyTooLarge(_ limit: Int) -> TransportError {
        .tooLarge(
            "the body is larger than the limit of \(limit) bytes: increase maximumCollectedBytes, or stream it",
            phase: .body)
    }

    fileprivate static func overrun(_ limit: Int) -> TransportError {
        TransportError(
            .resourceUnavailable, phase: .body,
            message: "the body arrived faster than it was read: more than \(limit) bytes are buffered, "
                + "and this session cannot be paused: increase maximumBufferedBytes")
    }

    fileprivate static var noResponse: TransportError {
        TransportError(
            .networkConnectionLost, phase: .head, message: "the connection closed before a response head arrived")
    }
}
