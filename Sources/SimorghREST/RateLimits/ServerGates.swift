// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghSupport
import Synchronization

/// The server's own limits of one origin: one gate for all requests, and one for each part of the quota.
///
/// A server may keep several quotas (searches, everything else) without saying which one a request will use. The paths
/// of earlier requests tell.
package final class ServerGates: ServerLimiter {
    /// The admission of one request.
    private struct Ticket {
        var entered: [(gate: ServerGate, number: UInt64)] = []
        let prefixes: [String]
    }

    /// The maximum number of parts of a quota.
    package static let maximumPartitions = 16
    /// The maximum number of path prefixes whose part is remembered.
    package static let maximumPrefixes = 64

    /// The part of the quota that the requests below a path use.
    private struct Use {
        /// The name of the part; empty if they use several.
        var part: String
        /// The first of their paths, and true if another one has used the same part.
        let path: String
        var isConfirmed = false
    }

    private struct State {
        var parts = LRUCache<String, ServerGate>()
        var prefixes = LRUCache<String, Use>()
    }

    private let make: @Sendable (_ isKnown: Bool) -> ServerGate
    private let read: @Sendable (TransportResponse) -> [ServerRateLimit]
    private let main: ServerGate
    private let state = Mutex(State())

    package init(_ rule: RateLimit, host: String, time: TimeSource) {
        make = { ServerGate(rule, host: host, time: time, isKnown: $0) }
        read = { ServerRateLimit.limits(of: $0.head, now: time.now) }
        main = make(false)
    }

    /// The current limits.
    package var limits: [ServerRateLimit] {
        let parts = state.withLock { state in state.parts.keys.sorted().compactMap { state.parts.peek($0) } }
        return ([main] + parts).flatMap(\.limits)
    }

    package func send(_ request: TransportRequest, next: Interceptor.Next) async throws -> TransportResponse {
        let ticket = try await enter(request)
        do {
            let response = try await next(request)
            answered(response, to: ticket)
            return response
        } catch {
            leave(ticket, wasSent: (error as? TransportError)?.requestMayHaveBeenSent == true)
            throw error
        }
    }

    /// Waits until the request may be sent.
    private func enter(_ request: TransportRequest) async throws -> Ticket {
        var ticket = Ticket(prefixes: Self.prefixes(of: request.head.path ?? "/"))
        ticket.entered.append((main, try await main.enter(request)))
        // After the wait, since the first response may have told the parts.
        guard let part = part(of: ticket.prefixes) else { return ticket }
        do {
            ticket.entered.append((part, try await part.enter(request)))
        } catch {
            leave(ticket, wasSent: false)
            throw error
        }
        return ticket
    }

    /// Applies a response.
    private func answered(_ response: TransportResponse, to ticket: Ticket) {
        var limits = Dictionary(grouping: read(response)) { $0.partition ?? "" }
        main.answered(limits.removeValue(forKey: "") ?? [], to: ticket.entered.first?.number)
        let entered = ticket.entered.dropFirst().first
        var isEnded = false
        for (name, limits) in limits.sorted(by: { $0.key < $1.key }) {
            let gate = note(name, for: ticket.prefixes)
            let isEntered = gate === entered?.gate
            gate.answered(limits, to: isEntered ? entered?.number : nil)
            isEnded = isEnded || isEntered
        }
        // Without a name in the response, the request has used the part that it was expected to use.
        if let entered, !isEnded { entered.gate.ended(entered.number, wasSent: limits.isEmpty) }
    }

    /// Ends a request without a response.
    private func leave(_ ticket: Ticket, wasSent: Bool) {
        for (gate, number) in ticket.entered { gate.ended(number, wasSent: wasSent) }
    }

    private func part(of prefixes: [String]) -> ServerGate? {
        state.withLock { state in
            for prefix in prefixes.reversed() {
                guard let use = state.prefixes.touch(prefix), !use.part.isEmpty else { continue }
                // One request does not tell what others below a shorter path use.
                if use.isConfirmed || use.path == prefixes.last { return state.parts.touch(use.part) }
            }
            return nil
        }
    }

    /// Returns the gate of a part, and remembers that requests below these paths use it.
    private func note(_ name: String, for prefixes: [String]) -> ServerGate {
        state.withLock { state in
            let path = prefixes.last ?? ""
            for prefix in prefixes {
                var use = state.prefixes.touch(prefix) ?? Use(part: name, path: path)
                if use.part != name { use.part = "" }
                if use.path != path { use.isConfirmed = true }
                state.prefixes.insert(prefix, value: use)
            }
            while state.prefixes.count > Self.maximumPrefixes { _ = state.prefixes.removeOldest() }
            if let gate = state.parts.touch(name) { return gate }
            let gate = make(true)
            state.parts.insert(name, value: gate)
            if state.parts.count > Self.maximumPartitions { _ = state.parts.removeOldest() }
            return gate
        }
    }

    /// Returns the first one, two and three segments of a path, of at most 64 characters each.
    private static func prefixes(of path: String) -> [String] {
        let segments = path.prefix { $0 != "?" }.split(separator: "/", maxSplits: 3).prefix(3)
        return (1...max(1, segments.count)).map { count in
            segments.prefix(count).map { String($0.prefix(64)) }.joined(separator: "/")
        }
    }
}
