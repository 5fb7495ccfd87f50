// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Why one attempt on the wire gave no usable response.
///
/// The codes use the vocabulary of Foundation's `URLError`, so that code written for it reads on; ``phase`` says how
/// far the exchange had come.
public struct TransportError: Error, Sendable {
    /// A part of an exchange, in the order in which they happen.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Waiting for a connection of the pool.
        case queue
        /// Resolving the name and connecting.
        case connect
        /// The TLS handshake.
        case tls
        /// Writing the request, its body with it.
        case request
        /// Waiting for the head of the response, and reading it.
        case head
        /// Reading the body.
        case body
        /// No phase of its own: the limit over the whole exchange, or the exchange never began.
        case total
    }

    /// What went wrong.
    public var code: Code
    /// The phase in which it went wrong.
    public var phase: Phase
    /// What happened, in a sentence for a person; names no credential.
    public var message: String
    /// The method of the request; empty until the client fills it in.
    public var method: String
    /// The URL of the request, without credentials; empty until the client fills it in.
    public var url: String
    /// How many attempts were made on the wire; 1 unless a retry made more.
    public var attempts: Int
    /// Whether a byte of the request may have reached the server, so that sending it again might do its work twice.
    public var requestMayHaveBeenSent: Bool
    /// The time limit that passed, where one did.
    public var limit: Duration?
    /// The error that caused this one, where there is one.
    public var underlying: (any Error)?

    /// How far the exchange had come, where a connection carried it or was being opened for it.
    package var facts: AttemptFacts?

    /// How long each phase took as far as it had gone; `nil` where no connection carried the request, nor failed to open.
    public var timings: ExchangeTimings? { facts?.timings }
    /// The connection that carried the request; `nil` where none did.
    public var connection: ConnectionInfo? { facts?.connection }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - phase: Where it went wrong.
    ///   - message: What happened, for a person.
    ///   - requestMayHaveBeenSent: Whether a byte of the request may have reached the server. It may unless you know that
    ///     it cannot: what is sent again after a `false` is sent whatever its method is.
    ///   - limit: The time limit that passed.
    ///   - underlying: The cause.
    public init(
        _ code: Code,
        phase: Phase,
        message: String,
        requestMayHaveBeenSent: Bool = true,
        limit: Duration? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.phase = phase
        self.message = message
        self.method = ""
        self.url = ""
        self.attempts = 1
        self.requestMayHaveBeenSent = requestMayHaveBeenSent
        self.limit = limit
        self.underlying = underlying
    }

    /// The error of an exchange whose task, scope or consumer went away.
    package static func cancelled(phase: Phase) -> TransportError {
        TransportError(
            .cancelled, phase: phase, message: "the call was cancelled",
            requestMayHaveBeenSent: ![.queue, .connect, .tls].contains(phase))
    }

    /// The error of a phase that took longer than it may.
    package static func timedOut(_ phase: Phase, after limit: Duration, requestMayHaveBeenSent: Bool) -> TransportError
    {
        TransportError(
            .timedOut,
            phase: phase,
            message: "the \(phase.rawValue) phase took longer than \(limit.shown)\(phase.setting)",
            requestMayHaveBeenSent: requestMayHaveBeenSent,
            limit: limit
        )
    }

    /// Replaces the limit of a total timeout with `whole`, the limit of the whole call.
    ///
    /// Returns other errors, and every error if `whole` is `nil`, unchanged.
    package func exceeding(_ whole: Duration?) -> TransportError {
        guard let whole, code == .timedOut, phase == .total, let part = limit else { return self }
        var error = self
        error.message.replace(" \(part.shown)", with: " \(whole.shown)", maxReplacements: 1)
        error.limit = whole
        return error
    }
}

extension TransportError.Phase {
    /// The setting of a client that limits the phase, in brackets for the end of a message.
    package var setting: String {
        switch self {
        case .queue: " (timeouts.queue)"
        case .connect: " (timeouts.connect)"
        case .tls: " (timeouts.tls)"
        case .request, .body: " (timeouts.idle)"
        case .head: " (timeouts.head)"
        case .total: " (timeouts.total)"
        }
    }
}

extension TransportError: CustomStringConvertible {
    /// One line: the code, the phase, the request where it is known, its query hidden, and what happened.
    public var description: String {
        let target = url.isEmpty ? "" : " \(method) \(ShownURL.withoutQuery(url))"
        let tries = attempts > 1 ? " after \(attempts) attempts" : ""
        return "\(code) (\(phase.rawValue))\(target)\(tries): \(message)"
    }
}

