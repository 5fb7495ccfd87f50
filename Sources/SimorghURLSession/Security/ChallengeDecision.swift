// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The transport's decision on an authentication challenge of a session's task.
package enum ChallengeDecision: Hashable, Sendable {
    /// The system's own handling.
    case performDefaultHandling
    /// No answer: the response with the challenge is returned, and the pipeline answers it.
    case rejectProtectionSpace
    /// Judge the server's certificates by the TLS options.
    case verifyServer
    /// Send the certificate of the TLS options.
    case presentIdentity

    /// The methods of the user's delegate for a challenge.
    package enum DelegateMethod: Hashable, Sendable { case session, task }

    /// The value of `NSURLAuthenticationMethodServerTrust`, which FoundationNetworking deprecates.
    ///
    /// https://developer.apple.com/documentation/foundation/urlprotectionspace
    private static let serverTrust = "NSURLAuthenticationMethodServerTrust"
    private static let clientCertificate = "NSURLAuthenticationMethodClientCertificate"
    /// The methods for which only the system has credentials: those of its single sign-on.
    private static let systemMethods: Set<String> = [
        "NSURLAuthenticationMethodNTLM", "NSURLAuthenticationMethodNegotiate",
    ]
    private static let sessionMethods = systemMethods.union([serverTrust, clientCertificate])

    /// Makes the decision.
    ///
    /// - Parameters:
    ///   - method: The authentication method of the protection space.
    ///   - isProxy: True if a proxy asks.
    ///   - trust: The trust of the session.
    package init(method: String, isProxy: Bool, trust: SessionTrust) {
        switch method {
        case _ where isProxy: self = .performDefaultHandling
        case Self.serverTrust: self = trust.judgesServer ? .verifyServer : .performDefaultHandling
        case Self.clientCertificate:
            self = trust.options.identity == nil ? .performDefaultHandling : .presentIdentity
        default: self = .rejectProtectionSpace
        }
    }

    /// Returns the methods of the user's delegate in the order in which a session asks them; the first one that the
    /// delegate has answers.
    package static func order(of method: String) -> [DelegateMethod] {
        sessionMethods.contains(method) ? [.session, .task] : [.task]
    }

    /// Returns the error of a task whose challenge the user's delegate has cancelled; `nil` for another answer.
    ///
    /// The session reports such a task as cancelled, which the caller did not ask for.
    ///
    /// - Parameters:
    ///   - disposition: The answer of the user's delegate.
    ///   - method: The authentication method of the protection space.
    ///   - isProxy: True if a proxy asks.
    ///   - host: The host of the protection space.
    /// - Returns: The error.
    package static func failure(
        of disposition: URLSession.AuthChallengeDisposition, method: String, isProxy: Bool, host: String
    ) -> TransportError? {
        guard disposition == .cancelAuthenticationChallenge else { return nil }
        let (code, phase, subject): (TransportError.Code, TransportError.Phase, String) =
            switch method {
            case _ where isProxy: (.cannotConnectToHost, .connect, "the challenge of the proxy")
            case serverTrust: (.serverCertificateUntrusted, .tls, "the certificates of")
            case clientCertificate: (.clientCertificateRequired, .tls, "the request for a client certificate of")
            default: (.resourceUnavailable, .head, "the authentication challenge of")
            }
        return TransportError(
            code, phase: phase, message: "the delegate of the session rejected \(subject) \(host)",
            requestMayHaveBeenSent: phase == .head,
            underlying: method == serverTrust && !isProxy ? TLSError(.refused) : nil)
    }

    /// Returns true if the answer of the user's delegate is used; otherwise the transport decides.
    ///
    /// The default handling leaves the decision to the transport, except for Negotiate and NTLM: the transport has no
    /// credentials for them, and the system may have.
    package static func isFinal(_ disposition: URLSession.AuthChallengeDisposition, method: String) -> Bool {
        disposition != .performDefaultHandling || systemMethods.contains(method)
    }
}
