// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import Synchronization

/// The opening of one WebSocket over a byte stream, in progress.
final class ByteStreamUpgrade: RequestMember, Sendable {
    typealias Outcome = Result<WebSocketOpenResult, TransportError>

    private struct State {
        var task: Task<Outcome, Never>?
        var isCancelled = false
        var stream: (any ByteStream)?
        /// True if a byte of the request may have been sent.
        var isSent = false
        /// The timeout that has passed.
        var timeout: TransportError?
    }

    private static let chunkSize = 16 * 1024

    let carried: TransportRequest
    private let target: UpgradeTarget
    private let handshake: WebSocketHandshake
    private let channelOptions: WebSocketChannelOptions
    private let connect: ByteStreamWebSocketTransport.Connect
    private let time: TimeSource
    private let stopwatch: Stopwatch
    private let state = Mutex(State())

    /// Validates a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - channelOptions: The options of the connection.
    ///   - time: The clock.
    ///   - connect: Opens a stream.
    /// - Throws: `TransportError` for an invalid request.
    init(
        _ request: TransportRequest, channelOptions: WebSocketChannelOptions, time: TimeSource,
        connect: @escaping ByteStreamWebSocketTransport.Connect
    ) throws(TransportError) {
        var request = request
        handshake = try WebSocketHandshake(for: &request, options: channelOptions)
        target = try UpgradeTarget(request)
        carried = request
        self.channelOptions = channelOptions
        self.connect = connect
        self.time = time
        stopwatch = time.stopwatch()
    }

    private var options: TransportOptions { carried.options }

    /// Connects, sends the request, and waits for the response.
    func outcome() async -> Outcome {
        let task = Task { await attempt() }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        let index = options.scope?.add(self)
        if isCancelled || options.scope != nil && index == nil { task.cancel() }
        defer { options.scope?.remove(self, from: index) }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            cancel()
        }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    private func attempt() async -> Outcome {
        let timer = timer(options.timeouts.total, .total)
        defer { timer?.cancel() }
        var timings = ExchangeTimings()
        do throws(TransportError) {
            return .success(try await exchange(&timings))
        } catch {
            let (stream, timeout) = state.withLock { ($0.stream, $0.timeout) }
            stream?.abort()
            var error = timeout ?? error
            timings.total = stopwatch.elapsed
            error.facts = AttemptDetails(timings: timings, connection: stream?.info)
            return .failure(error)
        }
    }

    /// Starts the timer of a phase, which cancels the attempt.
    private func timer(_ limit: Duration?, _ phase: TransportError.Phase) -> Task<Void, Never>? {
        guard let limit else { return nil }
        return Task { [time] in
            guard (try? await time.sleep(for: limit)) != nil else { return }
            state.withLock { state in
                guard state.timeout == nil else { return }
                state.timeout = .timedOut(phase, after: limit, requestMayHaveBeenSent: state.isSent)
            }
            cancel()
        }
    }

    private func exchange(_ timings: inout ExchangeTimings) async throws(TransportError) -> WebSocketOpenResult {
        guard !Task.isCancelled else { throw .cancelled(phase: .connect) }
        let stream = try await connect(target, options)
        state.withLock { $0.stream = stream }
        timings.connect = stopwatch.elapsed
        guard !Task.isCancelled else { throw .cancelled(phase: .connect) }
        state.withLock { $0.isSent = true }
        let head = timer(options.timeouts.head, .head)
        defer { head?.cancel() }
        let requested = stopwatch.elapsed
        do {
            try await stream.write(target.head)
        } catch {
            throw Task.isCancelled ? .cancelled(phase: .request) : .ended(.request, cause: error)
        }
        timings.sentBytes = Int64(target.head.count)
        var reading = UpgradeResponseReading(options)
        while true {
            let bytes: Data?
            do {
                bytes = try await stream.read(upTo: Self.chunkSize)
            } catch {
                guard !Task.isCancelled else { throw .cancelled(phase: .head) }
                return .refused(finished(try reading.ended(.ended(.head, cause: error)), &timings, stream))
            }
            guard let bytes else {
                return .refused(finished(try reading.ended(.ended(.head, cause: nil)), &timings, stream))
            }
            timings.receivedBytes += Int64(bytes.count)
            switch try reading.received(bytes, reportingTo: options.informational) {
            case .more: break
            case .body(let limit):
                head?.cancel()
                timings.firstByte = timings.firstByte ?? (stopwatch.elapsed - requested)
                return .refused(try await refusal(&reading, within: limit, &timings, over: stream))
            case .refused(let response):
                timings.firstByte = stopwatch.elapsed - requested
                return .refused(finished(response, &timings, stream))
            case .switched(let response, let rest):
                timings.firstByte = stopwatch.elapsed - requested
                timings.total = stopwatch.elapsed
                timings.receivedBytes -= Int64(rest.count)
                return .opened(
                    try channel(
                        over: stream, early: rest,
                        TransportResponse(head: response, timings: timings, connection: stream.info)))
            }
        }
    }

    private func channel(
        over stream: any ByteStream, early: Data, _ response: TransportResponse
    ) throws(TransportError) -> ByteStreamWebSocketChannel {
        do {
            return try ByteStreamWebSocketChannel(
                stream, early: early, agreement: try handshake.check(response.head.headerFields),
                options: channelOptions, response: response, time: time)
        } catch {
            throw .badResponse("the response to the upgrade is not valid: \(error)", phase: .head, cause: error)
        }
    }

    /// Reads the body of a response that refuses the upgrade, as far as it arrives in time.
    private func refusal(
        _ reading: inout UpgradeResponseReading, within limit: Duration, _ timings: inout ExchangeTimings,
        over stream: any ByteStream
    ) async throws(TransportError) -> TransportResponse {
        let deadline = time.deadline(after: limit)
        while true {
            let left = deadline.remaining
            let timer = Task { [time, wait = min(options.timeouts.idle ?? left, left)] in
                if (try? await time.sleep(for: wait)) != nil { stream.abort() }
            }
            let bytes = try? await stream.read(upTo: Self.chunkSize)
            timer.cancel()
            guard !Task.isCancelled else { throw .cancelled(phase: .body) }
            guard let bytes else {
                return finished(try reading.ended(.ended(.head, cause: nil)), &timings, stream)
            }
            timings.receivedBytes += Int64(bytes.count)
            if case .refused(let response) = try reading.received(bytes) {
                return finished(response, &timings, stream)
            }
        }
    }

    private func finished(
        _ response: UpgradeResponseReading.Refusal, _ timings: inout ExchangeTimings, _ stream: any ByteStream
    ) -> TransportResponse {
        stream.abort()
        timings.total = stopwatch.elapsed
        return TransportResponse(
            head: response.head, body: ResponseBody(response.body), timings: timings, connection: stream.info)
    }
}

extension TransportError {
    /// Creates the error of a stream that has ended before the response.
    fileprivate static func ended(_ phase: Phase, cause: (any Error)?) -> TransportError {
        TransportError(
            .networkConnectionLost, phase: phase,
            message: "the connection ended before the server answered" + (cause.map { ": \($0)" } ?? ""),
            requestMayHaveBeenSent: true, underlying: cause)
    }
}
