// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport
import Synchronization

/// The destination and the settings of a connection of Apple's Network framework.
package struct NetworkConnectionPlan: Sendable {
    /// A judgement of a server's certificates.
    ///
    /// It takes the chain in DER, the server's own certificate first, the name to verify, and the TLS options for the
    /// host. It returns `nil` if they are trusted, else the error of the connection. It runs on a queue of the
    /// connection, which it may block.
    package typealias Verify =
        @Sendable (_ chain: [Data], _ host: String, _ options: TLSOptions) -> TransportError?

    /// The settings for TLS.
    package struct TLS: Sendable {
        package let serverName: String
        package let minimumVersion: TLSOptions.Version
        package let maximumVersion: TLSOptions.Version
        /// The judgement; `nil` for that of the system, which default options need.
        package let judgement: Judgement?

        /// The versions by their numbers in the protocol, which `tls_protocol_version_t` uses as well.
        package var versions: (minimum: UInt16, maximum: UInt16) {
            (Self.number(minimumVersion), Self.number(maximumVersion))
        }

        private static func number(_ version: TLSOptions.Version) -> UInt16 {
            switch version {
            case .tls12: 0x0303
            case .tls13: 0x0304
            }
        }
    }

    /// The judgement of one connection's certificates, and its error.
    package final class Judgement: Sendable {
        private let verify: Verify
        private let host: String
        private let options: TLSOptions
        private let failure = Mutex<TransportError?>(nil)

        fileprivate init(_ verify: @escaping Verify, host: String, options: TLSOptions) {
            self.verify = verify
            self.host = host
            self.options = options
        }

        /// The error of the last chain that was not trusted.
        fileprivate var error: TransportError? { failure.withLock { $0 } }

        /// Returns true if a chain in DER is trusted.
        package func trusts(_ chain: [Data]) -> Bool {
            let error = verify(chain, host, options)
            failure.withLock { $0 = error }
            return error == nil
        }
    }

    package let host: String
    package let port: UInt16
    /// The settings for TLS; `nil` for a connection without it.
    package let tls: TLS?
    /// The time limit for DNS, TCP and TLS together; five minutes at most.
    package let limit: Duration
    /// The kinds of networks that the connection may use.
    package let access: NetworkAccess

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - target: The destination.
    ///   - options: The options of the request.
    ///   - verify: The judgement of certificates; `nil` for that of the system.
    /// - Throws: `TransportError` for options that the framework cannot keep.
    package init(_ target: UpgradeTarget, options: TransportOptions, verify: Verify?) throws(TransportError) {
        host = target.host
        port = UInt16(clamping: target.port)
        access = options.access
        guard options.route == RouteOptions() else { throw .unsupported("route") }
        let most = Duration.seconds(300)
        let connect = options.timeouts.connect ?? most
        guard target.isSecure else {
            tls = nil
            limit = min(connect, most)
            return
        }
        limit = min(connect + (options.timeouts.tls ?? most), most)
        let settings: TLSOptions
        do {
            settings = try options.tls.resolved(for: target.host)
        } catch {
            throw TransportError(
                .secureConnectionFailed, phase: .tls, message: "\(error)", requestMayHaveBeenSent: false,
                underlying: error)
        }
        let name = settings.serverName ?? target.host
        guard settings.identity == nil else { throw .unsupported("tls.identity") }
        // Apart from the name and the versions, the judgement applies the options, or they cannot be kept.
        var rest = settings
        rest.serverName = nil
        (rest.minimumVersion, rest.maximumVersion) = (.tls12, .tls13)
        let isJudged = rest != TLSOptions()
        guard verify != nil || !isJudged else { throw .unsupported("tls") }
        tls = TLS(
            serverName: name, minimumVersion: settings.minimumVersion, maximumVersion: settings.maximumVersion,
            judgement: isJudged ? verify.map { Judgement($0, host: name, options: settings) } : nil)
    }

    /// The properties of a connection that has just opened.
    package var info: ConnectionInfo {
        ConnectionInfo(
            id: ConnectionInfo.nextID(), applicationProtocol: "http/1.1", localAddress: nil,
            remoteAddress: "\(host):\(port)", tlsVersion: nil)
    }

    /// Returns the error of a connection that could not be opened.
    package func error(_ failure: NetworkConnectionStateMachine.Failure) -> TransportError {
        tls?.judgement?.error ?? failure.connecting(to: host, port: Int(port), limit: limit)
    }
}

extension TransportError {
    fileprivate static func unsupported(_ option: String) -> TransportError {
        TransportError(
            .unknown, phase: .total,
            message: "the option \(option) is not supported for WebSockets over Network.framework: "
                + "use the engine of SimorghNIO",
            requestMayHaveBeenSent: false)
    }
}
