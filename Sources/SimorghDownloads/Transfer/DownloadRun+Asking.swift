// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

extension DownloadRun {
    /// How a part is asked for, so that it is given only of the version that is known.
    enum Condition: Sendable {
        /// `If-Range`: the part, or else the whole.
        case range
        /// `If-Match`: the part, or else nothing.
        case match
    }

    /// Asks for the file, or a part of it.
    ///
    /// There are servers and caches that take `If-Range` with an ETag for another version always, and give the whole. Where
    /// what they give is the same file, and they say that they give parts, they are asked once more with `If-Match`.
    ///
    /// - Parameters:
    ///   - question: What to ask for.
    ///   - manner: How.
    ///   - isExtra: True for a further connection beside one over HTTP/2.
    /// - Returns: The answer, and what it means.
    /// - Throws: What the request met.
    func ask(
        _ question: ResumeDecision.Question, _ manner: Manner, isExtra: Bool = false
    ) async throws -> (StreamingResponse, ResumeDecision) {
        if matches.isSet { return try await ask(question, manner, .match, isExtra) }
        if let whole = try await askForRange(question, manner, isExtra) { return whole }
        let second = try await ask(question, manner, .match, isExtra)
        if case .append = second.1 { matches.set() }
        return second
    }

    /// - Returns: The answer; `nil` where another way to ask may be better, and the answer is let go of.
    private func askForRange(
        _ question: ResumeDecision.Question, _ manner: Manner, _ isExtra: Bool
    ) async throws -> (StreamingResponse, ResumeDecision)? {
        let first = try await ask(question, manner, .range, isExtra)
        guard case .restart(let entity) = first.1, question.part != nil, let known = question.entity,
            case .tag = known.validator, entity.acceptsRanges, known.contradiction(to: entity) == nil
        else { return first }
        return nil
    }

    private func ask(
        _ question: ResumeDecision.Question, _ manner: Manner, _ condition: Condition, _ isExtra: Bool
    ) async throws -> (StreamingResponse, ResumeDecision) {
        let answer = try await client(manner, isExtra: isExtra).stream(
            .get, request.url, headers: headers(question, manner, condition))
        around.log(.response(url: answer.url, status: answer.statusCode, headers: answer.headers))
        let decision = ResumeDecision(
            question, status: answer.statusCode, fields: answer.headers, url: answer.url, now: time.now,
            legacyDigests: around.config.acceptsLegacyDigests)
        return (answer, decision)
    }

    /// Asks for the head of the whole.
    func head() async throws -> StreamingResponse {
        try await client(.plain).stream(.head, request.url, headers: headers(ResumeDecision.Question(), .plain))
    }

    /// The limit of each phase of opening a further connection.
    ///
    /// The connections that are there meanwhile fetch all of its part but the last bytes, which wait for it.
    private static let extraTimeout: Duration = .seconds(5)
    /// The time between two pieces that a further connection brings.
    private static let extraIdle: Duration = .seconds(10)

    private func client(_ manner: Manner, isExtra: Bool = false) -> APIClient {
        let config = around.config
        let base = around.client.settings.currentBase.origin
        return around.client.with { configuration in
            // A whole URL needs no base; but credentials that are for the client's own server are for no other.
            configuration.credentialsBase = base
            configuration.baseURL = nil
            configuration.dynamicBaseURL = nil
            configuration.validation.statusCodes = .any
            configuration.validation.contentTypes = nil
            // What is tried again here goes on where it stopped, and does not begin anew.
            configuration.neverRetry()
            configuration.resilience.coalescesRequests = false
            configuration.resilience.hedging = nil
            // What waits for a network here gives its place to another.
            configuration.resilience.offlineQueue = nil
            // A file would drive all else out of the client's cache, and parts of it belong beside the file alone. Caches
            // on the way may answer: what they give is held to the same validators.
            configuration.caching.httpCache = nil
            configuration.caching.strategy = .useProtocolCachePolicy
            configuration.decompresses = manner == .decoded
            // A Range of the client's own would ask for another part than the one that is missing.
            configuration.headers = configuration.headers.filter { !Self.ownFields.contains($0.key.lowercased()) }
            configuration.priority = config.requestPriority
            let timeout = Duration(clampingSeconds: config.timeoutInterval > 0 ? config.timeoutInterval : 60)
            (configuration.timeouts.head, configuration.timeouts.idle) = (timeout, timeout)
            // A large file takes as long as it takes.
            configuration.timeouts.total = nil
            guard isExtra else { return }
            // The pool would give it a stream of the connection that is there.
            configuration.httpVersion = .http1Only
            // That it is refused says nothing against the host, and it is no call of the user's.
            configuration.resilience.circuitBreaker = nil
            configuration.resilience.rateLimit = nil
            configuration.timeouts.idle = min(configuration.timeouts.idle ?? Self.extraIdle, Self.extraIdle)
            for phase in [\Timeouts.queue, \.connect, \.tls, \.head] {
                let limit = configuration.timeouts[keyPath: phase] ?? Self.extraTimeout
                configuration.timeouts[keyPath: phase] = min(limit, Self.extraTimeout)
            }
        }
    }

    /// The header fields that a download decides itself; those of the caller and the client are left out.
    package static let ownFields: Set<String> = ["range", "if-range", "if-match", "accept-encoding"]

    /// The header fields of a request.
    func headers(
        _ question: ResumeDecision.Question, _ manner: Manner, _ condition: Condition = .range
    ) -> [String: String] {
        var headers = request.headers.filter { !Self.ownFields.contains($0.key.lowercased()) }
        if manner == .plain { headers["Accept-Encoding"] = "identity" }
        if !headers.keys.contains(where: { $0.lowercased() == "cache-control" }) {
            headers["Cache-Control"] = "no-transform"
        }
        if request.digest == nil, !headers.keys.contains(where: { $0.lowercased() == "want-repr-digest" }) {
            headers["Want-Repr-Digest"] = "sha-256=10, sha-512=3"
        }
        guard let part = question.part else { return headers }
        headers["Range"] = ContentRange.request(from: part.start, to: part.end)
        switch question.entity?.validator {
        case .tag(let tag): headers[condition == .match ? "If-Match" : "If-Range"] = tag
        case .date(let date): headers["If-Range"] = date
        case nil: break
        }
        return headers
    }
}
