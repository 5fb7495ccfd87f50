// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

/// Connects to one of the addresses of a name: a ``DialMachine`` at work on an event loop.
final class AddressDial {
    private typealias Machine = DialMachine<SocketAddress>

    private let lookup: AddressLookup
    private let loop: any EventLoop
    private let clock: LoopClock
    private let open: (SocketAddress, @escaping @Sendable (any Channel) -> Void) -> EventLoopFuture<any Channel>
    private let promise: EventLoopPromise<any Channel>
    private var machine = Machine()
    private var channels: [Int: any Channel] = [:]
    private var timers: [Machine.Timer: LoopTimer] = [:]
    private var lookupErrors: [any Error] = []
    private var errors: [any Error] = []
    private var actions: [Machine.Action] = []
    private var isPerforming = false

    /// - Parameters:
    ///   - lookup: Who knows the addresses.
    ///   - loop: Where all of it happens.
    ///   - clock: The loop's clock.
    ///   - promise: Who waits for it.
    ///   - open: Connects to an address, and shows the channel before it has connected.
    init(
        _ lookup: AddressLookup, on loop: any EventLoop, _ clock: LoopClock, _ promise: EventLoopPromise<any Channel>,
        open: @escaping (SocketAddress, @escaping @Sendable (any Channel) -> Void) -> EventLoopFuture<any Channel>
    ) {
        self.lookup = lookup
        self.loop = loop
        self.clock = clock
        self.promise = promise
        self.open = open
    }

    /// Begins, on the loop.
    func begin(host: String, port: Int, limit: Duration) {
        let start = machine.begin(limit: limit)
        perform(start, host, port)
    }

    /// Performs actions, and those that come of performing them after those that came before.
    private func perform(_ new: [Machine.Action], _ host: String, _ port: Int) {
        actions += new
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        var index = 0
        while index < actions.count {
            perform(actions[index], host, port)
            index += 1
        }
        actions = []
    }

    private func perform(_ action: Machine.Action, _ host: String, _ port: Int) {
        switch action {
        case .lookUp:
            for family in [AddressFamily.ipv6, .ipv4] {
                lookup.addresses(of: host, port: port, family).assumeIsolated().whenComplete { result in
                    if case .failure(let error) = result { self.lookupErrors.append(error) }
                    self.perform(self.machine.resolved(family, (try? result.get()) ?? []), host, port)
                }
            }
        case .cancelLookups: lookup.cancelQueries()
        case .startTimer(let timer, let time):
            let running = timers[timer] ?? LoopTimer(clock)
            timers[timer] = running
            running.start(time) {
                self.timers[timer] = nil
                self.perform(self.machine.fired(timer), host, port)
            } otherwise: {
                // What is looked up is answered on the loop, and so never again.
                self.timers[timer] = nil
                self.perform(self.machine.cancel(), host, port)
            }
        case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.stop()
        case .connect(let number, let address): connect(number, to: address, host, port)
        case .close(let number): channels.removeValue(forKey: number)?.close(promise: nil)
        case .succeed(let number):
            guard let channel = channels.removeValue(forKey: number) else { return promise.fail(ChannelError.eof) }
            promise.succeed(channel)
        case .fail(let failure): promise.fail(DialFailure(kind: failure, causes: lookupErrors + errors))
        }
    }

    private func connect(_ number: Int, to address: SocketAddress, _ host: String, _ port: Int) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let opening = open(address) { channel in
            // One that lost before it had a channel is closed by what follows.
            bound.value.channels[number] = channel
        }
        opening.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel):
                self.channels[number] = channel
                self.perform(self.machine.connected(number), host, port)
            case .failure(let error):
                self.channels[number] = nil
                self.errors.append(error)
                self.perform(self.machine.failed(number), host, port)
            }
        }
    }
}
