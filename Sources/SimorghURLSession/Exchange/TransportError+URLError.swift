// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghRealtime

extension TransportError {
    /// Returns the error for an invalid request.
    static func invalid(_ cause: InvalidRequestError) -> TransportError {
        TransportError(
            .badURL, phase: .total, message: cause.message, requestMayHaveBeenSent: false, underlying: cause)
    }

    /// Returns the error for a body whose length differs from the declared one.
    static func wrongLength(of length: Int64) -> TransportError {
        TransportError(
            .requestBodyStreamExhausted, phase: .request,
            message: "the length of the body differs from the declared \(length) bytes", requestMayHaveBeenSent: false)
    }

    /// Returns the error for a body that cannot be read.
    static func unreadableBody(_ error: any Error, requestMayHaveBeenSent: Bool) -> TransportError {
        if let error = error as? TransportError { return error }
        if error is CancellationError { return .cancelled(phase: requestMayHaveBeenSent ? .request : .queue) }
        return TransportError(
            .requestBodyStreamExhausted, phase: .request, message: "the body of the request failed: \(error)",
            requestMayHaveBeenSent: requestMayHaveBeenSent, underlying: error)
    }

    /// Creates the error for a task that failed.
    ///
    /// - Parameters:
    ///   - error: The error of the session.
    ///   - phase: The phase of the exchange.
    ///   - isSecure: True if the request uses TLS.
    ///   - facts: The measurements of the session; `nil` if it has not reported any.
    package init(_ error: any Error, in phase: Phase, isSecure: Bool, facts: SessionFacts? = nil) {
        self.init(judging: error, in: phase, isSecure: isSecure)
        guard let facts else { return }
        // The code may be one of a failed connection although an earlier connection has carried the request.
        if self.phase == .connect || self.phase == .tls {
            requestMayHaveBeenSent = facts.isRequestStarted
        } else {
            self = facts.refined(self)
        }
    }

    private init(judging error: any Error, in phase: Phase, isSecure: Bool) {
        if let proxyError = ProxyFailure.error(error) {
            self = proxyError
            return
        }
        if let rule = (error as? URLError)?.unavailableReason.flatMap(NetworkAccessError.Rule.init(unavailableReason:))
        {
            self.init(forbiddenBy: rule)
            return
        }
        let failure = error as? URLError
        // The description of an NSError contains the whole URL, and with it what its query may hide.
        let text = failure?.localizedDescription ?? "\(error.localizedDescription) (\(error._domain) \(error._code))"
        let known = failure.flatMap { Code.known[$0.errorCode] }
        let code = known ?? .unknown
        // An operator can look up the number of an error that has no code here.
        let number = known == nil ? failure.map { " (URLError \($0.errorCode))" } ?? "" : ""
        let hint = PermissionHint.session(code, host: failure?.failingURL?.host).map { "; \($0)" } ?? ""
        self.init(
            Self.refinedCode(code, text: text, phase: phase, isSecure: isSecure), phase: phase,
            message: "URLSession says: \(text)\(number)\(hint)", underlying: error)
        self.phase = Code.connecting.contains(self.code) ? .connect : phase
        if Code.securing.contains(self.code) { self.phase = .tls }
        requestMayHaveBeenSent = ![.queue, .connect, .tls].contains(self.phase)
        if self.code == .cancelled { self = .cancelled(phase: phase) }
    }

    /// Returns a more specific code, because FoundationNetworking uses one code for most errors of libcurl.
    private static func refinedCode(_ code: Code, text: String, phase: Phase, isSecure: Bool) -> Code {
        // libcurl's message for a connection that ended without a response.
        if code == .badServerResponse, text.lowercased().contains("empty reply") { return .networkConnectionLost }
        guard code == .unknown else { return code }
        // libcurl's two messages for a body that does not match its content coding, or has an unknown one.
        if text.lowercased().contains("content encoding") || text.lowercased().contains("content unencoding") {
            return .cannotDecodeContentData
        }
        guard phase != .body else { return .networkConnectionLost }
        guard isSecure else { return phase == .head ? .networkConnectionLost : code }
        let text = text.lowercased()
        guard text.contains("ssl") || text.contains("tls") || text.contains("certificate") else {
            return .networkConnectionLost
        }
        if text.contains("expired") { return .serverCertificateHasBadDate }
        return text.contains("certificate") ? .serverCertificateUntrusted : .secureConnectionFailed
    }
}

extension TransportError.Code {
    /// The codes by their numbers in `URLError`.
    static let known: [Int: TransportError.Code] = {
        let codes: [TransportError.Code] = [
            .unknown, .cancelled, .badURL, .timedOut, .unsupportedURL, .cannotFindHost, .cannotConnectToHost,
            .networkConnectionLost, .dnsLookupFailed, .httpTooManyRedirects, .resourceUnavailable,
            .notConnectedToInternet, .redirectToNonExistentLocation, .badServerResponse, .cannotDecodeContentData,
            .cannotParseResponse, .requestBodyStreamExhausted, .appTransportSecurityRequiresSecureConnection,
            .dataLengthExceedsMaximum, .secureConnectionFailed, .serverCertificateHasBadDate,
            .serverCertificateUntrusted, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired, .cannotLoadFromNetwork,
        ]
        // The background session was disconnected; then three states of a phone without a data connection.
        let others: [(Int, TransportError.Code)] = [
            (-997, .networkConnectionLost), (-1018, .notConnectedToInternet), (-1019, .notConnectedToInternet),
            (-1020, .notConnectedToInternet),
        ]
        return Dictionary(codes.map { ($0.rawValue, $0) } + others) { first, _ in first }
    }()

    /// The codes of failures before a connection exists.
    static let connecting: Set<TransportError.Code> = [
        .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .unsupportedURL, .badURL,
    ]

    /// The codes of failures of the TLS handshake.
    static let securing: Set<TransportError.Code> = [
        .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection,
    ]
}

extension NetworkAccessError.Rule {
    /// Creates the rule that made a task fail.
    ///
    /// - Parameter number: The number of the reason for which there is no network;
    ///   https://developer.apple.com/documentation/foundation/urlerror/networkunavailablereason-swift.enum
    package init?(unavailableReason number: Int) {
        switch number {
        case 0: self = .cellular
        case 1: self = .expensive
        case 2: self = .constrained
        default: return nil
        }
    }
}
