// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOSSL
import SimorghCore
import SimorghRealtime

/// Sends an upgrade request on a connection, reads the response, and leaves the pipeline to the handlers of the new
/// protocol.
final class UpgradeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The callbacks of the owner.
    ///
    /// Exactly one of them is called, once.
    struct Owner {
        let failed: (TransportError) -> Void
        let refused: (TransportResponse) -> Void
        /// Takes over the connection.
        ///
        /// Returns false if no caller waits for it.
        let agreed: (TransportResponse) throws -> Bool
    }

    private let connection: PooledConnection
    private let plan: RequestPlan
    private let owner: Owner
    private let bodyLimit: Int
    private var parser = ResponseParser()
    private var unread = ByteBuffer()
    private var machine = UpgradeResponseStateMachine()
    /// The response of a server that refuses, whose body is being received.
    private var refusal: TransportResponse?
    private var body = CollectedBody()
    private var timings = ExchangeTimings()
    private var began = NIODeadline.now()
    private var requestedAt = NIODeadline.now()
    /// The time at which the body of a refusal is truncated, even if it still arrives.
    ///
    /// Its status matters more.
    private var bodyDeadline = NIODeadline.distantFuture
    /// The timer, restarted at each part of a refusal's body.
    private var timer: EventLoopTimer?
    private var context: ChannelHandlerContext?
    /// The error that ended the connection, or TLS without `close_notify`.
    private var cause: (any Error)?

    private var timeouts: Timeouts { plan.request.options.timeouts }

    init(_ connection: PooledConnection, plan: RequestPlan, owner: Owner) {
        self.connection = connection
        self.plan = plan
        self.owner = owner
        bodyLimit = UpgradeResponseStateMachine.bodyLimit(plan.request.options)
    }

    /// Sends the request.
    ///
    /// - Parameter began: The time at which the exchange began.
    func begin(from began: NIODeadline) {
        guard let context else { return }
        timer = EventLoopTimer(connection.pool.clock(of: context.eventLoop))
        self.began = began
        requestedAt = .now()
        (timings.dns, timings.connect, timings.tls) = (connection.dnsTime, connection.connectTime, connection.tlsTime)
        parser.begin(isHead: false, limits: plan.request.options.limits)
        arm(timeouts.head) {
            self.perform(self.machine.ended(.timedOut(.head, after: $0, requestMayHaveBeenSent: true)))
        }
        let head = plan.writeHead()
        timings.sentBytes = Int64(head.readableBytes)
        context.writeAndFlush(wrapOutboundOut(head), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        timings.receivedBytes += Int64(bytes.readableBytes)
        if unread.readableBytes == 0 { unread = bytes } else { unread.writeBuffer(&bytes) }
        do {
            while machine.isWaiting, let event = try parser.next(&unread) {
                switch event {
                case .head(let head): received(head)
                // The part of the body beyond the limit is dropped; the status matters more.
                case .body(let part): if !body.append(part, upTo: bodyLimit) { perform(machine.bodyEnded()) }
                case .end: perform(machine.bodyEnded())
                }
            }
            if machine.isWaiting, refusal != nil { armIdle() }
        } catch {
            perform(machine.failed(error))
        }
    }

    private func received(_ head: ResponseHead) {
        let action = machine.received(head)
        let now = NIODeadline.now()
        let response = { [self] in
            timings.firstByte = now.since(requestedAt)
            timings.total = now.since(began)
            // Bytes after the response belong to the new protocol.
            if head.shape.status == 101 { timings.receivedBytes -= Int64(unread.readableBytes) }
            return TransportResponse(head: head.response, timings: timings, connection: connection.info)
        }
        switch action {
        case .readBody(let limit):
            refusal = response()
            bodyDeadline = now.after(limit)
            body.expected = head.contentLength
        case .switchProtocols:
            timer?.stop()
            if let context { switchProtocol(response(), context: context) }
        case .wait, .report, .refuse, .fail: perform(action)
        }
    }

    private func perform(_ action: UpgradeResponseStateMachine.Action) {
        switch action {
        case .wait, .readBody, .switchProtocols: break
        case .report(let response): plan.request.options.informational?(response)
        case .refuse: refuse()
        case .fail(let error): fail(error)
        }
    }

    private func switchProtocol(_ response: TransportResponse, context: ChannelHandlerContext) {
        do {
            guard try owner.agreed(response) else { return context.close(promise: nil) }
        } catch {
            context.close(promise: nil)
            return owner.failed(
                error as? TransportError
                    ?? .badResponse("the response to the upgrade is not valid: \(error)", phase: .head, cause: error))
        }
        if unread.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(unread))
            context.fireChannelReadComplete()
        }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    /// Ends with the response of a server that refused.
    private func refuse() {
        guard var response = refusal.take() else { return }
        timer?.stop()
        let data = body.data
        response.body = ResponseBody(data.count > bodyLimit ? data.prefix(bodyLimit) : data)
        response.timings.total = NIODeadline.now().since(began)
        response.timings.receivedBytes = timings.receivedBytes
        context?.close(promise: nil)
        owner.refused(response)
    }

    private func fail(_ error: TransportError) {
        timer?.stop()
        context?.close(promise: nil)
        timings.total = NIODeadline.now().since(began)
        var error = error
        error.facts = AttemptDetails(timings: timings, connection: connection.info)
        owner.failed(error)
    }

    private func arm(_ limit: Duration?, action: @escaping (Duration) -> Void) {
        guard let limit else {
            timer?.stop()
            return
        }
        timer?.start(limit) { action(limit) }
    }

    /// Truncates a body that stalls.
    private func armIdle() {
        let left = bodyDeadline.since(.now())
        arm(max(.zero, min(timeouts.idle ?? left, left))) { _ in self.perform(self.machine.bodyEnded()) }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        ended(context)
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        ended(context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        cause = error
        guard machine.isWaiting else { return context.fireErrorCaught(error) }
        if case NIOSSLError.uncleanShutdown = error { return }  // The end of the channel follows.
        ended(context)
    }

    private func ended(_ context: ChannelHandlerContext) {
        guard machine.isWaiting else { return }
        let alertError = cause.flatMap {
            TLSAlert.error(afterHandshake: $0, hasIdentity: connection.info.tls?.hasClientIdentity ?? false)
        }
        perform(machine.ended(alertError ?? .lost(.head, sent: true, cause: cause)))
    }
}
