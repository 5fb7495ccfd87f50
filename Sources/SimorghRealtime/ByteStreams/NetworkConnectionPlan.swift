// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghNetwork
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
        @Sendable (_ chain: [[UInt8]], _ host: String, _ options: TLSOptions) -> TransportError?
    /// Creates a connection, which is not started yet; blocks while it imports the client's identity.
    package typealias Connect =
        @Sendable (NetworkConnectionPlan, ClientIdentity?) throws(TransportError) -> any ByteConnection
    /// Returns the rule that forbids the current network; `nil` if no rule forbids it, or if it is unknown.
    package typealias Objection = @Sendable () async -> NetworkAccessError.Rule?

    /// The settings for TLS.
    package struct TLS: Sendable {
        package let serverName: String
        package let versions: TLSVersionRange
        /// The client's identity; not in PEM.
        package let identity: TLSIdentity?
        /// The judgement; `nil` for that of the system, which default options need.
        package let judgement: Judgement?

        /// True if the connection may continue a TLS session of an earlier one.
        ///
        /// Its handshake sends no certificates: the server is not judged again, and may know this client by the identity
        /// of the earlier connection.
        package var allowsResumption: Bool { judgement == nil && identity == nil }
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
        package func trusts(_ chain: [[UInt8]]) -> Bool {
            let error = verify(chain, host, options)
            failure.withLock { $0 = error }
            return error == nil
        }
    }

    package let host: String
    package let port: UInt16
    package let proxy: SystemProxy
    /// The settings for TLS; `nil` for a connection without it.
    package let tls: TLS?
    /// The time limit for DNS, TCP and TLS together; five minutes at most.
    package let limit: Duration
    /// The kinds of networks that the connection may use.
    package let access: NetworkAccess
    /// Asks the monitor if ``access`` forbids the current network; `nil` without rules or without a monitor.
    package let objection: Objection?

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
        objection = Self.objection(of: options)
        let route = try SystemProxy.route(
            options.route, to: target.host, port: target.port, isSecure: target.isSecure,
            unsupported: TransportError.unsupported)
        proxy = try SystemProxy(route, options: options, unsupported: TransportError.unsupported)
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
            throw TransportError(error)
        }
        let name = settings.serverName ?? target.host
        if settings.identity?.isPEM == true {
            throw .unsupported("tls.identity", reason: ClientIdentity.reasonAgainstPEM)
        }
        // Apart from the name, the versions and the identity, the judgement applies the options, or they cannot be kept.
        var rest = settings
        (rest.serverName, rest.identity) = (nil, nil)
        (rest.minimumVersion, rest.maximumVersion) = (.tls12, .tls13)
        let isJudged = rest != TLSOptions()
        guard verify != nil || !isJudged else {
            throw .unsupported("tls", reason: "only URLSessionTransport.networkWebSockets judges certificates")
        }
        tls = TLS(
            serverName: name, versions: TLSVersionRange(settings), identity: settings.identity,
            judgement: isJudged ? verify.map { Judgement($0, host: name, options: rest) } : nil)
    }

    private static func objection(of options: TransportOptions) -> Objection? {
        guard let monitor = options.monitor, options.access != NetworkAccess() else { return nil }
        return { [access = options.access] in access.objection(to: await monitor.awaitedStatus()) }
    }

    /// Creates the connection; reads and imports the client's identity outside the task pool.
    ///
    /// - Parameter connect: Creates a connection.
    /// - Returns: The connection, which is not started yet.
    /// - Throws: `TransportError` if the identity cannot be used, or if the task is cancelled.
    func connection(by connect: @escaping Connect) async throws(TransportError) -> any ByteConnection {
        do {
            guard let identity = tls?.identity else { return try connect(self, nil) }
            return try await FileQueue.runUntilCancelled { try connect(self, ClientIdentity(reading: identity)) }
        } catch let error as TLSOptionsError {
            throw TransportError(error)
        } catch let error as TransportError {
            throw error
        } catch {
            throw .cancelled(phase: .connect)
        }
    }

    /// The properties of a connection that has just opened.
    package var info: ConnectionInfo {
        ConnectionInfo(
            id: ConnectionInfo.nextID(), applicationProtocol: "http/1.1", localAddress: nil,
            remoteAddress: "\(host):\(port)", tlsVersion: nil, proxy: proxy.address)
    }

    /// Returns the error of a connection that could not be opened.
    package func error(_ failure: NetworkConnectionStateMachine.Failure) -> TransportError {
        if let error = tls?.judgement?.error { return error }
        var error = failure.connecting(to: host, port: Int(port), limit: limit)
        switch failure {
        // The system does not report if the proxy or the server has failed.
        case .failed, .timedOut: if let address = proxy.address { error.message += " (through the proxy \(address))" }
        case .forbidden, .cancelled: break
        }
        return error
    }
}

extension TransportError {
    fileprivate static func unsupported(_ option: String, reason: String) -> TransportError {
        TransportError(
            .unknown, phase: .total,
            message: "the option \(option) is not supported for WebSockets over Network.framework: \(reason); "
                + "or use the engine of SimorghNIO",
            requestMayHaveBeenSent: false)
    }
}
