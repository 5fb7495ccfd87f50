// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport
import Synchronization

/// A transport that records the responses of a real server to a file and replays them.
///
/// ```swift
/// import SimorghNIO
///
/// try await Cassette.with("Tests/Cassettes/users.har", mode: mode, over: NIOTransport.shared) { cassette in
///     let client = APIClient.scripted(cassette, baseURL: "https://api.example.com")
///     let user: User = try await client.get("users/7")
/// }
/// ```
/// The file is an HTTP archive (HAR 1.2), which browsers can show. Credentials in header fields, in URLs and in text
/// bodies are redacted before anything is written, and so are all other occurrences of tokens that were sent or
/// received.
///
/// A request that is not in the file fails, and the error names the nearest one and the differences. Unused responses
/// make ``finish()`` fail. When recording, a streamed body is read completely before it is delivered. The exchanges are
/// stored in the order in which they began.
public final class Cassette: Transport {
    /// The error for a file that does not exist or is not a cassette.
    public struct UnreadableError: Error, Sendable, CustomStringConvertible {
        /// The reason.
        public let description: String

        init(_ description: String) { self.description = description }
    }

    private struct State {
        var entries: [CassetteEntry] = []
        var isUsed: [Bool] = []
        var drift: [String] = []
        var unmatched: [String] = []
        /// The secrets in responses of the real server, which later requests may send anywhere.
        var issuedSecrets: Set<String> = []
        /// The number of exchanges that began.
        var begun = 0
        /// The time at which the last of them began.
        var latest = Date.distantPast
    }

    /// The start time of an exchange, and the number of exchanges before it.
    struct Start {
        let turn: Int
        let date: Date
    }

    /// The maximum number of exchanges in a cassette.
    public static let maximumExchanges = 10_000

    /// The mode.
    public let mode: Mode
    /// The path of the file.
    public let path: String
    private let rules: Rules
    private let transport: (any Transport)?
    private let scrubber: SecretScrubber
    private let time: TimeSource
    /// Keeps no requests: a cassette has no list of them.
    private let recorder = RequestRecorder(capacity: 0)
    package let running = RunningExchanges()
    private let state = Mutex(State())

    /// Opens a cassette.
    ///
    /// - Parameters:
    ///   - path: The path of the file. To record, only its folder has to exist.
    ///   - mode: The mode; by default that of the environment variable `SIMORGH_CASSETTES` (`replay`, `record` or
    ///     `check`), or replay if it is not set.
    ///   - transport: The transport to the real server; not needed for replay.
    ///   - rules: The rules of matching requests with recorded ones.
    ///   - time: The clock for the times of exchanges.
    /// - Throws: ``UnreadableError``.
    public init(
        _ path: String, mode: Mode = .ofEnvironment, over transport: (any Transport)? = nil, rules: Rules = Rules(),
        time: TimeSource = .system
    ) throws {
        self.path = path
        self.mode = mode
        self.rules = rules
        self.transport = transport
        self.time = time
        scrubber = SecretScrubber(names: rules.secretNames)
        if mode != .replay, transport == nil {
            throw UnreadableError("to \(mode.rawValue) \(path) requires a transport to the real server")
        }
        guard mode != .record else { return }
        let entries = try Self.read(path, scrubber: scrubber)
        state.withLock { ($0.entries, $0.isUsed) = (entries, entries.map { _ in false }) }
    }

    /// Opens a cassette, passes it to a function, and finishes it afterwards.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - mode: The mode; see ``init(_:mode:over:rules:time:)``.
    ///   - transport: The transport to the real server; not needed for replay.
    ///   - rules: The rules of matching requests with recorded ones.
    ///   - body: The function.
    /// - Returns: The function's result.
    /// - Throws: The function's error, or that of ``finish()``. A function that throws records nothing.
    public static func with<Value>(
        _ path: String, mode: Mode = .ofEnvironment, over transport: (any Transport)? = nil, rules: Rules = Rules(),
        body: (Cassette) async throws -> Value
    ) async throws -> Value {
        let cassette = try Cassette(path, mode: mode, over: transport, rules: rules)
        let value = try await body(cassette)
        try cassette.finish()
        return value
    }

    /// The number of exchanges in the cassette.
    public var count: Int { state.withLock { $0.entries.count } }

