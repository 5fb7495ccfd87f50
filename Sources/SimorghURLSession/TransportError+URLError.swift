// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

extension TransportError {
    /// What cannot be sent as it was described.
    static func invalid(_ cause: InvalidRequest) -> TransportError {
        TransportError(
            .badURL, phase: .total, message: cause.message, requestMayHaveBeenSent: false, underlying: cause)
    }

    /// What a session says when a task ends before its answer does.
    ///
    /// - Parameters:
    ///   - error: What it says.
    ///   - phase: How far the exchange had come.
    ///   - isSecure: Whether TLS was asked for.
    init(_ error: any Error, in phase: Phase, isSecure: Bool) {
        let failure = error as? URLError
        let text = failure?.localizedDescription ?? "\(error)"
        let code = failure.flatMap { Code.known[$0.errorCode] } ?? .unknown
        self.init(
            Self.better(code, text, phase, isSecure: isSecure), phase: phase,
            message: "URLSession says: \(text)", underlying: error)
        self.phase = Code.connecting.contains(self.code) ? .connect : phase
        if Code.securing.contains(self.code) { self.phase = .tls }
        requestMayHaveBeenSent = ![.queue, .connect, .tls].contains(self.phase)
        if self.code == .cancelled { self = .cancelled(phase: phase) }
    }

    /// What is meant by a code that FoundationNetworking uses for all that libcurl cannot do.
    private static func better(_ code: Code, _ text: String, _ phase: Phase, isSecure: Bool) -> Code {
        // libcurl has a word of its own for a connection that ended without an answer.
        if code == .badServerResponse, text.lowercased().contains("empty reply") { return .networkConnectionLost }
        guard code == .unknown else { return code }
        // And two for a body that is not what its coding says, or in one that it does not know.
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
    /// Every code by the number that `URLError` gives it.
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
        return Dictionary(codes.map { ($0.rawValue, $0) }) { first, _ in first }
    }()

    /// What fails before there is a connection.
    static let connecting: Set<TransportError.Code> = [
        .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .unsupportedURL, .badURL,
    ]

    /// What fails before the connection is secure.
    static let securing: Set<TransportError.Code> = [
        .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection,
    ]
}
