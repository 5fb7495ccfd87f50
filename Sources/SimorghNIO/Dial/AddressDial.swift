// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

/// Connects to one of the addresses of a name by performing the actions of a ``HappyEyeballsStateMachine`` on an event
/// loop.
final class AddressDial {
    private typealias Machine = HappyEyeballsStateMachine<SocketAddress>

    private let lookup: AddressLookup
    private let loop: any EventLoop
    private let clock: EventLoopTimerWheel
    private let open: (SocketAddress, @escaping @Sendable (any Channel) -> Void) -> EventLoopFuture<any Channel>
    private let promise: EventLoopPromise<any Channel>
    private var machine = Machine()
    private var channels: [Int: any Channel] = [:]
    private var timers: [Machine.Timer: EventLoopTimer] = [:]
    private var lookupErrors: [any Error] = []
    private var errors: [any Error] = []
    private var actions: [Machine.Action] = []
    private var isPerforming = false

    /// Creates a dial that has not begun.
    ///
    /// - Parameters:
    ///   - lookup: The source of the addresses.
    ///   - loop: The event loop on which everything runs.
    ///   - clock: The loop's clock.
    ///   - promise: The promise to complete with the connected channel or with an error.
    ///   - open: Connects to an address, and passes the channel to its closure before the channel has connected.
    init(
        _ lookup: AddressLookup, on loop: any EventLoop, clock: EventLoopTimerWheel,
        promise: EventLoopPromise<any Channel>,
        open: @escaping (SocketAddress, @escaping @Sendable (any Channel) -> Void) -> EventLoopFuture<any Channel>
    ) {
        self.lookup = lookup
        self.loop = loop
        self.clock = clock
        self.promise = promise
        self.open = open
    }

    /// Begins the dial; called on the loop.
    func begin(host: String, port: Int, limit: Duration) {
        let start = machine.begin(limit: limit)
        perform(start, host: host, port: port)
    }

    /// Performs actions.
    ///
    /// Actions that result from performing others run after all earlier ones.
    private func perform(_ new: [Machine.Action], host: String, port: Int) {
        actions += new
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        var index = 0
        while index < actions.count {
            perform(actions[index], host: host, port: port)
            index += 1
        }
        actions = []
    }

    private func perform(_ action: Machine.Action, host: String, port: Int) {
        switch action {
        case .lookUp:
            for family in [AddressFamily.ipv6, .ipv4] {
                lookup.addresses(of: host, port: port, family: family).assumeIsolated().whenComplete { result in
                    if case .failure(let error) = result { self.lookupErrors.append(error) }
                    self.perform(
                        self.machine.resolved(family, addresses: (try? result.get()) ?? []), host: host, port: port)
                }
            }
        case .cancelLookups: lookup.cancelQueries()
        case .startTimer(let timer, let time):
            let running = timers[timer] ?? EventLoopTimer(clock)
            timers[timer] = running
            running.start(time) {
                self.timers[timer] = nil
                self.perform(self.machine.timerFired(timer), host: host, port: port)
            } otherwise: {
                // The lookups complete only on this loop, so they will never complete.
                self.timers[timer] = nil
                self.perform(self.machine.cancel(), host: host, port: port)
            }
        case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.stop()
        case .connect(let number, let address): connect(number, to: address, host: host, port: port)
        case .close(let number): channels.removeValue(forKey: number)?.close(promise: nil)
        case .succeed(let number):
            guard let channel = channels.removeValue(forKey: number) else { return promise.fail(ChannelError.eof) }
            promise.succeed(channel)
        case .fail(let failure): promise.fail(DialError(kind: failure, causes: lookupErrors + errors))
        }
    }

    private func connect(_ number: Int, to address: SocketAddress, host: String, port: Int) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let opening = open(address) { channel in
            // If the attempt has already lost, the next actions close this channel.
            bound.value.channels[number] = channel
        }
        opening.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel):
                self.channels[number] = channel
                self.perform(self.machine.connected(number), host: host, port: port)
            case .failure(let error):
                self.channels[number] = nil
                self.errors.append(error)
                self.perform(self.machine.failed(number), host: host, port: port)
            }
        }
    }
}
