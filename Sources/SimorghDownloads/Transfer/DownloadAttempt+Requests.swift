// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension DownloadAttempt {
    /// The condition of a range request, so that the server sends a range only of the known version.
    enum Condition: Sendable {
        /// `If-Range`: the range, or otherwise the whole file.
        case range
        /// `If-Match`: the range, or otherwise an error.
        case match
    }

    /// Requests the file, or a range of it.
    ///
    /// Some servers and caches treat an ETag in `If-Range` as outdated even if it matches, and send the whole file. If
    /// that is the same file, and they claim to support ranges, the range is requested again with `If-Match`.
    ///
    /// - Parameters:
    ///   - rangeRequest: The range to request.
    ///   - mode: The kind of request.
    ///   - isExtra: True for an additional connection next to one over HTTP/2.
    /// - Returns: The response and the decision on it.
    /// - Throws: The error of the request.
    func send(
        _ rangeRequest: ResumeDecision.RangeRequest, mode: RequestMode, isExtra: Bool = false
    ) async throws -> (StreamingResponse, ResumeDecision) {
        if requiresIfMatch.isSet {
            return try await send(rangeRequest, mode: mode, condition: .match, isExtra: isExtra)
        }
        if let first = try await sendIfRange(rangeRequest, mode: mode, isExtra: isExtra) { return first }
        let second = try await send(rangeRequest, mode: mode, condition: .match, isExtra: isExtra)
        if case .append = second.1 { requiresIfMatch.set() }
        return second
    }

    /// - Returns: The response; `nil` if another condition may work better, and the response is dropped.
    private func sendIfRange(
        _ rangeRequest: ResumeDecision.RangeRequest, mode: RequestMode, isExtra: Bool
    ) async throws -> (StreamingResponse, ResumeDecision)? {
        let first = try await send(rangeRequest, mode: mode, condition: .range, isExtra: isExtra)
        guard case .restart(let entity) = first.1, rangeRequest.part != nil, let known = rangeRequest.entity,
            case .tag = known.validator, entity.acceptsRanges, known.contradiction(to: entity) == nil
        else { return first }
        return nil
    }

    private func send(
        _ rangeRequest: ResumeDecision.RangeRequest, mode: RequestMode, condition: Condition, isExtra: Bool
    ) async throws -> (StreamingResponse, ResumeDecision) {
        let response = try await stream(
            .get, over: client(mode, isExtra: isExtra),
            headers: headers(rangeRequest, mode: mode, condition: condition))
        dependencies.log(.response(url: response.url, status: response.statusCode, headers: response.headers))
        let decision = ResumeDecision(
            rangeRequest, status: response.statusCode, fields: response.headers, url: response.url, now: time.now,
            legacyDigests: dependencies.config.acceptsLegacyDigests)
        return (response, decision)
    }

    /// Requests the header fields of the whole file (HEAD).
    func head() async throws -> StreamingResponse {
        let headers = headers(ResumeDecision.RangeRequest(), mode: .plain)
        return try await stream(.head, over: client(.plain), headers: headers)
    }

    private func stream(
        _ method: RequestMethod, over client: APIClient, headers: [String: String]
    ) async throws -> StreamingResponse {
        var call = client.call(method, request.url, headers: headers)
        // A drain waits for the queue, and counts the download instead of this stream.
        call.kind = .download
        return try await call.stream()
    }

    /// The limit of each phase of opening an additional connection.
    ///
    /// The existing connections meanwhile fetch all of its segment except the last bytes, which then wait for it.
    private static let extraTimeout: Duration = .seconds(5)
    /// The longest time without data on an additional connection.
    private static let extraIdle: Duration = .seconds(10)

    private func client(_ mode: RequestMode, isExtra: Bool = false) -> APIClient {
        let config = dependencies.config
        let base = dependencies.client.settings.currentBase.origin
        return dependencies.client.with { configuration in
            // An absolute URL needs no base URL, but credentials for the client's own server must not go to other
            // servers.
            configuration.credentialsBase = base
            configuration.baseURL = nil
            configuration.dynamicBaseURL = nil
            configuration.validation.statusCodes = .any
            configuration.validation.contentTypes = nil
            // The download retries by itself and resumes; the client's retries would start over.
            configuration.neverRetry()
            configuration.resilience.coalescesRequests = false
            configuration.resilience.hedging = nil
            // A download that waits for a network frees its slot for another, so the client must not queue it.
            configuration.resilience.offlineQueue = nil
            // A file would evict everything else from the client's cache, and ranges of it are stored only in the
            // partial file. Caches on the way may respond: their responses must match the same validators.
            configuration.caching.httpCache = nil
            configuration.caching.strategy = .useProtocolCachePolicy
            // The version that a range must match is that of the server to which redirects led before. Each part is
            // compared with it (``ResumeDecision``).
            configuration.redirects.keepsConditions = true
            configuration.decompresses = mode == .decoded
            // The monitor of the manager ends a download whose network changes. The transport knows each connection:
            // a session of an Apple platform enforces this also on a watch, where no monitor knows the network.
            config.restrict(&configuration.access)
            // A Range field of the client would request other bytes than the missing ones.
            configuration.headers = configuration.headers.filter { !Self.ownFields.contains($0.key.lowercased()) }
            configuration.priority = config.requestPriority
            let timeout = Duration(clampingSeconds: config.timeoutInterval > 0 ? config.timeoutInterval : 60)
            (configuration.timeouts.head, configuration.timeouts.idle) = (timeout, timeout)
            // A large file may take any time.
            configuration.timeouts.total = nil
            guard isExtra else { return }
            // Otherwise the pool would use a stream of the existing connection.
            configuration.httpVersion = .http1Only
            // A rejected additional connection says nothing about the host, and it is not a request of the user.
            configuration.resilience.circuitBreaker = nil
            configuration.resilience.rateLimit = nil
            configuration.timeouts.idle = min(configuration.timeouts.idle ?? Self.extraIdle, Self.extraIdle)
            for phase in [\Timeouts.queue, \.connect, \.tls, \.head] {
                let limit = configuration.timeouts[keyPath: phase] ?? Self.extraTimeout
                configuration.timeouts[keyPath: phase] = min(limit, Self.extraTimeout)
            }
        }
    }

    /// The header fields that a download sets itself; those of the caller and the client are left out.
    package static let ownFields: Set<String> = ["range", "if-range", "if-match", "accept-encoding"]

    /// Returns the header fields of a request.
    func headers(
        _ rangeRequest: ResumeDecision.RangeRequest, mode: RequestMode, condition: Condition = .range
    ) -> [String: String] {
        var headers = request.headers.filter { !Self.ownFields.contains($0.key.lowercased()) }
        if mode == .plain { headers["Accept-Encoding"] = "identity" }
        if !headers.keys.contains(where: { $0.lowercased() == "cache-control" }) {
            headers["Cache-Control"] = "no-transform"
        }
        if request.digest == nil, !headers.keys.contains(where: { $0.lowercased() == "want-repr-digest" }) {
            headers["Want-Repr-Digest"] = "sha-256=10, sha-512=3"
        }
        guard let part = rangeRequest.part else { return headers }
        headers["Range"] = ContentRange.request(from: part.start, to: part.end)
        switch rangeRequest.entity?.validator {
        case .tag(let tag): headers[condition == .match ? "If-Match" : "If-Range"] = tag
        case .date(let date): headers["If-Range"] = date
        case nil: break
        }
        return headers
    }
}
