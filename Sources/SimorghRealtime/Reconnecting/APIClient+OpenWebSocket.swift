// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

extension APIClient {
    /// Opens one connection in one attempt, with everything that the client applies to a request.
    ///
    /// That includes interceptors, header fields, cookies, credentials (a rejected token is refreshed once),
    /// timeouts, TLS and routing. The interceptors see a GET to `http` or `https`. Redirects are not followed, and
    /// the client's retries do not apply.
    ///
    /// - Parameters:
    ///   - options: The options of the connection; the subprotocols come from the description.
    ///   - usesCredentials: True if the request carries the client's credentials.
    ///   - name: The name of the messages in the log.
    ///   - describe: Returns the current description of the request.
    /// - Returns: The connection.
    /// - Throws: ``/SimorghCore/NetworkError``; ``/SimorghCore/NetworkError/customError(_:_:)`` if the server
    ///   refused.
    package func openWebSocket(
        _ options: WebSocketChannelOptions = WebSocketChannelOptions(), usesCredentials: Bool = true,
        logged name: WebSocketTrafficLog.Name = .webSocket,
        describe: @Sendable () async throws -> WebSocketRequest
    ) async throws(NetworkError) -> any WebSocketChannel {
        let settings = settings
        var head: HTTPRequest?
        var call: CallContext?
        let reporter = settings.reporter
        do {
            // A WebSocket is not part of the running call that may have opened it.
            guard !gate.isDraining, gate.enter(.call) else { throw ClientDrainedError() }
            defer { gate.leave(.call) }
            let description = try await describe()
            let base = settings.currentBase
            let described = try description.head(settings, clientBase: base.url)
            head = described
            guard let transport = settings.transport as? any WebSocketTransport else {
                throw TransportError(
                    .unsupportedURL, phase: .total, message: "the transport of this client does not support WebSockets",
                    requestMayHaveBeenSent: false)
            }
            var request = TransportRequest(head: described, options: settings.options)
            request.head.scheme = WebSocketRequest.httpScheme(for: described.scheme)
            let security = settings.configuration.transportSecurity
            if let security { request = security.upgraded(request) }
            request.options.scope = scope
            request.options.delivery = .collected(upTo: max(0, settings.configuration.maximumErrorBodyBytes))
            request.options.decompresses = false
            if !usesCredentials { request.options.allowsAuthentication = false }
            var configuration = settings.configuration
            configuration.disableUnsupportedFeatures()
            // Network interceptors see requests as they are sent, so they need the handshake fields, too.
            if !configuration.networkInterceptors.isEmpty {
                configuration.networkInterceptors.insert(
                    .upgradeFields(description.protocols, compression: options.compression), at: 0)
            }
            request.options.cacheOnly = configuration.cacheOnly
            let deadline = configuration.timeouts.total.map { configuration.time.deadline(after: $0) }
            let origin = security?.upgraded(base.origin) ?? base.origin
            call = settings.context(of: self, for: origin, until: deadline, reportingTo: reporter)
            request.options.call = call
            reporter?.started(request)
            var options = options
            options.subprotocols = description.protocols
            let upgrade = WebSocketUpgradeTransport(transport, options: options)
            let answer = try await Pipeline(configuration, transport: upgrade, state: settings.state).send(request)
            let link = upgrade.take()
            if answer.head.status == .switchingProtocols, let link {
                guard !Task.isCancelled else {
                    link.drop()
                    throw CancellationError()
                }
                reporter?.succeeded(status: 101, byteCount: 0, redirects: 0)
                return settings.observed(
                    link, request: upgrade.request ?? request, name: name, call: reporter?.id)
            }
            link?.drop()
            throw try await refusal(answer, to: described, configuration: settings.configuration)
        } catch {
            let failure = NetworkError(
                webSocket: error, url: head?.urlString ?? settings.configuration.baseURL ?? "",
                attempts: call?.attempts ?? 0)
            reporter?.failed(failure)
            throw failure
        }
    }

    /// Returns the error for a server that refused the upgrade, with its status, header fields and truncated body.
    private func refusal(
        _ answer: TransportResponse, to head: HTTPRequest, configuration: Configuration
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
            return .responseError(ResponseError(error, context: context, response: response))
        }
        return .customError(response.statusCode, response)
    }
}

extension APIClient.Settings {
    /// Returns a channel with the log and the observers of its call; the same channel if nothing observes it.
    fileprivate func observed(
        _ channel: any WebSocketChannel, request: TransportRequest, name: WebSocketTrafficLog.Name,
        call: CallContext.ID?
    ) -> any WebSocketChannel {
        var observers: [any WebSocketTrafficObserver] = []
        let response = channel.response
        if let log = observation.log,
            let traffic = WebSocketTrafficLog(log, name: name, request: request, response: response)
        {
            observers.append(traffic)
        }
        if let call {
            for case let observer as any WebSocketCallObserver in observation.hub.observers {
                let traffic = observer.trafficObserver(call: call, request: request, response: response)
                if let traffic { observers.append(traffic) }
            }
        }
        return observers.isEmpty ? channel : ObservedWebSocketChannel(channel, observers: observers)
    }
}

extension APIClient.Configuration {
    /// Turns off the features that do not apply to opening a connection, which has its own rules for reconnecting.
    fileprivate mutating func disableUnsupportedFeatures() {
        neverRetry()
        resilience.hedging = nil
        resilience.coalescesRequests = false
        // The reconnecting connection waits for the network itself.
        resilience.offlineQueue = nil
        redirects = .none
        caching.strategy = .useProtocolCachePolicy
    }
}

extension NetworkError {
    /// Creates the error of a failed opening, with the URL of the WebSocket.
    fileprivate init(webSocket error: any Error, url: String, attempts: Int) {
        switch error {
        case let error as WebSocketRouterError:
            let reason =
                switch error {
                case .invalidURL(let reason): reason
                case .invalidScheme: InvalidRequestError(.invalidURL, message: error.description)
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
