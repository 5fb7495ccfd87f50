// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

extension APIClient {
    /// Opens one connection, once, with all that the client gives a request: its steps, fields, cookies, credentials (a
    /// refused token is refreshed once), limits of time, TLS and way.
    ///
    /// The steps of the chain see a GET to `http` or `https`; redirects are not followed, and no retry of the client's
    /// applies.
    ///
    /// - Parameters:
    ///   - options: How the connection behaves; the subprotocols are those of the description.
    ///   - usesCredentials: Whether the request gets the client's credentials.
    ///   - name: What the log calls its messages.
    ///   - describe: Says what to connect to, now.
    /// - Returns: The connection.
    /// - Throws: ``/SimorghCore/NetworkError``: ``/SimorghCore/NetworkError/customError(_:_:)`` for a server that refused.
    package func openWebSocket(
        _ options: WebSocketLinkOptions = WebSocketLinkOptions(), usesCredentials: Bool = true,
        logged name: LoggedLink.Name = .webSocket,
        _ describe: @Sendable () async throws -> WebSocketRequest
    ) async throws(NetworkError) -> any WebSocketLink {
        let settings = settings
        var head: HTTPRequest?
        var call: CallContext?
        let record = settings.record
        do {
            let description = try await describe()
            let base = settings.currentBase
            let described = try description.head(settings, base.url)
            head = described
            guard let transport = settings.transport as? any WebSocketTransport else {
                throw TransportError(
                    .unsupportedURL, phase: .total, message: "this client's transport opens no WebSockets",
                    requestMayHaveBeenSent: false)
            }
            var request = TransportRequest(head: described, options: settings.options)
            request.head.scheme = WebSocketRequest.httpScheme(for: described.scheme)
            request.options.scope = scope
            request.options.delivery = .collected(upTo: max(0, settings.configuration.maximumErrorBodyBytes))
            request.options.decompresses = false
            if !usesCredentials { request.options.allowsAuthentication = false }
            var configuration = settings.configuration
            configuration.settleForWebSocket()
            // A step that shows requests as they go out shows the fields of the handshake, too.
            if !configuration.networkInterceptors.isEmpty {
                configuration.networkInterceptors.insert(
                    .upgradeFields(description.protocols, compression: options.compression), at: 0)
            }
            request.options.cacheOnly = configuration.cacheOnly
            let deadline = configuration.timeouts.total.map { configuration.time.deadline(after: $0) }
            call = settings.context(of: self, for: base.origin, until: deadline, watchedBy: record)
            request.options.call = call
            record?.started(request)
            var options = options
            options.subprotocols = description.protocols
            let seat = WebSocketSeat(transport, options)
            let answer = try await Pipeline(configuration, seat, settings.state).send(request)
            let link = seat.take()
            if answer.head.status == .switchingProtocols, let link {
                guard !Task.isCancelled else {
                    link.drop()
                    throw CancellationError()
                }
                record?.succeeded(status: 101, byteCount: 0, redirects: 0)
                let sent = seat.request ?? request
                return settings.observation.log.flatMap { LoggedLink(link, $0, name, sent) } ?? link
            }
            link?.drop()
            throw try await refusal(answer, described, settings.configuration)
        } catch {
            let failure = NetworkError(
                webSocket: error, url: head?.urlString ?? settings.configuration.baseURL ?? "",
                attempts: call?.attempts ?? 0)
            record?.failed(failure)
            throw failure
        }
    }

    /// The error for a server that stays with HTTP, with its status, fields and bounded body.
    private func refusal(
        _ answer: TransportResponse, _ head: HTTPRequest, _ configuration: Configuration
    ) async throws -> NetworkError {
        let limit = max(0, configuration.maximumErrorBodyBytes)
        var body = Data()
        var isTruncated = false
        do {
            for try await chunk in answer.body {
                body.append(chunk.prefix(limit - body.count))
                isTruncated = body.count == limit
                if isTruncated { break }
            }
        } catch  where !Task.isCancelled {
            isTruncated = true
        }
        var response = CollectedResponse(answer, body: body, to: head)
        response.isBodyTruncated = isTruncated
        if let error = configuration.validation.errorDecoder?(response) {
            let context = FailureContext(method: response.method, url: response.url, attempts: response.attempts)
            return .responseError(ResponseFailure(error, context: context, response: response))
        }
        return .customError(response.statusCode, response)
    }
}

extension APIClient.Configuration {
    /// Turns off what has no place in the opening of a connection: who opens it comes back by rules of its own.
    fileprivate mutating func settleForWebSocket() {
        neverRetry()
        resilience.hedging = nil
        resilience.coalescesRequests = false
        // It has a wait of its own for the network.
        resilience.offlineQueue = nil
        redirects = .none
        caching.strategy = .useProtocolCachePolicy
    }
}

extension NetworkError {
    /// The error of an opening, its URL that of the WebSocket.
    fileprivate init(webSocket error: any Error, url: String, attempts: Int) {
        switch error {
        case let error as WebSocketRouterError:
            let reason =
                switch error {
                case .invalidURL(let reason): reason
                case .invalidScheme: InvalidRequest(.invalidURL, error.description)
                }
            self = .invalidRequest(reason, FailureContext(method: "GET", url: url, attempts: 0))
        case var error as TransportError:
            if !error.url.isEmpty { error.url = url }
            self.init(error, method: "GET", url: url, limit: 0, attempts: attempts)
        default:
            self.init(error, method: "GET", url: url, limit: 0, attempts: attempts)
        }
    }
}
