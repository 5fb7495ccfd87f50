// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore
import SimorghSupport
public import SimorghTesting
import Synchronization

/// A transport without a network that responds as an OpenAPI document says, and rejects what the document does not allow.
///
/// ```swift
/// let server = ContractServer(try OpenAPIContract(contentsOf: "openapi.json"))
/// let client = server.client()
/// let user = try await client.call(.get, "users/7").json()
/// try server.respond(.get, path: "/users/{id}", status: 404)
/// ```
/// The response is the document's example: of the lowest successful status, unless ``respond(_:path:status:example:)``
/// chooses another. Without an example, it is made from the schema. A stub of ``stubs`` responds instead; the
/// request is still compared with the document. A request that the document does not allow fails, and the cause
/// of the error is a ``ContractViolationError`` that says what it should have been.
public final class ContractServer: Transport, LeakWatched {
    private struct Choice: Sendable {
        let status: Int
        let example: String?
    }

    /// The requests that are allowed, and the responses to them.
    public let contract: OpenAPIContract
    /// The base URL of the client.
    public let baseURL: String
    /// Responses that replace those of the document.
    public let stubs: StubServer
    private let time: TimeSource
    private let recorder = RequestRecorder()
    private let running = RunningExchanges()
    private let choices = Mutex<[String: Choice]>([:])

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - contract: The document.
    ///   - baseURL: The base URL; `nil`, the default, for that of the document's first server.
    ///   - time: The clock for delays; the system clock by default.
    public init(_ contract: OpenAPIContract, baseURL: String? = nil, time: TimeSource = .system) {
        self.contract = contract
        self.baseURL = baseURL ?? contract.baseURL
        self.time = time
        stubs = StubServer(baseURL: self.baseURL, time: time)
    }

    /// Creates a client over this server, with its base URL and without a network monitor.
    ///
    /// - Parameter change: Changes the configuration.
    /// - Returns: The client.
    public func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        .scripted(self, baseURL: baseURL, configure: change)
    }

    /// The requests so far, allowed or not.
    ///
    /// The first 100,000 requests are kept, with up to 256 MiB of bodies.
    public var requests: [RecordedRequest] { recorder.requests }

    /// The number of requests so far.
    public var requestCount: Int { recorder.count }

    /// The exchanges that have begun and not ended.
    public var leftovers: [String] { running.leftovers.map(\.name) }

    /// Chooses a documented response of an operation, from the next request on.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path as the document has it, such as `/users/{id}`.
    ///   - status: The status of the response.
    ///   - example: The name of one of its examples; `nil`, the default, for the first.
    /// - Throws: ``ContractDocumentError`` if the document has no such operation, response or example.
    public func respond(_ method: HTTPRequest.Method, path: String, status: Int, example: String? = nil) throws {
        let operation = try contract.operation(method, template: path)
        let response = ContractResponse(operation: operation, document: contract.document)
        _ = try response.response(status: status, example: example, accept: nil)
        choices.withLock { $0[operation.name] = Choice(status: status, example: example) }
    }

    /// Compares a request with the document, and returns the response.
    ///
    /// - Parameter request: The request, its body encoded.
    /// - Returns: The response of a stub, else that of the document.
    /// - Throws: ``/SimorghCore/TransportError``, whose cause is a ``ContractViolationError`` for a request that the
    ///   document does not allow.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await ScriptedExchange.run(request, recorder: recorder, exchanges: running, time: time) {
            [self] recorded in
            do {
                return try await answer(to: recorded)
            } catch {
                throw error as? TransportError
                    ?? TransportError(
                        .unsupportedURL, phase: .head, message: "\(error)", requestMayHaveBeenSent: false,
                        underlying: error)
            }
        }
    }

    private func answer(to request: RecordedRequest) async throws -> StubResponse {
        let operation = try contract.operation(for: request)
        if stubs.registry.canAnswer(request) {
            do {
                return try await stubs.registry.answer(to: request)
            } catch is UnmatchedRequestError {
                // A concurrent request has taken the last response.
            }
        }
        let choice = choices.withLock { $0[operation.name] }
        let response = ContractResponse(operation: operation, document: contract.document)
        return try response.response(
            status: choice?.status, example: choice?.example, accept: request.header(.accept))
    }
}
