// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
package import SimorghCore
package import SimorghSupport

/// Conversions of errors of the lower layers to ``TransportError``.
extension TransportError {
    /// Creates the error of a connection that could not be established.
    ///
    /// - Parameters:
    ///   - error: The error of the dial.
    ///   - origin: The host, or the proxy before it.
    ///   - limit: The time limit of the dial.
    ///   - system: The system of the program, for hints about its permissions. Default: the current one.
    /// - Returns: The error.
    package static func connecting(
        _ error: any Error, to origin: Origin, limit: Duration, on system: Platform.System = Platform.system
    ) -> TransportError {
        let destination = "\(origin.host):\(origin.port)"
        if case ChannelError.connectTimeout = error {
            return .timedOut(.connect, after: limit, requestMayHaveBeenSent: false)
        }
        var causes = [error]
        if let error = error as? DialError {
            switch error.kind {
            case .noAddress where error.causes.contains(where: { $0 is ResolverPool.FullError }):
                return .tooManyLookups(error)
            case .noAddress:
                // A resolver of the user knows more than the system's.
                let own = error.causes.first { !($0 is SystemResolver.LookupError) && !($0 is CancellationError) }
                return TransportError(
                    .cannotFindHost, phase: .connect,
                    message: "the name \(origin.host) has no address\(own.map { ": \($0)" } ?? "")",
                    requestMayHaveBeenSent: false, underlying: error)
            case .timedOut: return .timedOut(.connect, after: limit, requestMayHaveBeenSent: false)
            case .unreachable, .cancelled: causes = error.causes
            }
        }
        let codes = causes.compactMap { ($0 as? IOError)?.errnoCode }
        if causes.contains(where: { if case ChannelError.connectTimeout = $0 { true } else { false } }) {
            return .timedOut(.connect, after: limit, requestMayHaveBeenSent: false)
        }
        // On a machine without IPv6, the IPv6 address fails with ENETUNREACH; the errors of the other addresses are
        // more telling.
        if !codes.isEmpty, codes.allSatisfy({ $0 == ENETUNREACH || $0 == ENETDOWN }) {
            return .offline(destination, cause: error, on: system)
        }
        if !codes.isEmpty, codes.allSatisfy({ $0 == EADDRNOTAVAIL }) {
            return TransportError(
                .resourceUnavailable, phase: .connect,
                message: "this machine has no address or port free for \(destination)",
                requestMayHaveBeenSent: false, underlying: error)
        }
        if codes.contains(EMFILE) || codes.contains(ENFILE) {
            return TransportError(
                .resourceUnavailable, phase: .connect, message: "this process has no free file descriptors",
                requestMayHaveBeenSent: false, underlying: error)
        }
        var message = "\(destination) cannot be reached"
        if codes.contains(ECONNREFUSED) {
            message = "\(destination) refused the connection"
        } else if codes.contains(EHOSTUNREACH) {
            let local = PermissionHint.localNetwork(host: origin.host, on: system)
            message += hint(PermissionHint.sockets(on: system) ?? local)
        }
        return TransportError(
            .cannotConnectToHost, phase: .connect, message: message, requestMayHaveBeenSent: false, underlying: error)
    }

    /// Creates the error for a full queue of system DNS lookups.
    static func tooManyLookups(_ cause: any Error) -> TransportError {
        TransportError(
            .resourceUnavailable, phase: .connect, message: ResolverPool.FullError().description,
            requestMayHaveBeenSent: false, underlying: cause)
    }

    /// Returns true if a failure to connect may be caused by a missing network, which the error alone does not show.
    ///
    /// A host that does not answer on the local network, or behind a router that reports it as unreachable, yields the
    /// same errors as a missing network.
    static func mayBeOffline(_ error: any Error) -> Bool {
        var causes = [error]
        if let error = error as? DialError {
            if error.kind == .noAddress { return true }
            causes = error.kind == .unreachable ? error.causes : []
        }
        let codes = causes.compactMap { ($0 as? IOError)?.errnoCode }
        let unreachable: Set<CInt> = [ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL]
        return codes.contains { $0 == EHOSTUNREACH || $0 == EADDRNOTAVAIL } && codes.allSatisfy(unreachable.contains)
    }

    /// Creates the error for a missing network.
    ///
    /// - Parameters:
    ///   - destination: The host and port.
    ///   - reason: The reason that the system gives; `nil` if it gives none.
    ///   - cause: The underlying error.
    ///   - system: The platform, whose permission may be missing.
    /// - Returns: The error.
    static func offline(
        _ destination: String, reason: String? = nil, cause: (any Error)? = nil,
        on system: Platform.System = Platform.system
    ) -> TransportError {
        TransportError(
            .notConnectedToInternet, phase: .connect,
            message: "this machine has no network route to \(destination)"
                + (reason.map { ": \($0)" } ?? hint(PermissionHint.sockets(on: system))),
            requestMayHaveBeenSent: false, underlying: cause)
    }

    /// Returns a hint to append to a message; empty if there is no hint.
    private static func hint(_ text: String?) -> String { text.map { "; \($0)" } ?? "" }

    /// Creates the error for a connection that ended early.
    static func lost(_ phase: Phase, sent: Bool, cause: (any Error)? = nil) -> TransportError {
        TransportError(
            .networkConnectionLost, phase: phase,
            message: (phase == .head ? "the connection ended before the server answered" : "the connection ended")
                + reason(cause),
            requestMayHaveBeenSent: sent, underlying: cause)
    }

    static func truncated(_ cause: (any Error)?) -> TransportError {
        TransportError(
            .networkConnectionLost, phase: .body, message: "the connection ended before the body did" + reason(cause),
            requestMayHaveBeenSent: true, underlying: cause)
    }

    /// The system's description of why a connection ended, such as a reset, to append to a message; empty if unknown.
    private static func reason(_ cause: (any Error)?) -> String {
        (cause as? IOError).map { ": \(SystemErrors.text(of: $0))" } ?? ""
    }

    static var truncated: TransportError { .truncated(nil) }

    static func fieldsTooLarge(_ cause: RequestFieldsTooLargeError, sent: Bool) -> TransportError {
        TransportError(
            .dataLengthExceedsMaximum, phase: .request, message: "\(cause)", requestMayHaveBeenSent: sent,
            limit: nil, underlying: cause)
    }

    static func bodyTooLarge(_ limit: Int) -> TransportError {
        TransportError(
            .dataLengthExceedsMaximum, phase: .body, message: "the body is larger than the limit of \(limit) bytes",
            requestMayHaveBeenSent: true)
    }

    /// Creates the error for a body that cannot be decoded by its content coding.
    ///
    /// - Parameters:
    ///   - cause: The decoding error.
    ///   - mayBeCutOff: True if a body that ends before its coding does may have been cut off. If its length or its
    ///     last chunk marks it as complete, the server has sent it so, and a retry would yield the same.
    /// - Returns: The error.
    static func notDecodable(_ cause: any Error, mayBeCutOff: Bool) -> TransportError {
        let isCutOff = mayBeCutOff && (cause as? InvalidContentCodingError)?.isTruncated == true
        return TransportError(
            isCutOff ? .networkConnectionLost : .cannotDecodeContentData, phase: .body, message: "\(cause)",
            requestMayHaveBeenSent: true,
            underlying: cause)
    }
}
