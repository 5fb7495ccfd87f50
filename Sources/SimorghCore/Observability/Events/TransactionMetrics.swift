// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The durations of the attempts of one call, by phase.
///
/// The durations are those of the last attempt; ``attempts`` has those of each attempt.
public struct TransactionMetrics: Sendable, Hashable {
    /// One attempt on the network.
    public struct Attempt: Sendable, Hashable {
        /// The number of the attempt, from 1.
        public let number: Int
        /// The status of the response, even if its body broke off; `nil` if no response was received.
        public let statusCode: Int?
        /// The durations of the phases; `nil` if no connection was used and none failed to open.
        ///
        /// For a streamed body the final ones, if the body ended before the call did.
        public fileprivate(set) var timings: ExchangeTimings?
        /// The number of the connection; `nil` without a connection.
        public let connection: UInt64?
        /// The ALPN name of the protocol; `nil` without a connection.
        public let applicationProtocol: String?

        package init(_ event: AttemptEvent) {
            number = event.attempt
            statusCode = event.statusCode
            timings = event.timings
            connection = event.connection?.id
            applicationProtocol = event.connection?.applicationProtocol
        }
    }

    /// The number of attempts to keep for one call, the last ones.
    package static let capacity = 64

    /// The attempts in the order in which they ended, at most the last 64.
    public private(set) var attempts: [Attempt] = []
    /// The number of attempts.
    public private(set) var attemptCount = 0
    /// The number of redirects that were followed.
    public package(set) var redirectCount = 0
    /// True if the response came from a cache and nothing was sent.
    public package(set) var isFromCache = false
    /// The cache's decision for the last response, and its reason; `nil` if no cache was used.
    public package(set) var cache: CacheReport?
    /// The time from the head of the last response to the end of its body, if the body streamed.
    public package(set) var body: Duration?
    /// The bytes that the reader of a stream got, if the transport has not reported the received bytes.
    private var streamedBytes: Int64 = 0
    /// True if all bytes of the last attempt were reported.
    private var isLastComplete = false

    package init() {}

    /// Adds an attempt that ended.
    package mutating func add(_ event: AttemptEvent) {
        attemptCount += 1
        if attempts.count == Self.capacity { attempts.removeFirst() }
        attempts.append(Attempt(event))
        isLastComplete = false
    }

    /// Sets the final timings of an attempt whose streamed body ended.
    package mutating func end(_ event: BodyEndEvent) {
        guard let index = attempts.lastIndex(where: { $0.number == event.attempt }) else { return }
        attempts[index].timings = event.timings
        if index == attempts.indices.last { isLastComplete = true }
    }

    /// Sets the size and duration of the last body, when its reader has finished or stopped early.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes that the reader got.
    ///   - duration: The time that reading took.
    package mutating func read(_ bytes: Int64, over duration: Duration) {
        streamedBytes = bytes
        body = duration
    }

    private var last: ExchangeTimings? { attempts.last?.timings }

    /// The DNS lookup; `nil` for a connection that was already open, and for an IP address.
    public var domainLookup: Duration? { last?.dns }
    /// The connect, including the DNS lookup; `nil` for a connection that was already open.
    public var connect: Duration? { last?.connect }
    /// The TLS handshake; `nil` for a connection that was already open, or without TLS.
    public var secureConnection: Duration? { last?.tls }
    /// Writing the request.
    public var request: Duration? { last?.request }
    /// The time from the last byte of the request to the last byte of the response, as far as it was read.
    public var response: Duration? {
        guard let last else { return nil }
        let body = body ?? last.body
        return last.firstByte.map { $0 + (body ?? .zero) } ?? body
    }
    /// The bytes sent by all attempts in ``attempts``.
    public var bytesSent: Int64 { attempts.reduce(0) { $0 + ($1.timings?.sentBytes ?? 0) } }
    /// The bytes received by all attempts in ``attempts``.
    ///
    /// If the reader of a stream stopped early, at least the bytes that it got.
    public var bytesReceived: Int64 {
        let reported = attempts.reduce(0) { $0 + ($1.timings?.receivedBytes ?? 0) }
        guard !isLastComplete else { return reported }
        // The bytes that arrived with the head include the beginning of the body.
        let ofLast = last?.receivedBytes ?? 0
        return reported - ofLast + max(ofLast, streamedBytes)
    }
}
