// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import NIOCore
import NIOSSL
import SimorghCore
import SimorghSupport
import Synchronization

/// A bounded cache of TLS contexts, one for each set of options: loading the system's roots takes milliseconds and
/// memory.
///
/// A few contexts are made at once, the rest wait in a bounded queue, and a limited number is kept. The waiters are
/// limited as well, because reading the user's files may block forever.
package final class TLSContexts: Sendable {
    struct Context: Sendable {
        let context: NIOSSLContext
        let options: TLSOptions
        /// The name or address to verify.
        let host: String
        /// The name to send in the handshake (SNI); `nil` for an IP address, which must not be sent.
        let serverName: String?
    }

    typealias Completion = @Sendable (Result<Context, TransportError>) -> Void

    /// The maximum number of cached contexts; the least recently used one is evicted.
    package static let maximumCached = 128
    /// The maximum number of contexts that are made at once.
    package static let maximumConcurrent = 4
    /// The maximum number of contexts that are made at once and read the user's files.
    ///
    /// Reading these files may block forever. The separate limit keeps them from blocking the contexts that read no
    /// files; its size keeps one of them from blocking the next.
    package static let maximumReadingFiles = 32
    /// The maximum number of queued contexts of each of the two kinds; further ones fail.
    package static let maximumQueued = 1024

    private struct Key: Hashable, Sendable {
        let options: TLSOptions
        let versions: Origin.Versions
    }

    /// The number of contexts that are being made, and the queue of those that wait.
    private struct Making: Sendable {
        let limit: Int
        var count = 0
        var queue = CircularBuffer<Key>()

        init(limit: Int) { self.limit = limit }
    }

    private struct State: Sendable {
        var contexts: [Key: NIOSSLContext] = [:]
        var order: [Key] = []
        /// The waiters for each context that is being made or queued, by their numbers.
        var waiting: [Key: [UInt64: @Sendable (Result<NIOSSLContext, TransportError>) -> Void]] = [:]
        var lastNumber: UInt64 = 0
        /// The number of waiters.
        var waiters = 0
        private var plain = Making(limit: TLSContexts.maximumConcurrent)
        private var reading = Making(limit: TLSContexts.maximumReadingFiles)

        /// The contexts that are being made of one kind: those that read the user's files, or those that do not.
        subscript(readsFiles readsFiles: Bool) -> Making {
            get { readsFiles ? reading : plain }
            set { if readsFiles { reading = newValue } else { plain = newValue } }
        }

        var making: Int { plain.count + reading.count }
        var queued: Int { plain.queue.count + reading.queue.count }
    }

    private let state = Mutex(State())
    private let maximumWaiters: Int
    /// Reads files and loads roots off the caller's thread, which may be an event loop.
    private let queue = DispatchQueue(label: "simorgh.tls", attributes: .concurrent)

    /// Creates an empty cache.
    ///
    /// - Parameter maximumWaiters: The maximum number of waiters; further ones fail.
    init(maximumWaiters: Int) { self.maximumWaiters = max(1, maximumWaiters) }

    /// Gets the TLS context for one host, which is the server or its proxy.
    ///
    /// - Parameters:
    ///   - options: The user's options.
    ///   - host: The name or address.
    ///   - versions: The HTTP versions to offer by ALPN.
    ///   - completion: Called at once for a cached context or a rejected request, and on another thread for a new
    ///     context.
    /// - Returns: A closure that cancels the wait, after which `completion` is not called; `nil` if `completion` was
    ///   called already.
    func context(
        for options: TLSOptions, host: String, versions: Origin.Versions, then completion: @escaping Completion
    ) -> (@Sendable () -> Void)? {
        let host = options.serverName.map { HostSyntax.normalized($0) ?? $0.lowercased() } ?? host
        // The dot that marks an absolute name is not part of the name in a certificate.
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        let serverName = IPAddress(host) == nil ? name : nil
        let key = Key(options: options, versions: versions)
        return context(for: key) { result in
            completion(result.map { Context(context: $0, options: options, host: name, serverName: serverName) })
        }
    }

    private enum Found {
        case cached(NIOSSLContext)
        case inProgress(for: UInt64)
        case mustMake(for: UInt64)
        case tooManyWaiters
    }

    private func context(
        for key: Key, then completion: @escaping @Sendable (Result<NIOSSLContext, TransportError>) -> Void
    ) -> (@Sendable () -> Void)? {
        let found = state.withLock { state -> Found in
            if let context = state.contexts[key] {
                if state.order.last != key {
                    state.order.removeAll { $0 == key }
                    state.order.append(key)
                }
                return .cached(context)
            }
            guard state.waiters < maximumWaiters else { return .tooManyWaiters }
            let number = state.lastNumber + 1
            // Later callers wait for the same context.
            if state.waiting[key] != nil {
                state.waiting[key]?[number] = completion
                state.lastNumber = number
                state.waiters += 1
                return .inProgress(for: number)
            }
            var making = state[readsFiles: key.options.readsFiles]
            let isNext = making.count < making.limit
            guard isNext || making.queue.count < Self.maximumQueued else { return .tooManyWaiters }
            if isNext { making.count += 1 } else { making.queue.append(key) }
            state[readsFiles: key.options.readsFiles] = making
            state.waiting[key] = [number: completion]
            state.lastNumber = number
            state.waiters += 1
            return isNext ? .mustMake(for: number) : .inProgress(for: number)
        }
        switch found {
        case .cached(let context):
            completion(.success(context))
            return nil
        case .inProgress(let number): return { self.removeWaiter(key, number: number) }
        case .mustMake(let number):
            queue.async { self.make(key) }
            return { self.removeWaiter(key, number: number) }
        case .tooManyWaiters:
            completion(
                .failure(
                    TransportError(
                        .resourceUnavailable, phase: .connect,
                        message: "too many connections or different TLS options are waiting for a TLS context",
                        requestMayHaveBeenSent: false)))
            return nil
        }
    }

    /// Removes a waiter: blocked file reads must not keep their waiters in memory.
    ///
    /// A context that is being made is finished and cached. A queued one without waiters leaves the queue.
    private func removeWaiter(_ key: Key, number: UInt64) {
        state.withLock { state in
            guard state.waiting[key]?.removeValue(forKey: number) != nil else { return }
            state.waiters -= 1
            var making = state[readsFiles: key.options.readsFiles]
            guard state.waiting[key]?.isEmpty == true, let index = making.queue.firstIndex(of: key) else { return }
            making.queue.remove(at: index)
            state[readsFiles: key.options.readsFiles] = making
            state.waiting[key] = nil
        }
    }

    private func make(_ key: Key) {
        let result: Result<NIOSSLContext, TransportError>
        do {
            result = .success(
                try NIOSSLContext.make(
                    key.options, applicationProtocols: key.versions.applicationProtocols))
        } catch {
            result = .failure(TransportError(error))
        }
        let (waiting, next) = state.withLock {
            state -> ([@Sendable (Result<NIOSSLContext, TransportError>) -> Void], Key?) in
            if case .success(let context) = result {
                if state.order.count >= Self.maximumCached { state.contexts[state.order.removeFirst()] = nil }
                state.contexts[key] = context
                state.order.append(key)
            }
            var making = state[readsFiles: key.options.readsFiles]
            let next = making.queue.popFirst()
            if next == nil { making.count -= 1 }
            state[readsFiles: key.options.readsFiles] = making
            let waiting = state.waiting.removeValue(forKey: key) ?? [:]
            state.waiters -= waiting.count
            return (Array(waiting.values), next)
        }
        if let next { queue.async { self.make(next) } }
        for completion in waiting { completion(result) }
    }

    /// Makes no contexts until the returned closure is called; for tests.
    func hold() -> @Sendable () -> Void {
        queue.suspend()
        return { [queue] in queue.resume() }
    }

    /// The numbers of contexts that are cached, being made, and queued; for tests.
    var counts: (cached: Int, making: Int, queued: Int) {
        state.withLock { ($0.contexts.count, $0.making, $0.queued) }
    }
}

extension TLSOptions {
    /// True if these options require reading the user's files.
    fileprivate var readsFiles: Bool {
        var sources: [PEMSource]
        switch trust {
        case .system: sources = []
        case .systemAnd(let roots), .only(let roots): sources = roots
        @unknown default: return true
        }
        switch identity?.source {
        case .pem(let certificates, let key): sources += [certificates, key]
        case .archive(.file): return true
        case .archive, .keychain, nil: break
        }
        return sources.contains { source in
            if case .text = source { return false }
            return true
        }
    }
}
