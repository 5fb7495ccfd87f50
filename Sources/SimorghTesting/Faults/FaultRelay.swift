// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import SimorghSupport

/// One end of a relayed connection: passes its received bytes through a ``FaultDirectionStateMachine`` to the other end,
/// on the same event loop.
final class FaultRelay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var direction: FaultDirectionStateMachine
    private var context: ChannelHandlerContext?
    /// The other end; `nil` once either has ended.
    private var other: FaultRelay?
    private var timer: Scheduled<Void>?
    private let loop: any EventLoop
    private var actions: [FaultDirectionStateMachine.Action] = []
    private var isPerforming = false
    private var hasEnded = false
    /// True if its connection has closed; bytes received before may still be in flight.
    private var isInactive = false
    /// Called once, when the connection is open.
    private var opened: (() -> Void)?

    init(_ faults: FaultProxy.Faults, on loop: any EventLoop) {
        let pauses = faults.pauses.flatMap { $0.beginsAtRandom ? $0 : nil }
        direction = FaultDirectionStateMachine(faults, offset: pauses.map { Int.random(in: 0..<$0.bytes) } ?? 0)
        self.loop = loop
    }

    /// Calls a function once the connection is open, which an accepted one is only after its handlers were added.
    func whenOpened(_ body: @escaping () -> Void) { opened = body }

    /// Starts relaying between two connected ends.
    static func join(_ one: FaultRelay, with two: FaultRelay) {
        (one.other, two.other) = (two, one)
        let now = NIODeadline.now()
        for end in [one, two] where end.other != nil { end.perform(end.direction.connectionOpened(now: now)) }
    }

    /// Closes both ends.
    func close() {
        let ends = (self, other)
        ends.0.disconnect()
        ends.1?.disconnect()
    }

    private func disconnect() {
        other = nil
        timer?.cancel()
        timer = nil
        context?.close(promise: nil)
    }

    private func reset() {
        let ends = [self, other].compactMap { $0 }
        for end in ends {
            end.other = nil
            end.timer?.cancel()
            guard let channel = end.context?.channel else { continue }
            guard let socket = channel as? any SocketOptionProvider else {
                channel.close(promise: nil)
                continue
            }
            socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel.close(promise: nil) }
        }
    }

    /// Performs actions in order.
    ///
    /// A write may produce more actions before the current ones are finished. They are appended, because otherwise
    /// bytes would be reordered.
    private func perform(_ new: [FaultDirectionStateMachine.Action]) {
        actions += new
        guard !isPerforming else { return }
        isPerforming = true
        defer {
            isPerforming = false
            actions = []
        }
        var index = 0
        while index < actions.count {
            let action = actions[index]
            index += 1
            guard let other else { return }
            switch action {
            case .write(let bytes): other.write(bytes, for: self)
            case .finish: other.finish(isAll: isInactive)
            case .cut(.halfClose): other.finish(isAll: false)
            case .cut(.close): close()
            case .cut(.reset): reset()
            case .cut(.stall): break
            case .read: context?.read()
            case .startTimer(let time):
                timer = loop.assumeIsolated().scheduleTask(deadline: time) {
                    self.timer = nil
                    self.perform(self.direction.timerFired(now: .now()))
                }
            }
        }
    }

    private func write(_ bytes: ByteBuffer, for sender: FaultRelay) {
        guard let context else { return close() }
        let count = bytes.readableBytes
        context.writeAndFlush(wrapOutboundOut(bytes)).assumeIsolated().whenComplete { result in
            guard case .success = result else { return }
            sender.perform(sender.direction.didWrite(count, now: .now()))
        }
    }

    /// Closes the output after all written bytes.
    private func finish(isAll: Bool) {
        guard let context else { return close() }
        context.close(mode: .output).assumeIsolated().whenComplete { _ in
            if isAll { self.close() }
        }
    }

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        perform(direction.didReachEnd(now: .now()))
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { (self.context, opened) = (nil, nil) }

    func channelActive(context: ChannelHandlerContext) {
        opened.take()?()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        perform(direction.didReceive(unwrapInboundIn(data), now: .now()))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { end() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // If one end was reset, the other is reset, too.
        if error is IOError { reset() } else { close() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isInactive = true
        end()
        if other?.isInactive ?? true { close() }
        context.fireChannelInactive()
    }
}
