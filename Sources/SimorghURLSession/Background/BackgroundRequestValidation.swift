// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

/// The checks before a transfer is passed to a background session, which would ignore options silently.
enum BackgroundRequestValidation {
    /// The lowercase names of header fields that are credentials.
    static let secretFields = Set(CredentialFields.known.map(\.canonicalName))
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
        try refuse("tls", reason: BackgroundTrust.refusal(of: tls))
        try refuse(
            "route",
            reason: route == RouteOptions() ? nil : "a background session uses the routes and proxies of the system")
        guard !allowsSecrets else { return }
        let secret = order.headers.keys.sorted().first {
            secretFields.contains($0.lowercased()) && $0.lowercased() != removedAtRedirect
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

    private static func invalid(_ code: TransportError.Code, _ message: String) -> TransportError {
        TransportError(code, phase: .total, message: message, requestMayHaveBeenSent: false)
    }

    private static func refuse(_ option: String, reason: String?) throws(TransportError) {
        guard let reason else { return }
        let cause = UnsupportedByURLSessionError(option: option, reason: reason)
        throw TransportError(
            .unknown, phase: .total, message: cause.description, requestMayHaveBeenSent: false, underlying: cause)
    }
}

/// The server trust evaluation of background sessions.
enum BackgroundTrust {
    /// Returns the reason a background session cannot apply TLS options; `nil` if it can.
    ///
    /// - Parameter options: The TLS options of a client.
    /// - Returns: The reason.
    static func refusal(of options: TLSOptions) -> String? {
        options == TLSOptions() ? nil : "a background session applies the certificate checks of the system only"
    }
}
