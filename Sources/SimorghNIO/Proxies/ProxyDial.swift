// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

/// Opens a tunnel through a SOCKS proxy to one of the addresses of a name, by performing the actions of
/// ``ProxyTargetStateMachine`` on the attempt's loop.
final class ProxyDial {
    /// Asks the proxy for an address, over a new connection; calls the closure if the proxy refuses.
    typealias Ask = (DialAttempt, String, _ sharers: Int, @escaping (TransportError) -> Void) throws(TransportError) ->
        Void

    private let attempt: DialAttempt
    private let lookup: AddressLookup
    private let ask: Ask
    private var targets = ProxyTargetStateMachine()
    /// Ends the wait of one address family for the other.
    private let delay: EventLoopTimer
    /// Ends the whole dial when its time is up.
    private let timer: EventLoopTimer
    private var error: TransportError?

    /// Creates a dial that has not begun; called on the loop.
    init(_ attempt: DialAttempt, lookup: AddressLookup, ask: @escaping Ask) {
        self.attempt = attempt
        let clock = attempt.pool.clock(of: attempt.loop)
        delay = EventLoopTimer(clock)
        timer = EventLoopTimer(clock)
        self.lookup = lookup
        self.ask = ask
    }

    /// Begins the dial; called on the loop.
    func begin() {
        // The system's lookup cannot be stopped, but its result can be ignored.
        timer.start(attempt.remaining) {
            // A running request to the proxy has its own share of the time.
            guard !self.targets.isBusy else { return }
            self.fail(
                self.error
                    ?? .timedOut(.connect, after: self.attempt.limit, requestMayHaveBeenSent: false))
        } otherwise: {
            // The loop will deliver no result; a running request ends with its connection.
            self.error = .eventLoopShutDown
            self.lookup.cancelQueries()
        }
        for family in [AddressFamily.ipv4, .ipv6] {
            lookup.addresses(of: attempt.origin.host, port: attempt.origin.port, family: family).assumeIsolated()
                .whenComplete { result in
                    if case .failure(let error as ResolverPool.FullError) = result {
                        self.error = .tooManyLookups(error)
                    }
                    self.perform(
                        self.targets.resolved(family, addresses: ((try? result.get()) ?? []).compactMap(\.ipAddress)))
                }
        }
    }

    private func perform(_ actions: [ProxyTargetStateMachine.Action]) {
        for action in actions {
            switch action {
            case .startTimer(let time): delay.start(time) { self.perform(self.targets.timerFired()) }
            case .cancelTimer: delay.stop()
            case .ask(let target, let sharers): ask(for: target, sharers: sharers)
            case .giveUp:
                fail(
                    error
                        ?? TransportError(
                            .cannotFindHost, phase: .connect,
                            message: "the name \(attempt.origin.host) has no address", requestMayHaveBeenSent: false))
            }
        }
    }

    private func ask(for target: String, sharers: Int) {
        let bound = NIOLoopBound(self, eventLoop: attempt.loop)
        let next = attempt.again { [attempt] result in
            // A callback off the loop means that the loop has been shut down; nothing is left to end.
            if attempt.loop.inEventLoop { bound.value.end() }
            attempt.complete(with: result)
        }
        do throws(TransportError) {
            try ask(next, target, sharers) { error in
                guard error.code == .timedOut || error.isTargetUnreachable, self.attempt.remaining > .zero else {
                    return self.fail(error)
                }
                self.error = error
                self.perform(self.targets.refused())
            }
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: TransportError) {
        end()
        attempt.complete(with: .failure(error))
    }

    private func end() {
        perform(targets.end())
        timer.stop()
        lookup.cancelQueries()
    }
}

extension TransportError {
    /// True if the proxy could not connect to this target, but may be able to connect to another one.
    fileprivate var isTargetUnreachable: Bool {
        guard let reply = (underlying as? ProxyError)?.socksReply else { return false }
        return [1, 3, 4, 5, 6, 8].contains(reply)
    }
}
