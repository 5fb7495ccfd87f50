// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport

/// A transport without a network.
///
/// It responds with rules, stubs, fakes and typed stubs, and records every request.
///
/// ```swift
/// let stubs = StubServer(baseURL: "https://api.example.com/v1")
/// let client = stubs.client()
/// stubs.fakeGET("users/{id}", response: ["id": "{id}", "name": "Zal"])
/// let outage = stubs.add(condition: .pathStartsWith("/v1/orders"), statusCode: 503)
/// // … the client calls …
/// outage.remove()
/// ```
/// A server has no global state: other clients of the process are not affected. `on` adds a permanent rule; `add` adds
/// a stub that its token removes.
///
/// If several match, the most specific one responds. A condition without a placeholder in its path is more specific
/// than one with placeholders, even if it compares only a prefix or no path at all. Among paths with placeholders, more
/// literal segments win, then more `{name}` placeholders, and a path with `*` comes last. On a tie, the one with more
/// conditions on the query and header fields wins. On a further tie the most recently added one wins, so that a test
/// can override shared stubs. With ``Precedence/first`` the first one added responds instead.
///
/// A request without a match fails, and the error names the nearest stub and why it does not match. It never reaches a
/// network, unless ``Otherwise/send(over:)`` is set. A delay that exceeds the request's timeouts fails as it would over
/// a network.
public final class StubServer: Transport {
    /// The handling of requests without a stub.
    public enum Otherwise: Sendable {
        /// They fail with an ``UnmatchedRequestError``.
        case fail
        /// They are sent over another transport.
        case send(over: any Transport)
    }

    /// The order of rules, if several match.
    public enum Precedence: Sendable {
        /// The most specific one responds; on a tie the most recently added one.
        case mostExact
        /// The first one added responds.
        case first
    }

    /// A function that returns a response.
    ///
    /// The transport throws the error that it throws.
    public typealias Handler = @Sendable (_ request: RecordedRequest) async throws -> StubResponse

    /// The base URL of relative paths; `nil` matches any host.
    public let baseURL: String?
    package let base: BaseURL?
    package let registry: StubRegistry
    package let running = RunningExchanges()
    private let unmatchedRecorder = RequestRecorder()
    package let recorder = RequestRecorder()
    private let otherwise: Otherwise
    private let time: TimeSource

    /// Creates a server without stubs.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the paths of fakes and typed stubs. `nil`, the default, or an invalid URL matches
    ///     any host and paths from the root.
    ///   - otherwise: The handling of requests without a stub; they fail by default.
    ///   - time: The clock for delays; the system clock by default.
    ///   - precedence: The order of rules, if several match; the most specific one responds by default.
    public init(
        baseURL: String? = nil, otherwise: Otherwise = .fail, time: TimeSource = .system,
        precedence: Precedence = .mostExact
    ) {
        registry = StubRegistry(precedence)
        self.baseURL = baseURL
        base = baseURL.flatMap { try? BaseURL($0) }
        self.otherwise = otherwise
        self.time = time
    }

    /// Creates a client over this server, with its base URL and without a network monitor.
    ///
    /// - Parameter change: Changes the configuration.
    /// - Returns: The client.
    public func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        .scripted(self, baseURL: baseURL, configure: change)
    }

    /// The requests so far, in the order in which their bodies were complete.
    ///
    /// The first 100,000 requests are kept, with up to 256 MiB of bodies.
    public var requests: [RecordedRequest] { recorder.requests }

    /// The number of requests so far.
    public var requestCount: Int { recorder.count }

    /// The requests as they arrive, beginning with the first.
    ///
    /// The sequence ends only when the task is cancelled.
    public var arrivals: RequestArrivals { RequestArrivals(recorder: recorder) }

    /// The requests without a stub.
    public var unmatchedRequests: [RecordedRequest] { unmatchedRecorder.requests }

    /// Waits until a request has arrived.
    ///
    /// - Parameter index: The number of requests before it.
    /// - Returns: The request.
    /// - Throws: `CancellationError` if the task is cancelled; another error for an index that is never kept.
    public func request(at index: Int) async throws -> RecordedRequest { try await recorder.request(at: index) }

    /// Adds a response for requests that match a condition, until the token is removed or released.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - response: The response to each request.
    /// - Returns: The token that removes the stub.
    public func add(_ condition: StubCondition, response: StubResponse) -> StubToken {
        token(ScriptedRule(condition, answers: .always(response)))
    }

    /// Adds a handler for requests that match a condition, until the token is removed or released.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - handler: Returns each response. It is called from many tasks concurrently; the call throws the error that it
    ///     throws.
    /// - Returns: The token that removes the stub.
    public func add(_ condition: StubCondition, handler: @escaping Handler) -> StubToken {
        token(ScriptedRule(condition, answers: .handler(handler)))
    }

    /// Adds a sequence of responses for requests that match a condition.
    ///
    /// After the last one the stub matches no more requests.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - answers: The responses, each sent once.
    /// - Returns: The token that removes the stub.
    public func add(_ condition: StubCondition, inOrder answers: [StubResponse]) -> StubToken {
        token(ScriptedRule(condition, answers: .queue(answers[...])))
    }

    /// Removes all rules, stubs and fakes.
    public func removeAll() { registry.removeAll() }

    /// Throws unless every request matched and every queued response was used.
    ///
    /// - Throws: ``UnmetExpectationsError``.
    public func verify() throws { try UnmetExpectationsError.check(unmatchedRecorder.requests, registry: registry) }

    /// Records a request and returns its response, without a network.
    ///
    /// - Parameter request: The request, its body encoded.
    /// - Returns: The stub's response.
    /// - Throws: ``/SimorghCore/TransportError``: that of the stub, or that of a request without a stub.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if case .send(let transport) = otherwise {
            // Requests to the other transport are not recorded here, so only the head is checked.
            let head = RecordedRequest(index: 0, head: request.head, body: Data(), options: request.options)
            if !registry.canAnswer(head) { return try await transport.send(request) }
        }
        do {
            return try await ScriptedExchange.run(request, recorder: recorder, exchanges: running, time: time) {
                [registry] recorded in
                do {
                    return try await registry.answer(to: recorded)
                } catch let unmatched as UnmatchedRequestError {
                    throw TransportError(unmatched)
                }
            }
        } catch {
            guard let unmatched = error.underlying as? UnmatchedRequestError else { throw error }
            guard case .send(let transport) = otherwise else {
                _ = unmatchedRecorder.record { _ in unmatched.request }
                throw error
            }
            // Another request took the last response meanwhile, or the condition depends on the body.
            var request = request
            request.body = request.body.holding(unmatched.request.body)
            return try await transport.send(request)
        }
    }

    private func token(_ rule: ScriptedRule) -> StubToken { StubToken(registry, id: registry.add(rule)) }
}

/// The name of ``StubServer`` in other libraries.
public typealias HTTPStubServer = StubServer

/// The name of ``StubCondition`` in other libraries.
public typealias HTTPStubCondition = StubCondition