extension TransportError {
    /// A kind of failure; a struct, so that a release that adds one breaks nobody's `switch`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The number `URLError` gives the same failure.
        public let rawValue: Int
        /// The code's name, the same in every release.
        public let description: String

        /// Nothing more is known.
        public static let unknown = Code(rawValue: -1, description: "unknown")
        /// The call was cancelled.
        public static let cancelled = Code(rawValue: -999, description: "cancelled")
        /// The URL is not one.
        public static let badURL = Code(rawValue: -1000, description: "badURL")
        /// A phase took longer than it may.
        public static let timedOut = Code(rawValue: -1001, description: "timedOut")
        /// The scheme is not one that this transport speaks.
        public static let unsupportedURL = Code(rawValue: -1002, description: "unsupportedURL")
        /// The host's name has no address.
        public static let cannotFindHost = Code(rawValue: -1003, description: "cannotFindHost")
        /// No address of the host accepted a connection.
        public static let cannotConnectToHost = Code(rawValue: -1004, description: "cannotConnectToHost")
        /// The connection broke off.
        public static let networkConnectionLost = Code(rawValue: -1005, description: "networkConnectionLost")
        /// The name could not be looked up.
        public static let dnsLookupFailed = Code(rawValue: -1006, description: "dnsLookupFailed")
        /// Too many redirects.
        public static let httpTooManyRedirects = Code(rawValue: -1007, description: "httpTooManyRedirects")
        /// A resource of this process is used up: connections, places in a queue.
        public static let resourceUnavailable = Code(rawValue: -1008, description: "resourceUnavailable")
        /// This machine has no way to the network.
        public static let notConnectedToInternet = Code(rawValue: -1009, description: "notConnectedToInternet")
        /// A redirect leads to a URL that cannot be asked.
        public static let redirectToNonExistentLocation = Code(
            rawValue: -1010, description: "redirectToNonExistentLocation")
        /// The server's answer is not valid HTTP.
        public static let badServerResponse = Code(rawValue: -1011, description: "badServerResponse")
        /// The body is not what its `Content-Encoding` says.
        public static let cannotDecodeContentData = Code(rawValue: -1016, description: "cannotDecodeContentData")
        /// The answer could not be parsed.
        public static let cannotParseResponse = Code(rawValue: -1017, description: "cannotParseResponse")
        /// The body of the request ended early, failed, or cannot be sent again.
        public static let requestBodyStreamExhausted = Code(rawValue: -1021, description: "requestBodyStreamExhausted")
        /// A connection in the clear was asked for where only a secure one may be.
        public static let appTransportSecurityRequiresSecureConnection = Code(
            rawValue: -1022, description: "appTransportSecurityRequiresSecureConnection")
        /// The answer is larger than it may be, or the request's fields are (``RequestFieldsTooLarge``).
        public static let dataLengthExceedsMaximum = Code(rawValue: -1103, description: "dataLengthExceedsMaximum")
        /// The TLS handshake failed.
        public static let secureConnectionFailed = Code(rawValue: -1200, description: "secureConnectionFailed")
        /// The server's certificate has expired.
        public static let serverCertificateHasBadDate = Code(
            rawValue: -1201, description: "serverCertificateHasBadDate")
        /// The server's certificate is not trusted: its issuer, or its name.
        public static let serverCertificateUntrusted = Code(rawValue: -1202, description: "serverCertificateUntrusted")
        /// The server's certificate comes from an issuer that is not known.
        public static let serverCertificateHasUnknownRoot = Code(
            rawValue: -1203, description: "serverCertificateHasUnknownRoot")
        /// The server's certificate is not valid yet.
        public static let serverCertificateNotYetValid = Code(
            rawValue: -1204, description: "serverCertificateNotYetValid")
        /// The server refused the client's certificate.
        public static let clientCertificateRejected = Code(rawValue: -1205, description: "clientCertificateRejected")
        /// The server wants a certificate of the client.
        public static let clientCertificateRequired = Code(rawValue: -1206, description: "clientCertificateRequired")
        /// Only a cache was asked, and it has nothing.
        public static let cannotLoadFromNetwork = Code(rawValue: -2000, description: "cannotLoadFromNetwork")

        /// Whether both are the same failure.
        public static func == (left: Code, right: Code) -> Bool { left.rawValue == right.rawValue }

        /// Feeds the number into a hasher.
        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    }
}
