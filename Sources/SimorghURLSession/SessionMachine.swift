// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore

/// One exchange over a session: what the session says of its task, what the caller and the clock want, and what follows.
///
/// Times are counted from the beginning of the exchange. What comes after the end is ignored: a session goes on telling
/// for a while of a task that was cancelled.
package struct SessionMachine: Sendable {
    package enum Action: Sendable {
        /// Hand the response over; with a body where that was collected.
        case answer(HTTPResponse, Data?)
        /// Say why there is none.
        case refuse(TransportError)
        /// Give the reader a chunk, or the end.
        case give(Data?)
        /// Tell the reader that the body broke off.
        case interrupt(TransportError)
        /// End the task.
        case cancelTask
        /// Have the session wait for the reader.
        case pauseTask
        /// Have it go on.
        case resumeTask
    }

    private let options: TransportOptions
    /// The delivery of the body: the one that the caller wants, until the head says that it may not be wanted at all.
    private var delivery: TransportOptions.Delivery
    private let limits: ResponseLimits
    private let timeouts: Timeouts
    private let isSecure: Bool
    private let uploadLength: Int64
    /// How many bytes may wait for their reader.
    private var bufferBound: Int
    private let canPause: Bool

    /// The head, once it has come.
    package private(set) var head: HTTPResponse?
    private var hasAnswered = false
    private var chunks: [Data] = []
    private var buffered = 0
    private var collected = Data()
    private var isReading = false
    private var isPaused = false
    private var endsByChallenge = false
    private var end: Result<Void, TransportError>?
    /// When a byte last moved.
    private var lastMove = Duration.zero
    private var sent: Int64 = 0
    /// When the head came.
    package private(set) var headTime: Duration?

    package init(_ request: TransportRequest, uploadLength: Int64, bufferBound: Int, canPause: Bool) {
        options = request.options
        delivery = request.options.delivery
        limits = request.options.limits
        timeouts = request.options.timeouts
        isSecure = request.head.scheme == "https"
        self.uploadLength = uploadLength
        self.bufferBound = max(0, bufferBound)
        self.canPause = canPause
    }

    /// Whether nothing more is wanted of the session.
    package var isOver: Bool { end != nil }

    private var phase: TransportError.Phase {
        if head != nil { return .body }
        return sent < uploadLength ? .request : .head
    }

    /// The head has come.
    package mutating func responded(_ response: HTTPResponse, length: Int64, at time: Duration) -> [Action] {
        guard end == nil, head == nil else { return [] }
        head = response
        (headTime, lastMove) = (time, time)
        guard response.headerFields.count <= limits.headerFields else {
            return fail(.tooLarge("the head has more than the bound of \(limits.headerFields) fields", .head))
        }
        let size = response.headerFields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        guard size <= limits.headBytes else {
            return fail(.tooLarge("the head is larger than the bound of \(limits.headBytes) bytes", .head))
        }
        delivery = options.delivery(of: response.status.code, hasBody: length != 0)
        switch delivery {
        case .streamed:
            hasAnswered = true
            // The chain keeps as much of it in memory anyway.
            if case .collected = options.delivery { bufferBound = max(bufferBound, options.errorBodyBytes ?? 0) }
            // Parts that came before the head.
            if !collected.isEmpty {
                chunks = [collected]
                buffered = collected.count
                collected = Data()
            }
            return [.answer(response, nil)]
        case .collected(let limit):
            let size = max(length, Int64(collected.count))
            return size > Int64(max(0, limit)) ? fail(.bodyTooLarge(limit)) : []
        }
    }

    /// A part of the body has come; some answers' parts come before the head is told.
    package mutating func received(_ data: Data, at time: Duration) -> [Action] {
        guard end == nil, !data.isEmpty else { return [] }
        lastMove = time
        if case .collected(let limit) = delivery {
            // Until the head is told, it may be the body of an error.
            let bound = head == nil ? max(limit, options.errorBodyBytes ?? 0) : limit
            guard data.count <= max(0, bound) - collected.count else { return fail(.bodyTooLarge(bound)) }
            collected += data
            return []
        }
        if isReading {
            isReading = false
            return [.give(data)]
        }
        chunks.append(data)
        buffered += data.count
        guard buffered > bufferBound else { return [] }
        guard canPause else { return fail(.overrun(bufferBound)) }
        defer { isPaused = true }
        return isPaused ? [] : [.pauseTask]
    }

    /// So much of the request's body was handed to the connection.
    package mutating func sent(_ count: Int64, at time: Duration) {
        guard end == nil, count > sent else { return }
        (sent, lastMove) = (count, time)
    }

    /// The session's next word is an end that it was asked for; see the delegate.
    package mutating func willEndByChallenge() { endsByChallenge = true }

    /// The task is over.
    package mutating func completed(_ error: (any Error)?) -> [Action] {
        guard end == nil else { return [] }
        if let error, !(endsByChallenge && (error as? URLError)?.code == .cancelled) {
            return fail(TransportError(error, in: phase, isSecure: isSecure))
        }
        guard let head else { return fail(.noAnswer) }
        end = .success(())
        if case .collected = delivery {
            hasAnswered = true
            return [.answer(head, collected)]
        }
        guard isReading else { return [] }
        isReading = false
        return [.give(nil)]
    }

    /// The reader asks for the next chunk.
    package mutating func asked() -> [Action] {
        guard chunks.isEmpty else {
            let chunk = chunks.removeFirst()
            buffered -= chunk.count
            guard isPaused, buffered <= bufferBound / 2, end == nil else { return [.give(chunk)] }
            isPaused = false
            return [.give(chunk), .resumeTask]
        }
        switch end {
        case .success: return [.give(nil)]
        case .failure(let error): return [.interrupt(error)]
        case nil:
            isReading = true
            return []
        }
    }

    /// Nobody wants the rest of the body.
    package mutating func abandoned() -> [Action] {
        (chunks, buffered) = ([], 0)
        guard end == nil else { return [] }
        end = .success(())
        return [.cancelTask]
    }

    /// The caller went away.
    package mutating func cancelled() -> [Action] { end == nil ? fail(.cancelled(phase: phase)) : [] }

    /// Time has passed.
    ///
    /// - Parameter time: The time.
    /// - Returns: What follows, and when to look again; `nil` for never.
    package mutating func passed(_ time: Duration) -> (actions: [Action], wait: Duration?) {
        guard end == nil else { return ([], nil) }
        var wait: Duration?
        for (name, limit, start) in limitsNow {
            guard let limit else { continue }
            let left = start + limit - time
            guard left > .zero else {
                return (fail(.timedOut(name, after: limit, requestMayHaveBeenSent: true)), nil)
            }
            wait = min(wait ?? left, left)
        }
        // A phase that begins meanwhile may have a nearer limit than the one that was slept for.
        return ([], wait.map { min($0, nearest) })
    }

    private var limitsNow: [(TransportError.Phase, Duration?, Duration)] {
        let own: (TransportError.Phase, Duration?, Duration) =
            switch phase {
            case .head: (.head, timeouts.head, lastMove)
            case .request: (.request, timeouts.idle, lastMove)
            default: (.body, isPaused ? nil : timeouts.idle, lastMove)
            }
        return [own, (.total, timeouts.total, .zero)]
    }

    private var nearest: Duration {
        [timeouts.head, timeouts.idle, timeouts.total].compactMap(\.self).min() ?? .seconds(3600)
    }

    private mutating func fail(_ error: TransportError) -> [Action] {
        end = .failure(error)
        guard hasAnswered else {
            hasAnswered = true
            return [.refuse(error), .cancelTask]
        }
        guard isReading else { return [.cancelTask] }
        isReading = false
        return [.interrupt(error), .cancelTask]
    }
}

extension TransportError {
    fileprivate static func tooLarge(_ message: String, _ phase: Phase) -> TransportError {
        TransportError(.dataLengthExceedsMaximum, phase: phase, message: message)
    }

    fileprivate static func bodyTooLarge(_ limit: Int) -> TransportError {
        .tooLarge("the body is larger than the bound of \(limit) bytes", .body)
    }

    fileprivate static func overrun(_ bound: Int) -> TransportError {
        TransportError(
            .resourceUnavailable, phase: .body,
            message: "the body came faster than it was read: more than \(bound) bytes waited, and this session cannot")
    }

    fileprivate static var noAnswer: TransportError {
        TransportError(
            .networkConnectionLost, phase: .head, message: "the connection ended before the server answered")
    }
}
