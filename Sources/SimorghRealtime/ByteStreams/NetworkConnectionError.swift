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

    /// True if another attempt would end in the same way: a closed port, a failed TLS handshake, or a name that does not
    /// exist.
    var isAnswer: Bool {
        domain == .tls || domain == .posix && code == Int(ECONNREFUSED)
            || domain == .dns && Self.missingNames.contains(code)
    }

    /// True if an attempt of the system has reached its own limit.
    var isTimeout: Bool { domain == .posix && code == Int(ETIMEDOUT) }

    /// The numbers of `kDNSServiceErr_NoSuchName` and `kDNSServiceErr_NoSuchRecord`.
    private static let missingNames: Set<Int> = [-65538, -65554]

    /// Returns the error of a connection that could not be opened.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - port: The port.
    ///   - hasNoPath: True if the system has no network for the connection. Default: false.
    ///   - system: The system of the program. Default: the current one.
    /// - Returns: The error. Its message names a permission that may be missing.
    package func connecting(
        to host: String, port: Int, hasNoPath: Bool = false, on system: Platform.System = Platform.system
    ) -> TransportError {
        let trust = SystemTrustError(status: code, text: description)
        if domain == .tls, trust.isKnown { return trust.transportError(for: host) }
        let (code, phase, text): (TransportError.Code, TransportError.Phase, String) =
            switch domain {
            case .dns where hasNoPath:
                (.notConnectedToInternet, .connect, "this machine has no network route to \(host):\(port)")
            case .dns where Self.missingNames.contains(self.code):
                (.cannotFindHost, .connect, "the name \(host) has no address: \(description)")
            case .dns: (.dnsLookupFailed, .connect, "the name \(host) could not be resolved: \(description)")
            case .tls:
                (.secureConnectionFailed, .tls, "the TLS handshake with \(host):\(port) failed: \(description)")
            case .posix where hasNoPath || [ENETUNREACH, ENETDOWN].contains(Int32(self.code)):
                (.notConnectedToInternet, .connect, "this machine has no network route to \(host):\(port)")
            case .posix, .other:
                (.cannotConnectToHost, .connect, "\(host):\(port) cannot be connected: \(description)")
            }
        let isPermitted = domain == .tls || domain == .dns && !hasNoPath
        let hint =
            isPermitted
            ? nil : PermissionHint.sockets(on: system) ?? PermissionHint.localNetwork(host: host, on: system)
        return TransportError(
            code, phase: phase, message: text + (hint.map { "; \($0)" } ?? ""), requestMayHaveBeenSent: false,
            underlying: self)
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
        case .timedOut(let last?, let hasNoPath) where hasNoPath || !last.isTimeout:
            return last.connecting(to: host, port: port, hasNoPath: hasNoPath)
        case .timedOut(let last, _):
            var error = TransportError.timedOut(.connect, after: limit, requestMayHaveBeenSent: false)
            error.underlying = last
            return error
        }
    }
}
