// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport
import Synchronization

/// What a real server said, kept in a file and said again: fast and the same each time, and it fails when it no longer fits.
///
/// ```swift
/// try await Cassette.with("Tests/Cassettes/users.har", mode: mode, over: NIOTransport.shared) { cassette in
///     let client = APIClient.scripted(cassette, baseURL: "https://api.example.com")
///     let user: User = try await client.get("users/7")
/// }
/// ```
/// The file is an HTTP archive (HAR 1.2), which browsers show. Credentials in header fields, in URLs and in bodies that are
/// text are hidden before anything is written, and so are tokens that were sent or given wherever they turn up again. A
/// request that is not in the file fails and says which is nearest and what differs; answers that nobody asked for fail ``finish()``.
/// A streamed body is recorded whole before it is handed on. The exchanges stand in the order in which they began, whichever
/// of them ended first.
public final class Cassette: Transport {
    /// The file is not there, or is no cassette.
    public struct Unreadable: Error, Sendable, CustomStringConvertible {
        /// What is wrong with it.
        public let description: String

        init(_ description: String) { self.description = description }
    }

    private struct State {
        var entries: [CassetteEntry] = []
        var isUsed: [Bool] = []
        var drift: [String] = []
        var unmatched: [String] = []
        /// The secrets that the real server gave, which later requests may send wherever they like.
        var minted: Set<String> = []
        /// The number of exchanges that began.
        var begun = 0
        /// When the last of them began.
        var latest = Date.distantPast
    }

    /// When an exchange began, and how many had begun before it.
    struct Start {
        let turn: Int
        let date: Date
    }

    /// The most exchanges that one keeps.
    public static let mostEntries = 10_000

    /// What the cassette does.
    public let mode: Mode
    /// The file.
    public let path: String
    private let rules: Rules
    private let transport: (any Transport)?
    private let scrubber: SecretScrubber
    private let time: TimeSource
    /// Keeps none: nobody can ask a cassette for its requests.
    private let recorder = RequestRecorder(capacity: 0)
    package let running = RunningExchanges()
    private let state = Mutex(State())

