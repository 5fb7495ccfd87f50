// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What the attempts of one call took, by phase.
///
/// The times are those of the last attempt; ``attempts`` has those of each.
public struct TransactionMetrics: Sendable, Hashable {
    /// One attempt on the wire.
    public struct Attempt: Sendable, Hashable {
        /// Which one it was, counted from 1.
        public let number: Int
        /// The status of its answer, be it one whose body broke off; `nil` where none came.
        public let statusCode: Int?
        /// How long each phase took; `nil` where no connection carried it, nor failed to open.
        ///
        /// Of a body that streamed, those of its end, where it had come before the call was over.
        public fileprivate(set) var timings: ExchangeTimings?
        /// The number of the connection; `nil` where there was none.
        public let connection: UInt64?
        /// The protocol that was spoken, as ALPN names it; `nil` where there was no connection.
        public let applicationProtocol: String?

        package init(_ event: AttemptEvent) {
            number = event.attempt
            statusCode = event.statusCode
            timings = event.timings
            connection = event.connection?.id
            applicationProtocol = event.connection?.applicationProtocol
        }
    }

    /// So many attempts are kept of one call, its last.
    package static let capacity = 64

    /// The attempts in the order in which they ended; of very many the last 64.
    public private(set) var attempts: [Attempt] = []
    /// How many attempts there were.
    public private(set) var attemptCount = 0
    /// How many redirects were followed.
    public package(set) var redirectCount = 0
    /// Whether the answer came from a cache, so that nothing was sent.
    public package(set) var isFromCache = false
    /// What a cache did for the last answer, and why; `nil` where no cache was asked.
    public package(set) var cache: CacheReport?
    /// From the head of the last response to the end of its body, where the body streamed.
    public package(set) var body: Duration?
    /// The bytes that the reader of a stream was given, where its transport has not told how many came.
    private var streamedBytes: Int64 = 0
    /// Whether the last attempt is told with all its bytes.
    private var isLastWhole = false

    package init() {}

    /// Adds an attempt that ended.
    package mutating func add(_ event: AttemptEvent) {
        attemptCount += 1
        if attempts.count == Self.capacity { attempts.removeFirst() }
        attempts.append(Attempt(event))
        isLastWhole = false
    }

    /// The body of an attempt has ended that streamed.
    package mutating func end(_ event: BodyEndEvent) {
        guard let index = attempts.lastIndex(where: { $0.number == event.attempt }) else { return }
        attempts[index].timings = event.timings
        if index == attempts.indices.last { isLastWhole = true }
    }

    /// The reader of the last body has left it, at its end or before.
    ///
    /// - Parameters:
    ///   - bytes: How many bytes he was given.
    ///   - duration: How long that took.
    package mutating func read(_ bytes: Int64, over duration: Duration) {
        streamedBytes = bytes
        body = duration
    }

    private var last: ExchangeTimings? { attempts.last?.timings }

    /// Looking up the name; `nil` on a connection that stood already, and for an address.
    public var domainLookup: Duration? { last?.dns }
    /// Connecting, the name looked up with it; `nil` on a connection that stood already.
    public var connect: Duration? { last?.connect }
    /// The TLS handshake; `nil` on a connection that stood already, or in the clear.
    public var secureConnection: Duration? { last?.tls }
    /// Writing the request.
    public var request: Duration? { last?.request }
    /// From the last byte of the request to the last byte of the response, as far as it was read.
    public var response: Duration? {
        guard let last else { return nil }
        let body = body ?? last.body
        return last.firstByte.map { $0 + (body ?? .zero) } ?? body
    }
    /// The bytes that were sent, over all attempts that are kept.
    public var bytesSent: Int64 { attempts.reduce(0) { $0 + ($1.timings?.sentBytes ?? 0) } }
    /// The bytes that came, over all attempts that are kept.
    ///
    /// Of a stream whose reader left before its end, no fewer than he was given.
    public var bytesReceived: Int64 {
        let told = attempts.reduce(0) { $0 + ($1.timings?.receivedBytes ?? 0) }
        guard !isLastWhole else { return told }
        // What had come with the head holds the beginning of the body.
        let ofLast = last?.receivedBytes ?? 0
        return told - ofLast + max(ofLast, streamedBytes)
    }
}
