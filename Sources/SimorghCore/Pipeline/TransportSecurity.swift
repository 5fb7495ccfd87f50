// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// A policy that knows which hosts must be reached over TLS (RFC 6797): `HSTSStore` of SimorghREST.
package protocol TransportSecurityPolicy: Sendable {
    /// Returns true if requests to a host must use TLS.
    ///
    /// - Parameter host: The name in lowercase, without a trailing dot; never an address.
    /// - Returns: True if they must.
    func requiresTLS(_ host: String) -> Bool

    /// Processes a `Strict-Transport-Security` field that arrived over a connection with a verified certificate.
    ///
    /// - Parameters:
    ///   - field: The value of the field.
    ///   - host: The name of the host, as in ``requiresTLS(_:)``.
    func receive(_ field: String, from host: String)
}

extension TransportSecurityPolicy {
    /// Returns the authority of the `https` URL that replaces an `http` URL (RFC 6797, section 8.3).
    ///
    /// - Parameters:
    ///   - host: The host, in lowercase.
    ///   - port: The port; 80 becomes 443, and every other port is kept.
    /// - Returns: The authority; `nil` to keep the URL.
    func secureAuthority(host: String, port: Int) -> String? {
        guard let name = Self.name(host), requiresTLS(name) else { return nil }
        return port == 80 || port == 443 ? host : "\(host):\(port)"
    }

    /// Returns the request over TLS if its host requires that; otherwise the same request.
    package func upgraded(_ request: TransportRequest) -> TransportRequest {
        guard request.head.scheme != "https", let parts = try? URLParts(request.urlString, schemes: ["http"]),
            let authority = secureAuthority(host: parts.host, port: parts.port)
        else { return request }
        var request = request
        request.head.scheme = "https"
        request.head.authority = authority
        return request
    }

    /// Returns the origin over TLS if its host requires that; otherwise the same origin.
    package func upgraded(_ origin: WebOrigin) -> WebOrigin {
        guard let parts = try? URLParts(origin.description, schemes: ["http"]),
            let authority = secureAuthority(host: parts.host, port: parts.port)
        else { return origin }
        return WebOrigin("https://\(authority)") ?? origin
    }

    /// Returns the base over TLS if its host requires that; otherwise the same base.
    package func upgraded(_ base: CallContext.Base) -> CallContext.Base {
        guard case .origin(let origin?) = base else { return base }
        return .origin(upgraded(origin))
    }

    /// Returns the name to look up and to store; `nil` for an address, which has no policy (RFC 6797, section 8.1.1).
    fileprivate static func name(_ host: String) -> String? {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return name.isEmpty || CookieOrigin.isAddress(name) ? nil : name
    }
}

extension Interceptor {
    /// Returns the step that upgrades a request whose URL another step changed; `nil` without a policy.
    ///
    /// A call enters the pipeline with its URL upgraded. The events of an attempt and the network interceptors see the
    /// URL after this step.
    static func secureURL(_ configuration: APIClient.Configuration) -> Interceptor? {
        guard let policy = configuration.transportSecurity else { return nil }
        return Interceptor { request, next in try await next(policy.upgraded(request)) }
    }

    /// Returns the step that processes `Strict-Transport-Security`; `nil` without a policy.
    ///
    /// It is the last one, so that it sees the URL and the TLS options of the request that is sent: a network interceptor
    /// can change both, and can answer without a server.
    static func transportSecurity(_ configuration: APIClient.Configuration) -> Interceptor? {
        guard let policy = configuration.transportSecurity else { return nil }
        return Interceptor { request, next in
            let request = policy.upgraded(request)
            let response = try await next(request)
            // Only the first field counts (RFC 6797, section 8.1).
            if let field = response.head.headerFields[fields: .strictTransportSecurity].first,
                let name = request.verifiedHost.flatMap(type(of: policy).name)
            {
                policy.receive(field.value, from: name)
            }
            return response
        }
    }
}

extension TransportRequest {
    /// The host that the certificate of the connection was verified for; `nil` without TLS, if the caller's code
    /// replaces the verification, and if another name was verified.
    fileprivate var verifiedHost: String? {
        guard let parts = try? URLParts(urlString, schemes: ["https"]),
            let tls = try? options.tls.resolved(for: parts.host), tls.evaluation?.replacesVerification != true,
            tls.serverName == nil || tls.serverName == parts.host
        else { return nil }
        return parts.host
    }
}
