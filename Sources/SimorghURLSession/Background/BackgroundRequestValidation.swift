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
        guard URL(string: order.url) != nil else {
            throw TransportError(
                .badURL, phase: .total,
                message: "Foundation cannot parse this URL: \(RedactedURL.withoutQuery(order.url))",
                requestMayHaveBeenSent: false)
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
