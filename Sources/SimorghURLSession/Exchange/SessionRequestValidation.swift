// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

/// The checks before a request is sent: the scheme, the header fields, the timeouts, cancellation, and the options that
/// a session does not support; ``SessionCapabilities`` checks TLS options and routes.
///
/// A session would ignore such an option silently, so the request is rejected.
enum SessionRequestValidation {
    /// Checks a request.
    ///
    /// - Parameter request: The request.
    /// - Throws: The error of the unsupported option, of the invalid part of the request, of a timeout that is zero, or
    ///   of a cancelled task.
    static func check(_ request: TransportRequest) throws(TransportError) {
        let options = request.options
        guard ["http", "https"].contains(request.head.scheme) else {
            throw TransportError(
                .unsupportedURL, phase: .total,
                message: "the scheme \(request.head.scheme ?? "(none)") is not http or https",
                requestMayHaveBeenSent: false)
        }
        try refuse(
            "httpVersion", if: options.httpVersion != .automatic && options.httpVersion != .http3,
            reason: "the session negotiates the HTTP version with the server")
        try refuse(
            "httpVersion", if: options.httpVersion == .http3 && !SessionCapabilities.current.supportsHTTP3,
            reason: "only the sessions of Apple platforms support HTTP/3", wayOut: "leave httpVersion automatic")
        try refuse("trailers", if: request.body.trailers != nil, reason: "the session cannot send trailers")
        try refuse(
            "method", if: request.head.method == .connect,
            reason: "CONNECT opens a tunnel and is not a request to a server",
            wayOut: "set route.proxy to reach a server through a tunnel")
        try refuse(
            "body", if: !request.body.isEmpty && request.head.method == .get,
            reason: "the session cannot send a body with GET")
        for field in request.head.headerFields { try check(field) }
        do {
            _ = try HostField.value(in: request.head.headerFields)
        } catch {
            throw .invalid(error)
        }
        for (phase, limit) in [
            (TransportError.Phase.total, options.timeouts.total), (.head, options.timeouts.head),
            (.body, options.timeouts.idle),
        ] {
            if let limit, limit <= .zero { throw .timedOut(phase, after: limit, requestMayHaveBeenSent: false) }
        }
        if Task.isCancelled || options.scope?.isCancelled == true { throw .cancelled(phase: .queue) }
    }

    /// Checks that the request may use the current network, if the session does not check that.
    ///
    /// - Parameter request: The request.
    /// - Throws: An error with `NetworkAccessError` as its cause.
    static func checkNetwork(_ request: TransportRequest) async throws(TransportError) {
        guard !SessionCapabilities.current.enforcesAccess else { return }
        try await request.checkNetworkAccess()
    }

    /// Checks the configuration of a session.
    ///
    /// - Parameter configuration: The configuration.
    /// - Throws: An error for a background session, which traps if it is given bytes to upload.
    static func check(_ configuration: URLSessionConfiguration) throws(TransportError) {
        try refuse(
            "configuration", if: configuration.identifier != nil,
            reason: "a background session transfers only files",
            wayOut: "use DownloadManager with backgroundSessionIdentifier")
    }

    private static func refuse(
        _ option: String, if isSet: Bool, reason: String, wayOut: String = SessionCapabilities.engine
    ) throws(TransportError) {
        guard isSet else { return }
        let cause = UnsupportedByURLSessionError(option: option, reason: "\(reason); \(wayOut)")
        throw TransportError(
            .unknown, phase: .total, message: cause.description, requestMayHaveBeenSent: false, underlying: cause)
    }

    private static func check(_ field: HTTPField) throws(TransportError) {
        // A head that was built by hand may contain line breaks.
        let isClean = field.withUnsafeBytesOfValue { bytes in
            bytes.allSatisfy { $0 != 0 && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        }
        guard isClean else {
            throw .invalid(
                InvalidRequestError(.invalidHeader, message: "the value of the field \(field.name) holds CR, LF or NUL")
            )
        }
    }
}
