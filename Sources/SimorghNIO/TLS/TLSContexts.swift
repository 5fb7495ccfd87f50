// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import NIOCore
import NIOSSL
import SimorghCore
import SimorghSupport
import Synchronization

/// What TLS needs to begin, made once for each way to verify: to load the system's roots takes milliseconds, and some
/// memory.
///
/// However many ways there are, a few are made at once, the rest wait in a line with a bound, and so many are kept. Those
/// who wait for them have a bound, too: what is read from files may take for ever.
package final class TLSContexts: Sendable {
    struct Context: Sendable {
        let context: NIOSSLContext
        let options: TLSOptions
        /// The name or address to verify.
        let host: String
        /// The name to send in the handshake (SNI); `nil` for an address, which is not sent.
        let serverName: String?
    }

    typealias Tell = @Sendable (Result<Context, TransportError>) -> Void

    /// More than this are not kept; the one used longest ago is made anew.
    package static let most = 128
    /// So many are made at once.
    package static let mostAtOnce = 4
    /// So many are made at once that read files of the user's.
    ///
    /// Those may lie where that takes for ever, so they hold up none that reads none, and one does not hold up the next.
    package static let mostReading = 32
    /// So many of each of the two kinds wait in line; another one fails.
    package static let mostInLine = 1024

    private struct Key: Hashable, Sendable {
        let options: TLSOptions
        let versions: Origin.Versions
        /// True if the name is verified within the handshake, by the system and by NIOSSL, before ``PeerVerification`` does.
        let verifiesNameEarly: Bool
    }

    /// What is being made, and what waits for its turn.
    private struct Making: Sendable {
        let most: Int
        var count = 0
        var line = CircularBuffer<Key>()

        init(most: Int) { self.most = most }
    }

    private struct State: Sendable {
        var contexts: [Key: NIOSSLContext] = [:]
        var order: [Key] = []
        /// Who waits for one that is being made, or in line for that, each by a number.
        var waiting: [Key: [UInt64: @Sendable (Result<NIOSSLContext, TransportError>) -> Void]] = [:]
        var lastNumber: UInt64 = 0
        /// How many these are.
        var waiters = 0
        private var plain = Making(most: TLSContexts.mostAtOnce)
        private var reading = Making(most: TLSContexts.mostReading)

        /// What is being made of those that read files of the user's, or of those that do not.
        subscript(readsFiles readsFiles: Bool) -> Making {
            get { readsFiles ? reading : plain }
            set { if readsFiles { reading = newValue } else { plain = newValue } }
        }

        var making: Int { plain.count + reading.count }
        var inLine: Int { plain.line.count + reading.line.count }
    }

    private let state = Mutex(State())
    private let mostWaiting: Int
    /// Files are read and roots loaded there, and not on the thread of who asks, which may be an event loop.
    private let queue = DispatchQueue(label: "simorgh.tls", attributes: .concurrent)

    /// - Parameter mostWaiting: How many wait at once for one to be made; another one fails.
    init(mostWaiting: Int) { self.mostWaiting = max(1, mostWaiting) }

    /// What TLS needs with one host, be it the server or a proxy before it.
    ///
    /// - Parameters:
    ///   - options: What the user says.
    ///   - host: The name or address.
    ///   - versions: What is offered to speak.
    ///   - tell: Told at once what is known already, and on another thread what has to be made.
    /// - Returns: To be called when nobody waits any more, who is told nothing then; `nil` where nobody does.
    func context(
        for options: TLSOptions, host: String, versions: Origin.Versions, then tell: @escaping Tell
    ) -> (@Sendable () -> Void)? {
        let host = options.serverName.map { HostRules.name($0) ?? $0.lowercased() } ?? host
        // The dot that makes a name absolute is no part of the name in a certificate.
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        let serverName = IPAddress(host) == nil ? name : nil
        // An address is none of theirs: NIOSSL would take that of the socket, which may be a proxy's.
        let verifiesNameEarly = serverName != nil && options.verifiesNameEarly
        let key = Key(options: options, versions: versions, verifiesNameEarly: verifiesNameEarly)
        return context(for: key) { result in
            tell(result.map { Context(context: $0, options: options, host: name, serverName: serverName) })
        }
    }

    private enum Found {
        case known(NIOSSLContext)
        case isBeingMade(for: UInt64)
        case isToBeMade(for: UInt64)
        case isTooMuch
    }

    private func context(
        for key: Key, then tell: @escaping @Sendable (Result<NIOSSLContext, TransportError>) -> Void
    ) -> (@Sendable () -> Void)? {
        let found = state.withLock { state -> Found in
            if let context = state.contexts[key] {
                if state.order.last != key {
                    state.order.removeAll { $0 == key }
                    state.order.append(key)
                }
                return .known(context)
            }
            guard state.waiters < mostWaiting else { return .isTooMuch }
            let number = state.lastNumber + 1
            // Who comes while it is made waits for the same.
            if state.waiting[key] != nil {
                state.waiting[key]?[number] = tell
                state.lastNumber = number
                state.waiters += 1
                return .isBeingMade(for: number)
            }
            var making = state[readsFiles: key.options.readsFiles]
            let isNext = making.count < making.most
            guard isNext || making.line.count < Self.mostInLine else { return .isTooMuch }
            if isNext { making.count += 1 } else { making.line.append(key) }
            state[readsFiles: key.options.readsFiles] = making
            state.waiting[key] = [number: tell]
            state.lastNumber = number
            state.waiters += 1
            return isNext ? .isToBeMade(for: number) : .isBeingMade(for: number)
        }
        switch found {
        case .known(let context):
            tell(.success(context))
            return nil
        case .isBeingMade(let number): return { self.leave(key, number) }
        case .isToBeMade(let number):
            queue.async { self.make(key) }
            return { self.leave(key, number) }
        case .isTooMuch:
            tell(
                .failure(
                    TransportError(
                        .resourceUnavailable, phase: .connect,
                        message: "too many connections, or different options of TLS, wait for TLS to be made ready",
                        requestMayHaveBeenSent: false)))
            return nil
        }
    }

    /// Somebody waits no longer: what takes for ever must not hold a place for each who gave it up.
    ///
    /// What is being made goes on, for the next; what waits for its turn with nobody behind it leaves the line.
    private func leave(_ key: Key, _ number: UInt64) {
        state.withLock { state in
            guard state.waiting[key]?.removeValue(forKey: number) != nil else { return }
            state.waiters -= 1
            var making = state[readsFiles: key.options.readsFiles]
            guard state.waiting[key]?.isEmpty == true, let place = making.line.firstIndex(of: key) else { return }
            making.line.remove(at: place)
            state[readsFiles: key.options.readsFiles] = making
            state.waiting[key] = nil
        }
    }

    private func make(_ key: Key) {
        let made: Result<NIOSSLContext, TransportError>
        do {
            made = .success(
                try NIOSSLContext.make(
                    key.options, applicationProtocols: key.versions.applicationProtocols,
                    verifiesNameEarly: key.verifiesNameEarly))
        } catch {
            made = .failure(TransportError(error))
        }
        let (waiting, next) = state.withLock {
            state -> ([@Sendable (Result<NIOSSLContext, TransportError>) -> Void], Key?) in
            if case .success(let context) = made {
                if state.order.count >= Self.most { state.contexts[state.order.removeFirst()] = nil }
                state.contexts[key] = context
                state.order.append(key)
            }
            var making = state[readsFiles: key.options.readsFiles]
            let next = making.line.popFirst()
            if next == nil { making.count -= 1 }
            state[readsFiles: key.options.readsFiles] = making
            let waiting = state.waiting.removeValue(forKey: key) ?? [:]
            state.waiters -= waiting.count
            return (Array(waiting.values), next)
        }
        if let next { queue.async { self.make(next) } }
        for tell in waiting { tell(made) }
    }

    /// Makes none until what is returned is called; for tests.
    func hold() -> @Sendable () -> Void {
        queue.suspend()
        return { [queue] in queue.resume() }
    }

    /// How many are kept, how many are being made, and how many wait for that; for tests.
    var counts: (kept: Int, making: Int, inLine: Int) {
        state.withLock { ($0.contexts.count, $0.making, $0.inLine) }
    }
}

extension TLSOptions {
    /// True if a client's certificate would be shown before ``PeerVerification`` has looked at the server's: where the system
    /// verifies, which tells nothing until the handshake is over.
    ///
    /// Names with an underscore are refused then, as NIOSSL does.
    fileprivate var verifiesNameEarly: Bool {
        guard PlatformHandler.systemVerifies, identity != nil, evaluation?.replacesVerification != true else {
            return false
        }
        if case .only = trust { return false }
        return true
    }

    /// Whether a file of the user's has to be read to begin with them.
    fileprivate var readsFiles: Bool {
        var sources: [PEMSource]
        switch trust {
        case .system: sources = []
        case .systemAnd(let roots), .only(let roots): sources = roots
        @unknown default: return true
        }
        if let identity { sources += [identity.certificates, identity.key] }
        return sources.contains { source in
            if case .text = source { return false }
            return true
        }
    }
}
