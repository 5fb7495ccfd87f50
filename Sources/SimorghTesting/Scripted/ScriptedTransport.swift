// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A transport without a network: it answers by rules, in the order in which they were added, and records every request.
///
/// ```swift
/// let transport = ScriptedTransport()
/// transport.on(.get, "/users/{id}") { request in .json(User(id: request.parameters["id"])) }
/// transport.on(.post, "/users", inOrder: [.status(.serviceUnavailable), .status(.created)])
/// ```
/// A request that no rule matches fails with an error that names it and all rules; its cause is an
/// ``UnscriptedRequest``. Cancelling and the bound on a collected body work as on a real transport. Nothing here looks
/// at a clock: an answer waits at a ``Gate``, and a timeout is scripted with ``StubResponse/timedOut(_:after:)``.
public final class ScriptedTransport: Transport {
    /// Works out an answer; what it throws is what the transport throws.
    public typealias Handler = @Sendable (_ request: RecordedRequest) async throws -> StubResponse

    private let rules = Mutex<[ScriptedRule]>([])
    package let recorder = RequestRecorder()

    /// Creates a transport that answers nothing until it gets rules.
    public init() {}

    /// Creates a transport that answers every request.
    ///
    /// - Parameter handler: Works out each answer. It is called from many tasks at once.
    public convenience init(_ handler: @escaping Handler) {
        self.init()
        on(where: { _ in true }, named: "any request", handler)
    }

    /// Creates a transport that gives each answer once, whatever is asked.
    ///
    /// - Parameter answers: The answers, in their order; after the last, requests fail as unmatched.
    public convenience init(inOrder answers: [StubResponse]) {
        self.init()
        add(.init(name: "any request", matches: { _ in [:] }, answers: .queue(answers[...])))
    }

    /// Answers requests of one method and path, each time anew.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - handler: Works out each answer. It is called from many tasks at once.
    public func on(_ method: HTTPRequest.Method?, _ path: String, _ handler: @escaping Handler) {
        add(ScriptedRule(method: method, path: path, answers: .handler(handler)))
    }

    /// Gives requests of one method and path always the same answer.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - answer: The answer.
    public func on(_ method: HTTPRequest.Method?, _ path: String, _ answer: StubResponse) {
        on(method, path) { _ in answer }
    }

    /// Gives requests of one method and path one answer after another; then the rule is used up.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - answers: The answers, each given once.
    public func on(_ method: HTTPRequest.Method?, _ path: String, inOrder answers: [StubResponse]) {
        add(ScriptedRule(method: method, path: path, answers: .queue(answers[...])))
    }

    /// Answers requests of one path, whatever their method, each time anew.
    ///
    /// - Parameters:
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - handler: Works out each answer. It is called from many tasks at once.
    public func on(_ path: String, _ handler: @escaping Handler) { on(nil, path, handler) }

    /// Gives requests of one path always the same answer, whatever their method.
    ///
    /// - Parameters:
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - answer: The answer.
    public func on(_ path: String, _ answer: StubResponse) { on(nil, path, answer) }

    /// Gives requests of one path one answer after another, whatever their method; then the rule is used up.
    ///
    /// - Parameters:
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - answers: The answers, each given once.
    public func on(_ path: String, inOrder answers: [StubResponse]) { on(nil, path, inOrder: answers) }

    /// Answers requests that a condition picks.
    ///
    /// - Parameters:
    ///   - condition: Whether the rule is for this request.
    ///   - name: What the rule is called in errors.
    ///   - handler: Works out each answer. It is called from many tasks at once.
    public func on(
        where condition: @escaping @Sendable (_ request: RecordedRequest) -> Bool,
        named name: String = "a condition",
        _ handler: @escaping Handler
    ) {
        add(ScriptedRule(name: name, matches: { condition($0) ? [:] : nil }, answers: .handler(handler)))
    }

    /// The requests so far, in the order in which their bodies were complete; the first 100,000 are kept.
    public var requests: [RecordedRequest] { recorder.requests }

    /// How many requests came so far.
    public var requestCount: Int { recorder.count }

    /// Waits until a request has arrived.
    ///
    /// - Parameter index: How many came before it.
    /// - Returns: The request.
    /// - Throws: `CancellationError` when the task is cancelled meanwhile; an error for an index that is never kept.
    public func request(at index: Int) async throws -> RecordedRequest { try await recorder.request(at: index) }

    /// The requests as they arrive, from the first one on; ends only when the task is cancelled.
    public var arrivals: RequestArrivals { RequestArrivals(recorder: recorder) }

    /// Sends nothing, records the request and answers it by the first rule that matches.
    ///
    /// - Parameter request: The request, its body encoded.
    /// - Returns: The scripted response.
    /// - Throws: ``SimorghCore/TransportError``: the scripted one, or the one a real transport would throw.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let exchange = ScriptedExchange(scope: request.options.scope)
        do {
            return try await exchange.run(.head) { [self] in
                let body = try await ScriptedBody.collect(request.body)
                let recorded = recorder.record(request, body: body)
                let answer = try await answer(to: recorded)
                return try await exchange.respond(with: answer, to: request)
            }
        } catch {
            exchange.end()
            var error = error
            error.method = request.head.method.rawValue
            error.url = request.head.urlString
            throw error
        }
    }

    private func add(_ rule: ScriptedRule) { rules.withLock { $0.append(rule) } }

    private func answer(to request: RecordedRequest) async throws -> StubResponse {
        var request = request
        let snapshot = rules.withLock { $0 }
        // Conditions are the user's code, so they run outside the lock; only taking from a queue needs it.
        for (index, rule) in snapshot.enumerated() {
            guard let parameters = rule.matches(request) else { continue }
            request.parameters = parameters
            switch rule.answers {
            case .handler(let handler): return try await handler(request)
            case .queue:
                if let answer = rules.withLock({ $0[index].takeNext() }) { return answer }
            }
        }
        let unmatched = UnscriptedRequest(request: request, rules: rules.withLock { $0.map(\.description) })
        throw TransportError(
            .unsupportedURL, phase: .head, message: unmatched.description, requestMayHaveBeenSent: false,
            underlying: unmatched)
    }
}
