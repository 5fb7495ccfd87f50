// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

/// The checks before a transfer is passed to a background session, which would ignore options silently.
enum BackgroundRequestValidation {
    /// The lowercase names of header fields that are credentials.
    static let secretFields = Set(CredentialFields.known.map(\.canonicalName))
    /// The lowercase names of header fields that refer to the state of one server.
    private static let boundFields: Set<String> = [
        "idempotency-key", "if-match", "if-none-match", "if-unmodified-since", "if", "lock-token",
    ]
    /// The one credential that a session removes at a redirect to another origin.
    private static let removedAtRedirect = "authorization"

    /// Checks a request.
    ///
    /// - Parameters:
    ///   - order: The request.
    ///   - tls: The TLS options of the client.
    ///   - route: The route options of the client.
    ///   - allowsSecrets: True if secret fields other than `Authorization` may be sent.
    /// - Throws: An error that names the option.
    static func check(
        _ order: BackgroundOrder, tls: TLSOptions, route: RouteOptions, allowsSecrets: Bool
    ) throws(TransportError) {
        guard let url = URL(string: order.url) else {
            throw invalid(.badURL, "Foundation cannot parse this URL: \(RedactedURL.withoutQuery(order.url))")
        }
        // Foundation ends the program for any other scheme.
        guard ["http", "https"].contains(url.scheme?.lowercased()) else {
            throw invalid(.unsupportedURL, "a background session transfers URLs with the scheme http or https only")
        }
        guard HTTPRequest.Method(order.method) != nil else {
            throw invalid(.unknown, "the method of the request is not a token (RFC 9110, section 9)")
        }
        for (name, value) in order.headers.sorted(by: { $0.key < $1.key })
        where HTTPField.Name(name) == nil || value.utf8.contains(where: { [0, 0x0A, 0x0D].contains($0) }) {
            throw invalid(.unknown, "the header field \(name.debugDescription) is not valid (RFC 9110, section 5)")
        }
        try check(tls, for: url.host ?? "")
        try refuse(
            "route",
            reason: route == RouteOptions() ? nil : "a background session uses the routes and proxies of the system")
        guard !allowsSecrets else { return }
        let secret = order.headers.keys.sorted().first {
            secretFields.union(boundFields).contains($0.lowercased()) && $0.lowercased() != removedAtRedirect
        }
        try refuse(
            "headers",
            reason: secret.map {
                """
                a background session follows redirects by itself and would send the field \($0) to other servers; \
                use Authorization, or set allowsSecretFieldsInBackground
                """
            })
    }

    /// Checks the TLS options of a session.
    ///
    /// - Parameters:
    ///   - tls: The options.
    ///   - host: The host of a request; `nil` before there is one.
    /// - Throws: An error that names the option, or the error of an invalid option.
    static func check(_ tls: TLSOptions, for host: String?) throws(TransportError) {
        for options in [tls] + tls.rules.map(\.options) {
            try refuse(
                "tls.serverName", reason: options.serverName == nil ? nil : "a session requests the name in the URL")
            if case .pem = options.identity?.source {
                try refuse(
                    "tls.identity",
                    reason: "the system imports no private key in PEM; use TLSIdentity(pkcs12:passphrase:)")
            }
            let isSame = options.minimumVersion == tls.minimumVersion && options.maximumVersion == tls.maximumVersion
            try refuse(
                "tls.rules",
                reason: isSame
                    ? nil : "a background session has the same TLS versions for all hosts; set them in each rule")
        }
        do throws(TLSOptionsError) {
            if let host { _ = try tls.resolved(for: BackgroundTrust.normalized(host)) }
        } catch {
            throw TransportError(error)
        }
    }

    /// Returns the error for a user of a session that has other TLS options.
    ///
    /// - Parameter identifier: The identifier of the session.
    /// - Returns: The error.
    static func otherTrust(_ identifier: String) -> TransportError {
        refusal(
            "tls",
            reason: """
                the background session \(identifier) has other TLS options in this process; use the same options for all \
                of its users, or another identifier
                """)
    }

    private static func invalid(_ code: TransportError.Code, _ message: String) -> TransportError {
        TransportError(code, phase: .total, message: message, requestMayHaveBeenSent: false)
    }

    private static func refuse(_ option: String, reason: String?) throws(TransportError) {
        if let reason { throw refusal(option, reason: reason) }
    }

    private static func refusal(_ option: String, reason: String) -> TransportError {
        let cause = UnsupportedByURLSessionError(option: option, reason: reason)
        return TransportError(
            .unknown, phase: .total, message: cause.description, requestMayHaveBeenSent: false, underlying: cause)
    }
}
