// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
public import SimorghCore

/// The engine: HTTP/1.1 and HTTP/2 over TCP and TLS on SwiftNIO, with a pool of connections of its own.
///
/// It needs no shutdown. Requests that are on their way when the last reference goes finish as they would; connections
/// that idle are closed then.
public final class NIOTransport: Transport {
    /// A transport with the default configuration, shared by all who need no other; its connections stay for reuse.
    public static let shared = NIOTransport()

    let pool: ConnectionPool

    /// Creates a transport with a pool of its own.
    ///
    /// - Parameter configuration: Its limits, and the threads it runs on.
    public init(configuration: Configuration = Configuration()) {
        pool = ConnectionPool(configuration)
    }

    deinit { pool.close() }

    /// How many connections there are, and how often they were of use; true for the moment in which it was asked.
    public var statistics: Statistics { pool.statistics }

    /// How many hosts the pool remembers.
    package var knownHosts: Int { statistics.hosts }

    /// Tells whether the pool is still in memory; for tests.
    package var poolProbe: @Sendable () -> Bool { { [weak pool] in pool != nil } }

    /// Keeps TLS from being made ready until what is returned is called; for tests.
    package func holdTLS() -> @Sendable () -> Void { pool.dialler.contexts.hold() }

    /// For how many ways to verify TLS is ready, is being made so, and is still to be; for tests.
    package var readyTLS: (kept: Int, making: Int, inLine: Int) { pool.dialler.contexts.counts }

    /// The number of the event loop that the calling task runs on by ``withEventLoop(_:)``; for tests.
    package var currentLane: Int? { pool.currentLane }

    /// How many connections idle that live on an event loop; for tests.
    package func idleConnections(inLane lane: Int) -> Int { pool.idleConnections(inLane: lane) }

    /// Sends a request.
    ///
    /// A request that finds its reused connection dead before a byte of the response is sent once more, over a new one,
    /// where that can do no harm: its method is idempotent and its body can be read again, or nothing of it has left. One
    /// that ended before anything left does not condemn the others to the host; the second in a row does.
    /// One that an HTTP/2 server says it did not look at goes out again, too, at most three times; one that it wants over
    /// HTTP/1.1 goes there where that can do no harm, and so do the later ones for that host.
    ///
    /// - Parameter request: The request, with the scheme, authority and path of its head set.
    /// - Returns: The response.
    /// - Throws: `TransportError`; a cancelled task throws one with the code `cancelled`.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        // Otherwise the optimiser may let the last reference go here, and the pool dismiss its own caller.
        defer { withExtendedLifetime(self) {} }
        let started = NIODeadline.now()
        var plan = try RequestPlan(request)
        try Self.check(request)
        if let other = try pool.planForHTTP1(plan) { plan = other }
        var resending = ResendRule()
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
                guard let end = outcome.end, resending.goesOn(after: end) else { break send }
            }
        }
        let attempts = resending.attempts
        switch consume outcome {
        case .unexpected: throw .badResponse("the server refused an expectation that the request does not have", .head)
        case .failed(var error), .stale(var error), .unprocessed(var error), .unsent(var error),
            .idleEnded(var error), .needsHTTP1(var error, _):
            error.attempts = attempts
            throw error
        case .response(var response, let codings):
            if attempts > 1 { response.attempts = attempts }
            if codings.isEmpty { return response }
            do throws(TransportError) {
                return try Self.decode(response, codings, plan)
            } catch {
                let facts = AttemptFacts(response.timings, response.connection, response: response.head)
                throw error.known(facts, attempts)
            }
        }
    }

    /// Refuses what no server has to be asked for: a tunnel, which is for proxies, and an answer in no time at all.
    static func check(_ request: TransportRequest) throws(TransportError) {
        guard request.head.method != .connect else {
            throw .invalid(.invalidMethod, "CONNECT opens a tunnel through a proxy: it is no request to a server")
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

    /// Decompresses a collected body here, in the calling task, so that a large one holds up nobody's event loop.
    private static func decode(
        _ response: TransportResponse, _ codings: [String], _ plan: RequestPlan
    ) throws(TransportError) -> TransportResponse {
        var response = response
        guard case .collected(let limit) = plan.request.options.delivery, let body = response.body.collectedBytes,
            let decoding = try ContentDecoding.needed(
                for: &response.head, codings, by: plan, endsWithConnection: endsWithConnection(response))
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
