// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
public import SimorghSupport

/// A transport into a server application in the same process, without a socket.
///
/// ```swift
/// let transport = InProcessTransport { request in
///     guard request.head.path == "/birds/7" else { return InProcessResponse(status: .notFound) }
///     return InProcessResponse(body: Data("a simurgh".utf8), contentType: "text/plain")
/// }
/// let bird = try await APIClient.scripted(transport).call(.get, "birds/7").data()
/// ```
/// The responder is the application: a function of a request, or an adapter for a web framework. Its task inherits the
/// task-local values of the call. Bodies are streamed in both directions: the request's body is read as the responder
/// reads it, and the responder waits until the client has taken the previous chunk of the response.
///
/// Timeouts, limits and cancellation apply as over a network. A call that ends early cancels the responder's task. An
/// error that the responder throws before its response fails the call, with the responder's error as its cause; a
/// server would respond with 500. Interim responses, trailers of requests, content codings and upgrades are not
/// simulated, and there are no connections, so the options for TLS, proxies and pools have no effect.
public final class InProcessTransport: Transport {
    /// A function that responds to a request.
    ///
    /// It is called from many tasks concurrently.
    public typealias Responder = @Sendable (_ request: InProcessRequest) async throws -> InProcessResponse

    private let time: TimeSource
    private let responder: Responder
    package let running = RunningExchanges()

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - time: The clock for timeouts; the system clock by default.
    ///   - responder: The application.
    public init(time: TimeSource = .system, responder: @escaping Responder) {
        self.time = time
        self.responder = responder
    }

    /// Passes a request to the responder.
    ///
    /// - Parameter request: The request, its body encoded.
    /// - Returns: The response.
    /// - Throws: ``/SimorghCore/TransportError``: that of the responder, or one for a timeout, a limit or a body that
    ///   breaks off.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let responder = responder
        return try await ScriptedExchange.perform(request, exchanges: running, time: time) {
            exchange throws(TransportError) in
            let application = InProcessApplication(request.body, progress: request.options.progress)
            exchange.onCancel { application.cancel() }
            do throws(TransportError) {
                let head = try await exchange.run(.head) {
                    try exchange.unlessCancelled {}
                    let incoming = try InProcessRequest(request, upload: application.upload)
                    application.start(incoming, responder: responder)
                    return try await application.head(within: exchange)
                }
                try Self.check(head, limits: request.options.limits)
                return try await Self.deliver(head, from: application, in: exchange, to: request)
            } catch {
                application.cancel()
                throw error
            }
        }
    }

    private static func check(_ head: HTTPResponse, limits: ResponseLimits) throws(TransportError) {
        let fields = head.headerFields
        guard fields.count <= limits.headerFields else {
            throw TransportError(
                .dataLengthExceedsMaximum, phase: .head,
                message: "the response has \(fields.count) header fields, more than the limit of \(limits.headerFields)"
            )
        }
        let bytes = fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        guard bytes <= limits.headBytes else {
            throw TransportError(
                .dataLengthExceedsMaximum, phase: .head,
                message: "the head of the response is larger than the limit of \(limits.headBytes) bytes")
        }
    }

    private static func deliver(
        _ head: HTTPResponse, from application: InProcessApplication, in exchange: ScriptedExchange,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        let ending = ResponseCompletion()
        let timings = ExchangeTimings()
        guard InProcessApplication.hasBody(head, method: request.head.method) else {
            exchange.end()
            ending.end(timings)
            return TransportResponse(head: head, body: .empty, timings: timings, connection: nil, ending: ending)
        }
        let lease = ScriptedChunks.Lease(exchange, ending: ending, timings: timings)
        let reader = InProcessReader(
            application, length: head.headerFields[.contentLength].flatMap { Int64($0) }, lease: lease)
        switch request.options.delivery(of: head.status.code, hasBody: true) {
        case .streamed:
            return TransportResponse(
                head: head, body: ResponseBody(InProcessChunks(reader: reader)), timings: timings, connection: nil,
                ending: ending)
        case .collected(let limit):
            do throws(TransportError) {
                let body = try await reader.collect(upTo: limit)
                return TransportResponse(
                    head: head, body: ResponseBody(body), timings: timings, connection: nil, ending: ending)
            } catch {
                // Like the engine: the head remains valid if the body breaks off.
                var error = error
                error.facts = AttemptDetails(timings: timings, connection: nil, response: head)
                throw error
            }
        }
    }
}
