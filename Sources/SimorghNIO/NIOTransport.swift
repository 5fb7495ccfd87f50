// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
public import SimorghCore
import SimorghRealtime

/// The default engine: HTTP/1.1 and HTTP/2 over TCP and TLS on SwiftNIO, with its own connection pool.
///
/// It needs no shutdown. When the last reference is released, running requests finish and idle connections are closed.
public final class NIOTransport: Transport {
    /// The process-wide transport with the default configuration; its connections stay open for reuse.
    public static let shared = NIOTransport()

    let pool: ConnectionPool

    /// Creates a transport with its own pool.
    ///
    /// - Parameter configuration: The limits of the pool and the threads it runs on.
    public init(configuration: Configuration = Configuration()) {
        pool = ConnectionPool(configuration)
    }

    deinit { pool.close() }

    /// A snapshot of the pool's counters: connections, waiting requests and reuse.
    public var statistics: Statistics { pool.statistics }

    /// The number of hosts that the pool has state for.
    package var knownHosts: Int { statistics.hosts }

    /// A closure that returns true while the pool is in memory; for tests.
    package var poolProbe: @Sendable () -> Bool { { [weak pool] in pool != nil } }

    /// Blocks the preparation of TLS contexts until the returned closure is called; for tests.
    package func holdTLS() -> @Sendable () -> Void { pool.dialer.contexts.hold() }

    /// The numbers of TLS contexts that are ready, being made, and queued; for tests.
    package var readyTLS: (cached: Int, making: Int, queued: Int) { pool.dialer.contexts.counts }

    /// The index of the event loop on which the calling task runs by ``withEventLoop(_:)``; for tests.
    package var currentEventLoopIndex: Int? { pool.currentEventLoopIndex }

    /// Returns the number of idle connections on an event loop; for tests.
    package func idleConnections(onEventLoop eventLoopIndex: Int) -> Int {
        pool.idleConnections(onEventLoop: eventLoopIndex)
    }

    /// Sends a request.
    ///
    /// The transport sends a request again in these cases:
    ///
    /// - A reused connection was dead before a byte of the response arrived. The request is sent once more, over a new
    ///   connection, if that is safe: its method is idempotent and its body can be read again, or no byte of it was
    ///   sent. If one idle connection ended before any byte was sent, the other idle connections to the host are still
    ///   used; a second one in a row makes the pool close them.
    /// - An HTTP/2 server reports that it did not process the request; at most three times.
    /// - A server requires HTTP/1.1 and repeating the request is safe. Later requests to that host use HTTP/1.1 at
    ///   once.
    ///
    /// - Parameter request: The request, with the scheme, authority and path of its head set.
    /// - Returns: The response.
    /// - Throws: `TransportError`; a cancelled task throws one with the code `cancelled`.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        // Otherwise the optimizer may release the last reference here, and the pool would close during its own
        // request.
        defer { withExtendedLifetime(self) {} }
        let started = NIODeadline.now()
        var plan = try RequestPlan(request)
        try Self.check(request)
        // Performance: the call copies the whole request.
        if request.options.access != NetworkAccess() { try await plan.request.checkNetworkAccess() }
        if let other = try pool.planForHTTP1(plan) { plan = other }
        var resending = ResendPolicy()
        var outcome: Exchange.Outcome
        send: while true {
            outcome = await Exchange(
                plan, pool: pool, started: started, attempt: resending.attempts, needsFresh: resending.needsFresh
            ).outcome()
            switch outcome {
            case .response, .failed: break send
            case .unexpected where plan.continueTimeout != nil:
                plan = try RequestPlan(request, mayWait: false, versions: plan.origin.versions)
                resending.changes()
            case .needsHTTP1(_, let again) where plan.origin.versions == .either:
                pool.http1Hosts.insert(plan.origin)
                guard again else { break send }
                plan = try RequestPlan(request, mayWait: plan.continueTimeout != nil, versions: .http1)
                resending.changes()
            default:
                guard let end = outcome.end, resending.shouldResend(after: end) else { break send }
            }
        }
        let attempts = resending.attempts
        switch consume outcome {
        case .unexpected:
            throw .badResponse("the server answered 417 to a request without an Expect field", phase: .head)
        case .failed(var error), .stale(var error), .unprocessed(var error), .unsent(var error),
            .idleEnded(var error), .needsHTTP1(var error, _):
            error.attempts = attempts
            throw error
        case .response(var response, let codings):
            if attempts > 1 { response.attempts = attempts }
            if codings.isEmpty { return response }
            do throws(TransportError) {
                return try Self.decode(response, codings: codings, plan: plan)
            } catch {
                let facts = AttemptDetails(
                    timings: response.timings, connection: response.connection, response: response.head)
                throw error.withDetails(facts, attempts: attempts)
            }
        }
    }

    /// Rejects requests that need no connection to fail: CONNECT, which is for proxies, and timeouts of zero or less.
    static func check(_ request: TransportRequest) throws(TransportError) {
        guard request.head.method != .connect else {
            throw .invalid(
                .invalidMethod, message: "CONNECT opens a tunnel through a proxy; it cannot be sent to a server")
        }
        let timeouts = request.options.timeouts
        if let limit = timeouts.total, limit <= .zero {
            throw .timedOut(.total, after: limit, requestMayHaveBeenSent: false)
        }
        if let limit = timeouts.head, limit <= .zero {
            throw .timedOut(.head, after: limit, requestMayHaveBeenSent: false)
        }
        if let limit = timeouts.idle, limit <= .zero {
            throw .timedOut(.body, after: limit, requestMayHaveBeenSent: false)
        }
    }

    /// Decompresses a collected body in the calling task, so that a large body does not block an event loop.
    private static func decode(
        _ response: TransportResponse, codings: [String], plan: RequestPlan
    ) throws(TransportError) -> TransportResponse {
        var response = response
        guard case .collected(let limit) = plan.request.options.delivery, let body = response.body.collectedBytes,
            let decoding = try ContentDecoding.needed(
                for: &response.head, codings: codings, by: plan, endsWithConnection: endsWithConnection(response))
        else { return response }
        response.body = ResponseBody(try decoding.decode(body, upTo: limit))
        return response
    }

    /// Returns true if only the end of the connection ends a response's body (RFC 9112, section 6.3).
    private static func endsWithConnection(_ response: TransportResponse) -> Bool {
        guard response.connection?.applicationProtocol != "h2" else { return false }
        let fields = response.head.headerFields
        guard let codings = fields[.transferEncoding] else { return fields[.contentLength] == nil }
        return !codings.lowercased().hasSuffix("chunked")
    }
}

extension NIOTransport: TransportActivityReporting {
    package var activity: TransportActivity {
        let statistics = statistics
        return TransportActivity(
            carrying: statistics.leased, opening: statistics.dialing, waiting: statistics.waiting,
            upgraded: pool.upgraded.requests)
    }
}
