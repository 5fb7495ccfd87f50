// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOSSL
import SimorghCore
import Synchronization

/// What TLS needs to begin, made once for each way to verify: to load the system's roots takes milliseconds.
final class TLSContexts: Sendable {
    struct Context: Sendable {
        let context: NIOSSLContext
        /// The name to verify and to send; `nil` for an address, which is verified against the peer's.
        let serverName: String?
    }

    /// More than this are not kept; the one used longest ago is made anew.
    private static let most = 32

    private struct Key: Hashable, Sendable {
        let options: TLSOptions
        let versions: Origin.Versions
    }

    private struct State: Sendable {
        var contexts: [Key: NIOSSLContext] = [:]
        var order: [Key] = []
    }

    private let state = Mutex(State())

    func context(for origin: Origin) throws(TransportError) -> Context {
        Context(
            context: try context(for: Key(options: origin.tls, versions: origin.versions)),
            serverName: Self.serverName(origin.host))
    }

    private func context(for key: Key) throws(TransportError) -> NIOSSLContext {
        let known = state.withLock { state -> NIOSSLContext? in
            guard let context = state.contexts[key] else { return nil }
            if state.order.last != key {
                state.order.removeAll { $0 == key }
                state.order.append(key)
            }
            return context
        }
        if let known { return known }
        let made = try Self.make(key.options, key.versions)
        return state.withLock { state in
            if let other = state.contexts[key] { return other }
            if state.order.count >= Self.most { state.contexts[state.order.removeFirst()] = nil }
            state.contexts[key] = made
            state.order.append(key)
            return made
        }
    }

    private static func make(_ options: TLSOptions, _ versions: Origin.Versions) throws(TransportError) -> NIOSSLContext
    {
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.applicationProtocols = versions.applicationProtocols
            if !options.additionalRoots.isEmpty {
                let roots = try options.additionalRoots.flatMap { try NIOSSLCertificate.fromPEMBytes(Array($0.utf8)) }
                configuration.additionalTrustRoots = [.certificates(roots)]
            }
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw TransportError(
                .secureConnectionFailed, phase: .tls,
                message: "the TLS options are not usable: an additional root may not be a certificate in PEM",
                underlying: error)
        }
    }

    private static func serverName(_ host: String) -> String? {
        if (try? SocketAddress(ipAddress: host, port: 0)) != nil { return nil }
        // The dot that makes a name absolute is no part of the name in a certificate.
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}
