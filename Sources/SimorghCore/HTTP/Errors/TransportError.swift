// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The error of one attempt on the wire that returned no usable response.
///
/// The codes have the names of Foundation's `URLError`, so that code written for it remains readable; ``phase`` is
/// the part of the exchange that failed.
public struct TransportError: Error, Sendable {
    /// A part of an exchange, in the order in which the parts happen.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Waiting for a connection of the pool.
        case queue
        /// Resolving the host name and connecting.
        case connect
        /// The TLS handshake.
        case tls
        /// Sending the request, including its body.
        case request
        /// Waiting for the head of the response, and reading it.
        case head
        /// Reading the body.
        case body
        /// No single phase: the limit of the whole exchange passed, or the exchange never began.
        case total
    }

    /// The kind of failure.
    public var code: Code
    /// The phase that failed.
    public var phase: Phase
    /// A sentence for a person that describes the failure; contains no credential.
    public var message: String
    /// The method of the request; empty until the client fills it in.
    public var method: String
    /// The URL of the request, without credentials; empty until the client fills it in.
    public var url: String
    /// The number of attempts made on the wire; 1 unless a retry made more.
    public var attempts: Int
    /// A Boolean value that indicates whether a byte of the request may have reached the server.
    ///
    /// If true, sending the request again might do its work twice.
    public var requestMayHaveBeenSent: Bool
    /// The time limit that passed, if the error is a timeout.
    public var limit: Duration?
    /// The error that caused this one, if any.
    public var underlying: (any Error)?

    /// Details of the exchange, if a connection carried it or was being opened for it.
    package var facts: AttemptDetails?

    /// The time that each phase took until the failure; `nil` if no connection was used or attempted.
    public var timings: ExchangeTimings? { facts?.timings }
    /// The connection that carried the request; `nil` if none did.
    public var connection: ConnectionInfo? { facts?.connection }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - phase: The phase that failed.
    ///   - message: A description for a person.
    ///   - requestMayHaveBeenSent: True if a byte of the request may have reached the server. Pass `false` only if you
    ///     know that it cannot: after `false` the request may be sent again with any method.
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

    /// Returns the error of an exchange whose task, scope or consumer was cancelled or released.
    package static func cancelled(phase: Phase) -> TransportError {
        TransportError(
            .cancelled, phase: phase, message: "the call was cancelled",
            requestMayHaveBeenSent: ![.queue, .connect, .tls].contains(phase))
    }

    /// Returns the error of a phase that exceeded its time limit.
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
    /// The client setting that limits the phase, in parentheses for the end of a message.
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
    /// One line: the code, the phase, the request (if known) without its query, and the message.
    public var description: String {
        let target = url.isEmpty ? "" : " \(method) \(RedactedURL.withoutQuery(url))"
        let attemptsText = attempts > 1 ? " after \(attempts) attempts" : ""
        return "\(code) (\(phase.rawValue))\(target)\(attemptsText): \(message)"
    }
}

extension TransportError {
    /// A kind of failure; a struct, so that a new code in a later release does not break a `switch`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The number of the same failure in `URLError`.
        public let rawValue: Int
        /// The code's name, the same in every release.
        public let description: String

        /// The cause is not known.
        public static let unknown = Code(rawValue: -1, description: "unknown")
        /// The call was cancelled.
        public static let cancelled = Code(rawValue: -999, description: "cancelled")
        /// The URL is malformed.
        public static let badURL = Code(rawValue: -1000, description: "badURL")
        /// A phase exceeded its time limit.
        public static let timedOut = Code(rawValue: -1001, description: "timedOut")
        /// The transport does not support the URL's scheme.
        public static let unsupportedURL = Code(rawValue: -1002, description: "unsupportedURL")
        /// The host name has no address.
        public static let cannotFindHost = Code(rawValue: -1003, description: "cannotFindHost")
        /// No address of the host accepted a connection.
        public static let cannotConnectToHost = Code(rawValue: -1004, description: "cannotConnectToHost")
        /// The connection was lost.
        public static let networkConnectionLost = Code(rawValue: -1005, description: "networkConnectionLost")
        /// The DNS lookup failed.
        public static let dnsLookupFailed = Code(rawValue: -1006, description: "dnsLookupFailed")
        /// Too many redirects.
        public static let httpTooManyRedirects = Code(rawValue: -1007, description: "httpTooManyRedirects")
        /// A resource of this process is exhausted: connections, or the capacity of a queue.
        public static let resourceUnavailable = Code(rawValue: -1008, description: "resourceUnavailable")
        /// This machine has no route to the network.
        public static let notConnectedToInternet = Code(rawValue: -1009, description: "notConnectedToInternet")
        /// A redirect leads to a URL that cannot be requested.
        public static let redirectToNonExistentLocation = Code(
            rawValue: -1010, description: "redirectToNonExistentLocation")
        /// The server's response is not valid HTTP.
        public static let badServerResponse = Code(rawValue: -1011, description: "badServerResponse")
        /// The body does not match its `Content-Encoding`.
        public static let cannotDecodeContentData = Code(rawValue: -1016, description: "cannotDecodeContentData")
        /// The response could not be parsed.
        public static let cannotParseResponse = Code(rawValue: -1017, description: "cannotParseResponse")
        /// The body of the request ended early, failed, or cannot be sent again.
        public static let requestBodyStreamExhausted = Code(rawValue: -1021, description: "requestBodyStreamExhausted")
        /// A connection without TLS was requested where only a secure one is allowed.
        public static let appTransportSecurityRequiresSecureConnection = Code(
            rawValue: -1022, description: "appTransportSecurityRequiresSecureConnection")
        /// The response exceeds a size limit, or the request's header fields do (``RequestFieldsTooLargeError``).
        public static let dataLengthExceedsMaximum = Code(rawValue: -1103, description: "dataLengthExceedsMaximum")
        /// The TLS handshake failed.
        public static let secureConnectionFailed = Code(rawValue: -1200, description: "secureConnectionFailed")
        /// The server's certificate has expired.
        public static let serverCertificateHasBadDate = Code(
            rawValue: -1201, description: "serverCertificateHasBadDate")
        /// The server's certificate is not trusted, because of its issuer or its name.
        public static let serverCertificateUntrusted = Code(rawValue: -1202, description: "serverCertificateUntrusted")
        /// The server's certificate has an unknown issuer.
        public static let serverCertificateHasUnknownRoot = Code(
            rawValue: -1203, description: "serverCertificateHasUnknownRoot")
        /// The server's certificate is not valid yet.
        public static let serverCertificateNotYetValid = Code(
            rawValue: -1204, description: "serverCertificateNotYetValid")
        /// The server rejected the client's certificate.
        public static let clientCertificateRejected = Code(rawValue: -1205, description: "clientCertificateRejected")
        /// The server requires a client certificate.
        public static let clientCertificateRequired = Code(rawValue: -1206, description: "clientCertificateRequired")
        /// Only the cache was allowed to answer, and it has no response.
        public static let cannotLoadFromNetwork = Code(rawValue: -2000, description: "cannotLoadFromNetwork")

        /// Returns true if both have the same number.
        public static func == (left: Code, right: Code) -> Bool { left.rawValue == right.rawValue }

        /// Feeds the number into a hasher.
        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    }
}
