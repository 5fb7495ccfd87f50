// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOSSL
import SimorghCore
import Synchronization

/// What TLS needs to begin, made once for each way to verify: to load the system's roots takes milliseconds.
final class TLSContexts: Sendable {
    struct Context: Sendable {
        let context: NIOSSLContext
        let options: TLSOptions
        /// The name or address to verify.
        let host: String
        /// The name to verify and to send; `nil` for an address, which ``PeerVerification`` looks for in the certificate.
        let serverName: String?
    }

    /// More than this are not kept; the one used longest ago is made anew.
    private static let most = 32

    private struct Key: Hashable, Sendable {
        let options: TLSOptions
        let versions: Origin.Versions
        /// Whether the name is NIOSSL's to verify, as an address is not: it would take that of the socket, which may be a
        /// proxy's.
        let verifiesName: Bool
    }

    private struct State: Sendable {
        var contexts: [Key: NIOSSLContext] = [:]
        var order: [Key] = []
    }

    private let state = Mutex(State())

    func context(for origin: Origin) throws(TransportError) -> Context {
        try context(for: origin.tls, host: origin.host, versions: origin.versions)
    }

    /// What TLS needs with one host, be it the server or a proxy before it.
    func context(
        for options: TLSOptions, host: String, versions: Origin.Versions
    ) throws(TransportError) -> Context {
        let host = options.serverName?.lowercased() ?? host
        // The dot that makes a name absolute is no part of the name in a certificate.
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        let serverName = IPAddress(host) == nil ? name : nil
        let context = try context(
            for: Key(options: options, versions: versions, verifiesName: serverName != nil))
        return Context(context: context, options: options, host: name, serverName: serverName)
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
        let made: NIOSSLContext
        do {
            made = try NIOSSLContext.make(
                key.options, applicationProtocols: key.versions.applicationProtocols, verifiesName: key.verifiesName)
        } catch {
            throw TransportError(error)
        }
        return state.withLock { state in
            if let other = state.contexts[key] { return other }
            if state.order.count >= Self.most { state.contexts[state.order.removeFirst()] = nil }
            state.contexts[key] = made
            state.order.append(key)
            return made
        }
    }
}
