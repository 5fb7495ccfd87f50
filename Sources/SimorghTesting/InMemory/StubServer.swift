// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport

/// A transport without a network: it answers by rules, stubs, fakes and typed answers, and records every request.
///
/// ```swift
/// let stubs = StubServer(baseURL: "https://api.example.com/v1")
/// let client = stubs.client()
/// stubs.fakeGET("users/{id}", response: ["id": "{id}", "name": "Zal"])
/// let outage = stubs.add(condition: .pathStartsWith("/v1/orders"), statusCode: 503)
/// // … the client calls …
/// outage.remove()
/// ```
/// Nothing here is global: other clients of the process do not see it. `on` adds a rule for good, and `add` a stub that its
/// token removes. Of those that match, the most exact one answers: first one whose path has no places, be it a whole path, a
/// beginning or none at all; of those with places the one with the most segments written out, then the one with the most
/// places for one segment, a `*` last; and of such equals the one that asks most of query and header fields. Of equals the
/// last that was added answers, so that a test overrides what it shares with others. With ``Precedence/first`` the first that
/// was added answers instead. A request that matches none fails, and the error names the nearest stub and why it does not
/// match; it never reaches a network, unless ``Otherwise/send(over:)`` says so. A delay that is longer than the request's
/// timeouts fails as it would over a network.
public final class StubServer: Transport {
    /// What happens to requests that no stub is for.
    public enum Otherwise: Sendable {
        /// They fail with an ``UnscriptedRequest``.
        case fail
        /// They go to another transport.
        case send(over: any Transport)
    }

    /// The rule that answers if several match.
    public enum Precedence: Sendable {
        /// The most exact one, and of equals the last that was added.
        case mostExact
        /// The first that was added.
        case first
    }

    /// Returns an answer; the transport throws the error that it throws.
    public typealias Handler = @Sendable (_ request: RecordedRequest) async throws -> StubResponse

    /// What relative paths are below; `nil` for the root of any host.
    public let baseURL: String?
    package let base: BaseURL?
    package let book: AnswerBook
    package let running = RunningExchanges()
    private let strangers = RequestRecorder()
    package let recorder = RequestRecorder()
    private let otherwise: Otherwise
    private let time: TimeSource

    /// Creates a server without a stub.
    ///
    /// - Parameters:
    ///   - baseURL: What the paths of fakes and typed stubs are below, as the client's own base URL; `nil`, the default,
    ///     takes them from the root of any host. One that is no URL is as `nil`.
    ///   - otherwise: What happens to requests that no stub is for; they fail by default.
    ///   - time: What delays are waited for by; the system's clock by default.
    ///   - precedence: The rule that answers if several match; the most exact one by default.
    public init(
        baseURL: String? = nil, otherwise: Otherwise = .fail, time: TimeSource = .system,
        precedence: Precedence = .mostExact
    ) {
        book = AnswerBook(precedence)
        self.baseURL = baseURL
        base = baseURL.flatMap { try? BaseURL($0) }
        self.otherwise = otherwise
        self.time = time
    }

    /// A client over this server, with its base URL, and without a monitor of this machine's network.
    ///
    /// - Parameter change: Changes the configuration.
    /// - Returns: The client.
    public func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        .scripted(self, baseURL: baseURL, change)
    }

    /// The requests so far, in the order in which their bodies were complete; the first 100,000 are kept, up
    /// to 256 MiB of their bodies.
    public var requests: [RecordedRequest] { recorder.requests }

    /// The number of requests so far.
    public var requestCount: Int { recorder.count }

    /// The requests as they arrive, from the first one on; ends only when the task is cancelled.
    public var arrivals: RequestArrivals { RequestArrivals(recorder: recorder) }

    /// The requests that no stub was for.
    public var unmatchedRequests: [RecordedRequest] { strangers.requests }

    /// Waits until a request has arrived.
    ///
    /// - Parameter index: How many came before it.
    /// - Returns: The request.
    /// - Throws: `CancellationError` when the task is cancelled meanwhile; an error for an index that is never kept.
    public func request(at index: Int) async throws -> RecordedRequest { try await recorder.request(at: index) }

    /// Answers requests that a condition picks, until the token is removed or let go.
    ///
    /// - Parameters:
    ///   - condition: Which requests.
    ///   - answer: The answer, given each time.
    /// - Returns: What takes the stub out again.
    public func add(_ condition: StubCondition, _ answer: StubResponse) -> StubToken {
        token(ScriptedRule(condition, answers: .always(answer)))
    }

    /// Answers requests that a condition picks, each time anew, until the token is removed or let go.
    ///
    /// - Parameters:
    ///   - condition: Which requests.
    ///   - handler: Works out each answer. It is called from many tasks at once; what it throws is what the call throws.
    /// - Returns: What takes the stub out again.
    public func add(_ condition: StubCondition, _ handler: @escaping Handler) -> StubToken {
        token(ScriptedRule(condition, answers: .handler(handler)))
    }

    /// Gives requests that a condition picks one answer after another; then the stub is used up.
    ///
    /// - Parameters:
    ///   - condition: Which requests.
    ///   - answers: The answers, each given once.
    /// - Returns: What takes the stub out again.
    public func add(_ condition: StubCondition, inOrder answers: [StubResponse]) -> StubToken {
        token(ScriptedRule(condition, answers: .queue(answers[...])))
    }

    /// Takes all stubs out, fakes with them.
    public func removeAll() { book.removeAll() }

    /// Fails unless every request was meant and every answer that was to be given once was given.
    ///
    /// - Throws: ``UnmetExpectations``.
    public func verify() throws { try UnmetExpectations.check(strangers.requests, book) }

    /// Sends nothing, records the request and answers it.
    ///
    /// - Parameter request: The request, its body encoded.
    /// - Returns: The stub's answer.
    /// - Throws: ``/SimorghCore/TransportError``: the stub's, or that of a request that no stub is for.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if case .send(let transport) = otherwise {
            // What is asked of the other transport is its own to record; here only the head is looked at.
            let head = RecordedRequest(index: 0, head: request.head, body: Data(), options: request.options)
            if !book.isMeant(head) { return try await transport.send(request) }
        }
        do {
            return try await ScriptedExchange.run(request, recorder, running, time) { [book] recorded in
                do {
                    return try await book.answer(to: recorded)
                } catch let unmatched as UnscriptedRequest {
                    throw TransportError(unmatched)
                }
            }
        } catch {
            guard let unmatched = error.underlying as? UnscriptedRequest else { throw error }
            guard case .send(let transport) = otherwise else {
                _ = strangers.record { _ in unmatched.request }
                throw error
            }
            // Another request took the last answer meanwhile, or the condition looks at the body.
            var request = request
            request.body = request.body.holding(unmatched.request.body)
            return try await transport.send(request)
        }
    }

    private func token(_ rule: ScriptedRule) -> StubToken { StubToken(book, book.add(rule)) }
}

/// The name that ``StubServer`` has elsewhere.
public typealias HTTPStubServer = StubServer

/// The name that ``StubCondition`` has elsewhere.
public typealias HTTPStubCondition = StubCondition
