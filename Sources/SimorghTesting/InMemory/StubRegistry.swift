// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Synchronization

/// The rules of a stub server or a mock server, and the lookup of the rule for a request.
package final class StubRegistry: Sendable {
    private struct Entry {
        let id: Int
        var rule: ScriptedRule
    }

    private struct State {
        var nextID = 0
        var entries: [Entry] = []
    }

    private let precedence: StubServer.Precedence
    private let state = Mutex(State())

    package init(_ precedence: StubServer.Precedence) { self.precedence = precedence }

    package var descriptions: [String] { state.withLock { $0.entries.map(\.rule.description) } }

    package var count: Int { state.withLock { $0.entries.count } }

    /// Adds a rule and returns its number, by which it can be removed.
    @discardableResult
    package func add(_ rule: ScriptedRule) -> Int {
        state.withLock { state in
            state.nextID += 1
            state.entries.append(Entry(id: state.nextID, rule: rule))
            return state.nextID
        }
    }

    package func remove(_ id: Int) { state.withLock { $0.entries.removeAll { $0.id == id } } }

    package func removeAll() { state.withLock { $0.entries = [] } }

    /// The names of the rules that still have queued responses.
    package var unusedResponses: [String] {
        state.withLock { state in
            state.entries.compactMap { entry in
                if case .queue(let rest) = entry.rule.answers, !rest.isEmpty { entry.rule.description } else { nil }
            }
        }
    }

    /// Returns the response to a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: ``UnmatchedRequestError``, or the error of a handler.
    package func answer(to request: RecordedRequest) async throws -> StubResponse {
        var request = request
        // Conditions are the user's code, so they run outside the lock. Only taking from a queue needs it.
        for (entry, parameters) in matches(request) {
            request.parameters = parameters
            switch entry.rule.answers {
            case .handler(let handler): return try await handler(request).filled(with: parameters)
            case .always(let answer): return answer.filled(with: parameters)
            case .queue:
                if let answer = takeNext(entry.id) { return answer.filled(with: parameters) }
            }
        }
        throw unmatchedRequestError(for: request)
    }

    /// Returns the response that a request will get, if its head determines that.
    ///
    /// Takes nothing from a queue.
    package func expectedResponse(to request: RecordedRequest) -> StubResponse? {
        for (entry, _) in matches(request) {
            if case .queue(let rest) = entry.rule.answers, rest.isEmpty { continue }
            return entry.rule.expectedResponse
        }
        return nil
    }

    /// Returns true if there is a response to a request.
    package func canAnswer(_ request: RecordedRequest) -> Bool {
        matches(request).contains { entry, _ in
            if case .queue(let rest) = entry.rule.answers { !rest.isEmpty } else { true }
        }
    }

    package func unmatchedRequestError(for request: RecordedRequest) -> UnmatchedRequestError {
        let entries = state.withLock { $0.entries }
        let nearest = entries.map { ($0, $0.rule.condition.evaluate(request)) }
            .max { $0.1.closeness < $1.1.closeness }
        let hint: String? = nearest.flatMap { entry, matchResult in
            if matchResult.isMatch { return "\(entry.rule)" }
            guard matchResult.closeness >= 0.3 else { return nil }
            return "\(entry.rule), but \(matchResult.misses.joined(separator: " and "))"
        }
        return UnmatchedRequestError(request: request, rules: entries.map(\.rule.description), nearest: hint)
    }

    private func matches(_ request: RecordedRequest) -> [(Entry, [String: String])] {
        let entries = state.withLock { $0.entries }
        let found = entries.compactMap { entry -> (entry: Entry, matchResult: MatchResult)? in
            let matchResult = entry.rule.condition.evaluate(request)
            return matchResult.isMatch ? (entry: entry, matchResult: matchResult) : nil
        }
        let ranked =
            precedence == .first
            ? found : found.sorted { ($0.matchResult.rank, $0.entry.id) > ($1.matchResult.rank, $1.entry.id) }
        return ranked.map { ($0.entry, $0.matchResult.parameters) }
    }

    private func takeNext(_ id: Int) -> StubResponse? {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return nil }
            return state.entries[index].rule.takeNext()
        }
    }
}