    /// The exchanges that were not requested, one line each.
    public var unused: [String] {
        state.withLock { state in zip(state.entries, state.isUsed).filter { !$1 }.map(\.0.name) }
    }

    /// Responds to a request from the file or from the real server, depending on ``mode``.
    ///
    /// - Parameter request: The request, its body encoded.
    /// - Returns: The response.
    /// - Throws: ``/SimorghCore/TransportError``, whose cause is a ``CassetteMismatchError`` for a request that is not in
    ///   the file.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard mode != .replay, let transport else {
            return try await ScriptedExchange.run(request, recorder: recorder, exchanges: running, time: time) {
                [self] recorded in
                try claim(recorded).entry.answer
            }
        }
        let start = begin()
        let watch = time.stopwatch()
        let requestBody = try await ScriptedBody.collect(request.body)
        let recorded = RecordedRequest(index: 0, head: request.head, body: requestBody)
        guard mode == .check else {
            let (response, body) = try await fetch(request, body: requestBody, over: transport)
            let entry = CassetteEntry(
                recorded, response: response, responseBody: body, start: start, duration: watch.elapsed,
                scrubber: scrubber,
                issuedSecrets: issuedSecrets(in: response, body: body))
            try store(entry)
            return response
        }
        // Claimed before the server responds, so that concurrent requests match the file in the order in which they
        // began.
        let expected = try? claim(recorded)
        do throws(TransportError) {
            let (response, body) = try await fetch(request, body: requestBody, over: transport)
            let live = CassetteEntry(
                recorded, response: response, responseBody: body, start: start, duration: watch.elapsed,
                scrubber: scrubber,
                issuedSecrets: issuedSecrets(in: response, body: body))
            if let expected { compare(live, with: expected.entry) }
            return response
        } catch {
            // A retry after a failure is the same exchange.
            if let expected, expected.isFirst { state.withLock { $0.isUsed[expected.index] = false } }
            throw error
        }
    }

    private func begin() -> Start {
        let now = time.now
        return state.withLock { state in
            // The system clock may be set back, but entries are sorted by their times.
            state.latest = max(state.latest, now)
            defer { state.begun += 1 }
            return Start(turn: state.begun, date: state.latest)
        }
    }

    /// Sends a request to the real server, and reads its whole response.
    private func fetch(
        _ request: TransportRequest, body: Data, over transport: any Transport
    ) async throws(TransportError) -> (response: TransportResponse, body: Data) {
        var replayable = request
        replayable.body = request.body.holding(body)
        var response = try await transport.send(replayable)
        do {
            let body = try await response.body.collect(upTo: rules.maximumBodyBytes)
            response.body = ResponseBody(body)
            return (response, body)
        } catch {
            throw error as? TransportError
                ?? TransportError(.unknown, phase: .body, message: "\(error)", underlying: error)
        }
    }

    /// Returns the secrets in all responses so far, including this one.
    private func issuedSecrets(in response: TransportResponse, body: Data) -> Set<String> {
        let issued = scrubber.issuedSecrets(in: response.head.headerFields, body: body)
        return state.withLock { state in
            state.issuedSecrets.formUnion(issued)
            return state.issuedSecrets
        }
    }

    /// Writes the recorded exchanges, or throws if a replay or a check found differences.
    ///
    /// - Throws: ``CassetteMismatchError``; when recording, the system's error if the file cannot be written.
    public func finish() throws {
        let (entries, drift, unmatched) = state.withLock { ($0.entries, $0.drift, $0.unmatched) }
        switch mode {
        case .record: try Self.write(entries, to: path)
        case .replay, .check:
            let unused = unused.map { "\($0) was not requested" }
            let differences = unmatched + drift + unused
            guard differences.isEmpty else { throw CassetteMismatchError(differences: differences) }
        }
    }

    // MARK: Entries

    private func store(_ entry: CassetteEntry) throws(TransportError) {
        let isStored = state.withLock { state in
            guard state.entries.count < Self.maximumExchanges else { return false }
            // Most exchanges end in the order in which they began.
            let index = state.entries.lastIndex { $0.turn < entry.turn }.map { $0 + 1 } ?? 0
            state.entries.insert(entry, at: index)
            state.isUsed.append(true)
            return true
        }
        guard isStored else {
            throw TransportError(
                .resourceUnavailable, phase: .body,
                message: "a cassette holds at most \(Self.maximumExchanges) exchanges")
        }
    }

    /// An entry that matches a request.
    private struct Claim {
        let index: Int
        let entry: CassetteEntry
        /// True if it was not used before.
        let isFirst: Bool
    }

    /// Returns the matching entry and marks it as used.
    private func claim(_ request: RecordedRequest) throws(TransportError) -> Claim {
        let wanted = CassetteRequest(request, scrubber: scrubber, issuedSecrets: state.withLock { $0.issuedSecrets })
        let found: Result<Claim, CassetteMismatchError> = state.withLock { state in
            var nearest: (differences: [String], entry: CassetteEntry, isUsed: Bool)?
            for (index, entry) in state.entries.enumerated() {
                let differences = wanted.differences(from: entry.request, rules: rules)
                let isUsed = state.isUsed[index] && !rules.repeatsAnswers
                if differences.isEmpty, !isUsed {
                    defer { state.isUsed[index] = true }
                    return .success(Claim(index: index, entry: entry, isFirst: !state.isUsed[index]))
                }
                // In order, only the first unused entry is compared.
                if rules.isOrdered, !state.isUsed[index] {
                    nearest = (differences, entry, false)
                    break
                }
                if nearest.map({ differences.count < $0.differences.count }) ?? true {
                    nearest = (differences, entry, isUsed)
                }
            }
            var line = "there is no \(wanted.method) \(wanted.url)"
            if let nearest {
                line += ", the nearest is \(nearest.entry.name)"
                line +=
                    nearest.differences.isEmpty
                    ? ", which was already used" : ", but \(nearest.differences.joined(separator: " and "))"
            }
            state.unmatched.append(line)
            return .failure(CassetteMismatchError(differences: [line]))
        }
        do {
            return try found.get()
        } catch {
            throw TransportError(
                .unsupportedURL, phase: .head, message: "\(error)", requestMayHaveBeenSent: false, underlying: error)
        }
    }

    /// Notes the differences if the real server's response has another shape.
    private func compare(_ live: CassetteEntry, with entry: CassetteEntry) {
        var differences: [String] = []
        if live.status != entry.status { differences.append("the status was \(entry.status) and is \(live.status)") }
        let types = [entry, live].map { $0.responseHeaders[.contentType]?.prefix { $0 != ";" }.lowercased() }
        if types[0] != types[1] {
            differences.append("the media type was \(types[0] ?? "none") and is \(types[1] ?? "none")")
        }
        if let before = try? JSON(parsing: entry.responseBody), let now = try? JSON(parsing: live.responseBody) {
            differences += JSONShape(before).differences(to: JSONShape(now))
        }
        guard !differences.isEmpty else { return }
        state.withLock { $0.drift += differences.map { "\(entry.name): \($0)" } }
    }

    // MARK: The file

    private static func read(_ path: String, scrubber: SecretScrubber) throws -> [CassetteEntry] {
        do {
            let file = try JSONDecoder().decode(HARDocument.self, from: Data(contentsOf: URL(filePath: path)))
            guard file.log.entries.count <= maximumExchanges else {
                throw UnreadableError("more than \(maximumExchanges) exchanges")
            }
            return inOrder(
                try file.log.entries.enumerated().map { try CassetteEntry($1, turn: $0, scrubber: scrubber) })
        } catch {
            throw UnreadableError("the cassette \(path) cannot be read; record it first: \(error)")
        }
    }

    /// Returns the entries sorted by start time, or in the order of the file if a date cannot be parsed.
    ///
    /// Earlier releases wrote them in the order in which they ended, with whole seconds. Entries of the same second
    /// keep that order.
    private static func inOrder(_ entries: [CassetteEntry]) -> [CassetteEntry] {
        let dated = entries.compactMap { entry in entry.beginning.map { (beginning: $0, entry: entry) } }
        guard dated.count == entries.count else { return entries }
        return dated.sorted { ($0.beginning, $0.entry.turn) < ($1.beginning, $1.entry.turn) }.map(\.entry)
    }

    private static func write(_ entries: [CassetteEntry], to path: String) throws {
        let file = HARDocument(entries: entries.map(\.file), comment: "credentials are hidden")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(file) + Data("\n".utf8)).write(to: URL(filePath: path), options: .atomic)
    }
}
