// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
import HTTPTypes
import SimorghCore
import Tracing

/// The span attributes of an exchange, named by OpenTelemetry's semantic conventions for HTTP clients.
struct ExchangeAttributes: Sendable {
    let method: String
    private let originalMethod: String?
    private let scheme: String
    private let host: String
    private let port: Int
    private let url: String
    private let redactor: Redactor
    private let isCall: Bool
    private let call: CallContext?
    private let resendCount: Int

    init(_ request: TransportRequest, rules: RedactionRules, isCall: Bool) {
        let method = request.head.method.rawValue
        let isKnown = HTTPOrigin.knownMethods.contains(method)
        self.method = isKnown ? method : "HTTP"
        originalMethod = isKnown ? nil : method
        let origin = HTTPOrigin(request.head)
        scheme = origin.scheme
        host = origin.host
        port = origin.port
        redactor = Redactor(rules, request: request)
        url = redactor.url(request.urlString)
        self.isCall = isCall
        call = request.options.call
        resendCount = max(0, (request.options.call?.attempts ?? 1) - 1)
    }

    func begin(_ attributes: inout SpanAttributes) {
        attributes["http.request.method"] = originalMethod == nil ? method : "_OTHER"
        if let originalMethod { attributes["http.request.method_original"] = originalMethod }
        attributes["server.address"] = host
        attributes["server.port"] = port
        attributes["url.full"] = url
        attributes["url.scheme"] = scheme
        if !isCall, resendCount > 0 { attributes["http.request.resend_count"] = resendCount }
    }

    func end(_ response: TransportResponse, into attributes: inout SpanAttributes) {
        let status = response.head.status.code
        attributes["http.response.status_code"] = status
        if status >= 400 { attributes["error.type"] = "\(status)" }
        guard !isCall else {
            attributes["simorgh.attempts"] = call?.attempts ?? response.attempts
            if !response.redirects.isEmpty { attributes["simorgh.redirects"] = response.redirects.count }
            return
        }
        carried(by: response.connection, into: &attributes)
    }

    private func carried(by connection: ConnectionInfo?, into attributes: inout SpanAttributes) {
        guard let connection else { return }
        attributes["network.protocol.name"] = "http"
        attributes["network.protocol.version"] = HTTPOrigin.version(connection)
        if let (address, port) = connection.remoteAddress.flatMap(HTTPOrigin.peer) {
            attributes["network.peer.address"] = address
            attributes["network.peer.port"] = port
        }
    }

    func end(_ error: any Error, into attributes: inout SpanAttributes) {
        attributes["error.type"] = HTTPOrigin.type(of: error)
        let facts = (error as? TransportError)?.facts
        // The status of a response whose body failed, or that was rejected.
        if let status = facts?.response?.status.code { attributes["http.response.status_code"] = status }
        guard isCall else { return carried(by: facts?.connection, into: &attributes) }
        if let call { attributes["simorgh.attempts"] = call.attempts }
    }

    /// Returns the redacted text of an error.
    func message(of error: any Error) -> String {
        let text = (error as? NetworkError)?.shortDescription ?? "\(error)"
        // Later steps added secrets to the requests that the call's span did not know: default fields, a token.
        let redacted = isCall ? call?.redactor?.text(text) : nil
        return redactor.text(redacted ?? text)
    }
}
#endif
