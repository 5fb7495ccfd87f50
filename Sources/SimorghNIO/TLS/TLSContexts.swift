// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
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

    typealias Tell = @Sendable (Result<Context, TransportError>) -> Void

    /// More than this are not kept; the one used longest ago is made anew.
    private static let most = 128

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
        /// Who waits for one that is being made.
        var waiting: [Key: [@Sendable (Result<NIOSSLContext, TransportError>) -> Void]] = [:]
    }

    private let state = Mutex(State())
    /// Files are read and roots loaded there, and not on the thread of who asks, which may be an event loop.
    private let queue = DispatchQueue(label: "simorgh.tls", attributes: .concurrent)

    /// What TLS needs with one host, be it the server or a proxy before it.
    ///
    /// - Parameters:
    ///   - options: What the user says.
    ///   - host: The name or address.
    ///   - versions: What is offered to speak.
    ///   - tell: Told at once what is known already, and on another thread what has to be made.
    func context(for options: TLSOptions, host: String, versions: Origin.Versions, then tell: @escaping Tell) {
        let host = options.serverName?.lowercased() ?? host
        // The dot that makes a name absolute is no part of the name in a certificate.
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        let serverName = IPAddress(host) == nil ? name : nil
        context(for: Key(options: options, versions: versions, verifiesName: serverName != nil)) { result in
            tell(result.map { Context(context: $0, options: options, host: name, serverName: serverName) })
        }
    }

    private enum Found {
        case known(NIOSSLContext)
        case isBeingMade
        case isToBeMade
    }

    private func context(
        for key: Key, then tell: @escaping @Sendable (Result<NIOSSLContext, TransportError>) -> Void
    ) {
        let found = state.withLock { state -> Found in
            if let context = state.contexts[key] {
                if state.order.last != key {
                    state.order.removeAll { $0 == key }
                    state.order.append(key)
                }
                return .known(context)
            }
            // Who comes while it is made waits for the same.
            state.waiting[key, default: []].append(tell)
            return state.waiting[key]?.count == 1 ? .isToBeMade : .isBeingMade
        }
        switch found {
        case .known(let context): tell(.success(context))
        case .isBeingMade: break
        case .isToBeMade: queue.async { self.make(key) }
        }
    }

    private func make(_ key: Key) {
        let made: Result<NIOSSLContext, TransportError>
        do {
            made = .success(
                try NIOSSLContext.make(
                    key.options, applicationProtocols: key.versions.applicationProtocols,
                    verifiesName: key.verifiesName))
        } catch {
            made = .failure(TransportError(error))
        }
        let waiting = state.withLock { state in
            if case .success(let context) = made {
                if state.order.count >= Self.most { state.contexts[state.order.removeFirst()] = nil }
                state.contexts[key] = context
                state.order.append(key)
            }
            return state.waiting.removeValue(forKey: key) ?? []
        }
        for tell in waiting { tell(made) }
    }

    /// Makes none until what is returned is called; for tests.
    func hold() -> @Sendable () -> Void {
        queue.suspend()
        return { [queue] in queue.resume() }
    }

    /// How many were made and are kept; for tests.
    var count: Int { state.withLock { $0.contexts.count } }
}
