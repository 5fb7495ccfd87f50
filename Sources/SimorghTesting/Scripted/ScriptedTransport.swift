// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore

/// A transport without a network: it answers by rules, in the order in which they were added, and records every request.
///
/// ```swift
/// let transport = ScriptedTransport()
/// transport.on(.get, "/users/{id}") { request in .json(["id": request.parameters["id"]]) }
/// transport.on(.post, "/users", inOrder: [.status(.serviceUnavailable), .status(.created)])
/// ```
/// A request that no rule matches fails with an error that names it and all rules; its cause is an
/// ``UnscriptedRequest``. Cancelling and the bound on a collected body work as on a real transport. Timeouts do
/// not: an answer waits at a ``Gate``, and a timeout is scripted with ``StubResponse/timedOut(_:after:)``.
public final class ScriptedTransport: Transport {
    /// Works out an answer; what it throws is what the transport throws.
    public typealias Handler = @Sendable (_ request: RecordedRequest) async throws -> StubResponse

    private let rules = AnswerBook(.first)
    private let time: TimeSource
    package let recorder = RequestRecorder()
    package let running = RunningExchanges()

    /// Creates a transport that answers nothing until it gets rules.
    ///
    /// - Parameter time: What answers that are delayed wait by; the system's clock by default.
    public init(time: TimeSource = .system) { self.time = time }

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
        rules.add(ScriptedRule(.any, answers: .queue(answers[...])))
    }

    /// Answers requests of one method and path, each time anew.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - handler: Works out each answer. It is called from many tasks at once.
    public func on(_ method: HTTPRequest.Method?, _ path: String, _ handler: @escaping Handler) {
        rules.add(ScriptedRule(method: method, path: path, answers: .handler(handler)))
    }

    /// Gives requests of one method and path always the same answer.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - answer: The answer.
    public func on(_ method: HTTPRequest.Method?, _ path: String, _ answer: StubResponse) {
        rules.add(ScriptedRule(method: method, path: path, answers: .always(answer)))
    }

    /// Gives requests of one method and path one answer after another; then the rule is used up.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - answers: The answers, each given once.
    public func on(_ method: HTTPRequest.Method?, _ path: String, inOrder answers: [StubResponse]) {
        rules.add(ScriptedRule(method: method, path: path, answers: .queue(answers[...])))
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
        rules.add(ScriptedRule(.custom(named: name, condition), answers: .handler(handler)))
    }

    /// The requests so far, in the order in which their bodies were complete; the first 100,000 are kept, up
    /// to 256 MiB of their bodies.
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
    /// - Throws: ``/SimorghCore/TransportError``: the scripted one, or the one a real transport would throw.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await ScriptedExchange.run(request, recorder, running, time) { [rules] recorded in
            do {
                return try await rules.answer(to: recorded)
            } catch let unmatched as UnscriptedRequest {
                throw TransportError(unmatched)
            }
        }
    }
}

extension TransportError {
    /// The failure of a request that nothing is scripted for.
    package init(_ unmatched: UnscriptedRequest) {
        self.init(
            .unsupportedURL, phase: .head, message: unmatched.description, requestMayHaveBeenSent: false,
            underlying: unmatched)
    }
}
