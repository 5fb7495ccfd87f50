// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport

/// An error of Apple's Network framework: its domain, its code and its text.
package struct NetworkConnectionError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Domain: Sendable, Hashable {
        /// An `errno`.
        case posix
        /// An error of the DNS service (`dns_sd.h`).
        case dns
        /// An `OSStatus` of TLS.
        case tls
        case other
    }

    package let domain: Domain
    package let code: Int
    package let description: String

    package init(_ domain: Domain, code: Int, description: String) {
        self.domain = domain
        self.code = code
        self.description = description
    }

    /// True if the server itself has refused: a closed port, or a failed TLS handshake.
    var isAnswerOfServer: Bool { domain == .tls || domain == .posix && code == Int(ECONNREFUSED) }

    /// The numbers of `kDNSServiceErr_NoSuchName` and `kDNSServiceErr_NoSuchRecord`.
    private static let missingNames: Set<Int> = [-65538, -65554]

    /// Returns the error of a connection that could not be opened.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - port: The port.
    /// - Returns: The error.
    package func connecting(to host: String, port: Int) -> TransportError {
        let (code, phase, message): (TransportError.Code, TransportError.Phase, String) =
            switch domain {
            case .dns where Self.missingNames.contains(self.code):
                (.cannotFindHost, .connect, "the name \(host) has no address: \(description)")
            case .dns: (.dnsLookupFailed, .connect, "the name \(host) could not be resolved: \(description)")
            case .tls:
                (.secureConnectionFailed, .tls, "the TLS handshake with \(host):\(port) failed: \(description)")
            case .posix where [ENETUNREACH, ENETDOWN].contains(Int32(self.code)):
                (.notConnectedToInternet, .connect, "this machine has no network route to \(host):\(port)")
            case .posix, .other:
                (.cannotConnectToHost, .connect, "\(host):\(port) cannot be connected: \(description)")
            }
        return TransportError(
            code, phase: phase, message: message, requestMayHaveBeenSent: false, underlying: self)
    }
}

extension NetworkConnectionStateMachine.Failure {
    /// Returns the error of a connection that could not be opened.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - port: The port.
    ///   - limit: The time limit.
    /// - Returns: The error.
    package func connecting(to host: String, port: Int, limit: Duration) -> TransportError {
        switch self {
        case .failed(let error): return error.connecting(to: host, port: port)
        case .cancelled: return .cancelled(phase: .connect)
        case .forbidden(let rule): return TransportError(forbiddenBy: rule)
        case .timedOut(let last, _):
            var error = TransportError.timedOut(.connect, after: limit, requestMayHaveBeenSent: false)
            error.underlying = last
            return error
        }
    }
}