    /// Opens a cassette.
    ///
    /// - Parameters:
    ///   - path: The file; to record it need not be there, its folder has to.
    ///   - mode: What to do; by default the environment's `SIMORGH_CASSETTES` says it (`replay`, `record` or `check`), and
    ///     where it says nothing the cassette is replayed.
    ///   - transport: What asks the real server; only a replay needs none.
    ///   - rules: What makes a request the one that was recorded.
    ///   - time: Where the time of an exchange is taken from.
    /// - Throws: ``Unreadable``.
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
            throw Unreadable("to \(mode.rawValue) \(path) takes a transport that asks the real server")
        }
        guard mode != .record else { return }
        let entries = try Self.read(path, scrubber)
        state.withLock { ($0.entries, $0.isUsed) = (entries, entries.map { _ in false }) }
    }

    /// Opens a cassette, hands it to a function, and finishes it when that is done.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - mode: What to do; see ``init(_:mode:over:rules:time:)``.
    ///   - transport: What asks the real server; only a replay needs none.
    ///   - rules: What makes a request the one that was recorded.
    ///   - body: What to do with it.
    /// - Returns: What the function returns.
    /// - Throws: What the function throws, else what ``finish()`` throws. A function that fails records nothing.
    public static func with<Value>(
        _ path: String, mode: Mode = .ofEnvironment, over transport: (any Transport)? = nil, rules: Rules = Rules(),
        _ body: (Cassette) async throws -> Value
    ) async throws -> Value {
        let cassette = try Cassette(path, mode: mode, over: transport, rules: rules)
        let value = try await body(cassette)
        try cassette.finish()
        return value
    }

    /// How many exchanges it holds.
    public var count: Int { state.withLock { $0.entries.count } }

    /// The exchanges that were not asked for, one line each.
    public var unused: [String] {
        state.withLock { state in zip(state.entries, state.isUsed).filter { !$1 }.map(\.0.name) }
    }

    /// Answers a request from the file, or asks the real server, as ``mode`` says.
    ///
    /// - Parameter request: The request, its body encoded.
    /// - Returns: The answer.
    /// - Throws: ``/SimorghCore/TransportError``, whose cause is a ``CassetteMismatch`` for a request that is not in the file.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard mode != .replay, let transport else {
            return try await ScriptedExchange.run(request, recorder, running, time) { [self] recorded in
                try claim(recorded).entry.answer
            }
        }
        let start = begin()
        let watch = time.stopwatch()
        let asked = try await ScriptedBody.collect(request.body)
        let recorded = RecordedRequest(index: 0, head: request.head, body: asked)
        guard mode == .check else {
            let (response, body) = try await ask(transport, request, asked)
            let entry = CassetteEntry(
                recorded, response, body, start, duration: watch.elapsed, scrubber,
                minted: minted(response, body))
            try keep(entry)
            return response
        }
        // Before the server is asked: of several at once the first to begin is the first of the file.
        let expected = try? claim(recorded)
        do throws(TransportError) {
            let (response, body) = try await ask(transport, request, asked)
            let live = CassetteEntry(
                recorded, response, body, start, duration: watch.elapsed, scrubber,
                minted: minted(response, body))
            if let expected { compare(live, expected.entry) }
            return response
        } catch {
            // What is sent again after a failure is the same exchange.
            if let expected, expected.isFirst { state.withLock { $0.isUsed[expected.index] = false } }
            throw error
        }
    }

    private func begin() -> Start {
        let now = time.now
        return state.withLock { state in
            // The system's clock may be set back, and entries are read in the order of their times.
            state.latest = max(state.latest, now)
            defer { state.begun += 1 }
            return Start(turn: state.begun, date: state.latest)
        }
    }

    /// Asks the real server, and reads its whole answer.
    private func ask(
        _ transport: any Transport, _ request: TransportRequest, _ asked: Data
    ) async throws(TransportError) -> (response: TransportResponse, body: Data) {
        var replayable = request
        replayable.body = request.body.holding(asked)
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

    /// The secrets that answers gave so far, this one among them.
    private func minted(_ response: TransportResponse, _ body: Data) -> Set<String> {
        let given = scrubber.minted(in: response.head.headerFields, body: body)
        return state.withLock { state in
            state.minted.formUnion(given)
            return state.minted
        }
    }

    /// Writes what was recorded, or fails where a replay or a check did not fit.
    ///
    /// - Throws: ``CassetteMismatch``; when recording, what the system says when the file cannot be written.
    public func finish() throws {
        let (entries, drift, unmatched) = state.withLock { ($0.entries, $0.drift, $0.unmatched) }
        switch mode {
        case .record: try Self.write(entries, to: path)
        case .replay, .check:
            let unused = unused.map { "nobody asked for \($0)" }
            let differences = unmatched + drift + unused
            guard differences.isEmpty else { throw CassetteMismatch(differences: differences) }
        }
    }

    // MARK: Entries

    private func keep(_ entry: CassetteEntry) throws(TransportError) {
        let isKept = state.withLock { state in
            guard state.entries.count < Self.mostEntries else { return false }
            // Most end in the order in which they began.
            let place = state.entries.lastIndex { $0.turn < entry.turn }.map { $0 + 1 } ?? 0
            state.entries.insert(entry, at: place)
            state.isUsed.append(true)
            return true
        }
        guard isKept else {
            throw TransportError(
                .resourceUnavailable, phase: .body, message: "a cassette holds at most \(Self.mostEntries) exchanges")
        }
    }

    /// An entry that is meant by a request.
    private struct Claim {
        let index: Int
        let entry: CassetteEntry
        /// True if it was not used before.
        let isFirst: Bool
    }

    /// The entry that is meant, which counts as used.
    private func claim(_ request: RecordedRequest) throws(TransportError) -> Claim {
        let question = CassetteQuestion(request, scrubber, minted: state.withLock { $0.minted })
        let found: Result<Claim, CassetteMismatch> = state.withLock { state in
            var nearest: (differences: [String], entry: CassetteEntry, isUsed: Bool)?
            for (index, entry) in state.entries.enumerated() {
                let differences = question.differences(from: entry.question, rules)
                let isUsed = state.isUsed[index] && !rules.repeatsAnswers
                if differences.isEmpty, !isUsed {
                    defer { state.isUsed[index] = true }
                    return .success(Claim(index: index, entry: entry, isFirst: !state.isUsed[index]))
                }
                // In order, only the first that was not given is asked.
                if rules.isOrdered, !state.isUsed[index] {
                    nearest = (differences, entry, false)
                    break
                }
                if nearest.map({ differences.count < $0.differences.count }) ?? true {
                    nearest = (differences, entry, isUsed)
                }
            }
            var line = "there is no \(question.method) \(question.url)"
            if let nearest {
                line += ", the nearest is \(nearest.entry.name)"
                line +=
                    nearest.differences.isEmpty
                    ? ", which was given already" : ", but \(nearest.differences.joined(separator: " and "))"
            }
            state.unmatched.append(line)
            return .failure(CassetteMismatch(differences: [line]))
        }
        do {
            return try found.get()
        } catch {
            throw TransportError(
                .unsupportedURL, phase: .head, message: "\(error)", requestMayHaveBeenSent: false, underlying: error)
        }
    }

    /// Notes where the real server's answer is of another shape.
    private func compare(_ live: CassetteEntry, _ entry: CassetteEntry) {
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

    private static func read(_ path: String, _ scrubber: SecretScrubber) throws -> [CassetteEntry] {
        do {
            let file = try JSONDecoder().decode(HARDocument.self, from: Data(contentsOf: URL(filePath: path)))
            guard file.log.entries.count <= mostEntries else { throw Unreadable("it holds more than \(mostEntries)") }
            return inOrder(try file.log.entries.enumerated().map { try CassetteEntry($1, turn: $0, scrubber) })
        } catch {
            throw Unreadable("\(path) is no cassette that can be read; record it first: \(error)")
        }
    }

    /// The entries in the order of their start; in that of the file where one of them has no date that can be read.
    ///
    /// Earlier releases wrote them in the order in which they ended, with whole seconds: of one second that order stays.
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
