// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghSupport
import Synchronization

/// The server's own limits of one origin: one gate for all requests, one for each part of the quota, and one for each
/// path that a response 503 with `Retry-After` says is unavailable.
///
/// A server may keep several quotas (searches, everything else) without saying which one a request will use. The paths
/// of earlier requests tell.
package final class ServerGates: ServerLimiter {
    /// The admission of one request.
    private struct Ticket {
        /// The number of the request in the main gate.
        let main: UInt64
        /// The numbers of the request in the gates of its path and of its part.
        var entries: [Entry] = []
        let prefixes: [String]
    }

    private struct Entry {
        let gate: ServerGate
        /// The path that the gate is for; `nil` for a part of the quota.
        let path: String?
        let number: UInt64
    }

    /// The maximum number of parts of a quota.
    package static let maximumPartitions = 16
    /// The maximum number of path prefixes whose part is remembered.
    package static let maximumPrefixes = 64
    /// The maximum number of unavailable paths.
    package static let maximumPaths = 64
    /// The number of responses with 503 in a row from which `Retry-After` delays the whole origin.
    package static let unavailableOrigin = 3

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
        /// The gates of paths that are unavailable.
        var paths = LRUCache<String, ServerGate>()
        /// The number of responses with 503 since the last other response.
        var unavailableInRow = 0
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
        let others = state.withLock { state in
            state.parts.keys.sorted().compactMap { state.parts.peek($0) }
                + state.paths.keys.sorted().compactMap { state.paths.peek($0) }
        }
        return ([main] + others).flatMap(\.limits)
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
        let prefixes = Self.prefixes(of: request.head.path ?? "/")
        var ticket = try await enter(request, prefixes: prefixes)
        // The responses that arrived during the wait may have told more.
        for (gate, path) in gates(for: prefixes) where !ticket.entries.contains(where: { $0.gate === gate }) {
            guard let number = gate.enterAtOnce() else {
                leave(ticket, wasSent: false)
                return try await enter(request, prefixes: prefixes)
            }
            ticket.entries.append(Entry(gate: gate, path: path, number: number))
        }
        return ticket
    }

    /// Waits at the gates of the path and of the part that are known, and then at the main gate.
    ///
    /// A request that waits at one of the first must not count as one in flight for all requests to the origin.
    private func enter(_ request: TransportRequest, prefixes: [String]) async throws -> Ticket {
        var entries: [Entry] = []
        do {
            for (gate, path) in gates(for: prefixes) {
                entries.append(Entry(gate: gate, path: path, number: try await gate.enter(request)))
            }
            return Ticket(main: try await main.enter(request), entries: entries, prefixes: prefixes)
        } catch {
            for entry in entries { entry.gate.ended(entry.number, wasSent: false) }
            throw error
        }
    }

    /// Applies a response.
    private func answered(_ response: TransportResponse, to ticket: Ticket) {
        var limits = Dictionary(grouping: read(response)) { $0.partition ?? "" }
        var whole = limits.removeValue(forKey: "") ?? []
        var named = limits.sorted { $0.key < $1.key }.map {
            (gate: note($0.key, for: ticket.prefixes), limits: $0.value)
        }
        let namesNoPart = named.isEmpty
        let isUnavailable = response.head.status == .serviceUnavailable
        let inRow = state.withLock { state in
            state.unavailableInRow = isUnavailable ? state.unavailableInRow + 1 : 0
            return state.unavailableInRow
        }
        // The rest of the origin may be available: with 503, RFC 9110 (section 10.2.3) speaks of the service that the
        // request was for. If nothing else is received, none of it is.
        if isUnavailable, inRow < Self.unavailableOrigin,
            let index = whole.firstIndex(where: { $0.source == .retryAfter })
        {
            let path = ticket.prefixes.last ?? ""
            var limit = whole.remove(at: index)
            limit.partition = "/\(path)"
            named.append((gate(ofPath: path), [limit]))
        }
        main.answered(whole, to: ticket.main)
        for (gate, limits) in named {
            gate.answered(limits, to: ticket.entries.first { $0.gate === gate }?.number)
        }
        for entry in ticket.entries where !named.contains(where: { $0.gate === entry.gate }) {
            if let path = entry.path {
                entry.gate.answered([], to: entry.number)
                guard entry.gate.limits.isEmpty else { continue }
                state.withLock { state in
                    if state.paths.peek(path) === entry.gate { state.paths.remove(path) }
                }
            } else {
                // Without a name in the response, the request has used the part that it was expected to use.
                entry.gate.ended(entry.number, wasSent: namesNoPart)
            }
        }
    }

    /// Ends a request without a response.
    private func leave(_ ticket: Ticket, wasSent: Bool) {
        main.ended(ticket.main, wasSent: wasSent)
        for entry in ticket.entries { entry.gate.ended(entry.number, wasSent: wasSent) }
    }

    /// Returns the gates of a path and of its part of the quota, as far as they are known.
    private func gates(for prefixes: [String]) -> [(gate: ServerGate, path: String?)] {
        let unavailable: (gate: ServerGate, path: String?)? = state.withLock { state in
            for path in prefixes.reversed() {
                if let gate = state.paths.touch(path) { return (gate, path) }
            }
            return nil
        }
        return [unavailable, part(of: prefixes).map { ($0, nil) }].compactMap { $0 }
    }

    /// Returns the gate of a path that is unavailable.
    private func gate(ofPath path: String) -> ServerGate {
        state.withLock { state in
            if let gate = state.paths.touch(path) { return gate }
            let gate = make(true)
            state.paths.insert(path, value: gate)
            if state.paths.count > Self.maximumPaths { _ = state.paths.removeOldest() }
            return gate
        }
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
