// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOSSL
import SimorghCore

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

    private enum Phase {
        case head
        case body(TransportResponse)
        case over
    }

    private let connection: PooledConnection
    private let plan: RequestPlan
    private let owner: Owner
    private let bodyLimit: Int
    private var parser = ResponseParser()
    private var unread = ByteBuffer()
    private var phase = Phase.head
    private var interim = 0
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
        if case .collected(let limit) = plan.request.options.delivery {
            bodyLimit = min(limit, NIOTransport.maximumRefusalSize)
        } else {
            bodyLimit = NIOTransport.maximumRefusalSize
        }
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
        arm(timeouts.head) { self.fail(.timedOut(.head, after: $0, requestMayHaveBeenSent: true)) }
        let head = plan.writeHead()
        timings.sentBytes = Int64(head.readableBytes)
        context.writeAndFlush(wrapOutboundOut(head), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        timings.receivedBytes += Int64(bytes.readableBytes)
        if unread.readableBytes == 0 { unread = bytes } else { unread.writeBuffer(&bytes) }
        do {
            while case .some = Self.unfinished(phase), let event = try parser.next(&unread) {
                switch event {
                case .head(let head): received(head, context: context)
                case .body(let part): received(part, context: context)
                case .end: if case .body(let response) = phase { refuse(response, context: context) }
                }
            }
            if case .body = phase { armIdle(context) }
        } catch {
            refuse(error)
        }
    }

    private static func unfinished(_ phase: Phase) -> Phase? {
        if case .over = phase { nil } else { phase }
    }

    private func received(_ head: ResponseHead, context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        if (100..<200).contains(head.shape.status), head.shape.status != 101 {
            interim += 1
            guard interim <= ExchangeStateMachine.maximumInterimResponses else {
                return fail(.badResponse("the server sent too many interim responses", phase: .head))
            }
            plan.request.options.informational?(head.response)
            return
        }
        guard (100...999).contains(head.shape.status) else {
            return fail(.badResponse("the status code \(head.shape.status) is not valid", phase: .head))
        }
        timings.firstByte = now.since(requestedAt)
        timings.total = now.since(began)
        // Bytes after the response belong to the new protocol.
        if head.shape.status == 101 { timings.receivedBytes -= Int64(unread.readableBytes) }
        let response = TransportResponse(head: head.response, timings: timings, connection: connection.info)
        guard head.shape.status == 101 else {
            phase = .body(response)
            // A redirect is followed without its body.
            bodyDeadline = now.after(
                RedirectStateMachine.isRedirect(head.shape.status) ? .milliseconds(50) : .seconds(10))
            body.expected = head.contentLength
            return
        }
        phase = .over
        timer?.stop()
        switchProtocol(response, context: context)
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

    private func received(_ part: ByteBuffer, context: ChannelHandlerContext) {
        guard case .body(let response) = phase else { return }
        // The part of the body beyond the limit is dropped; the status matters more.
        if !body.append(part, upTo: bodyLimit) { refuse(response, context: context) }
    }

    /// Ends with the response of a server that refused.
    private func refuse(_ response: TransportResponse, context: ChannelHandlerContext) {
        phase = .over
        timer?.stop()
        var response = response
        let data = body.data
        response.body = ResponseBody(data.count > bodyLimit ? data.prefix(bodyLimit) : data)
        response.timings.total = NIODeadline.now().since(began)
        response.timings.receivedBytes = timings.receivedBytes
        context.close(promise: nil)
        owner.refused(response)
    }

    private func refuse(_ fault: ResponseParser.ParseError) {
        // The head has already refused the upgrade. An invalid body does not change that.
        if case .body(let response) = phase, let context { return refuse(response, context: context) }
        switch fault {
        case .malformed(let reason): fail(.badResponse(reason, phase: .head))
        case .headTooLarge(let limit): fail(.headTooLarge(limit))
        case .tooManyFields(let limit): fail(.tooManyFields(limit))
        }
    }

    private func fail(_ error: TransportError) {
        if case .over = phase { return }
        phase = .over
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
    private func armIdle(_ context: ChannelHandlerContext) {
        let left = bodyDeadline.since(.now())
        arm(max(.zero, min(timeouts.idle ?? left, left))) { _ in
            if case .body(let response) = self.phase { self.refuse(response, context: context) }
        }
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
        if case .over = phase { return context.fireErrorCaught(error) }
        if case NIOSSLError.uncleanShutdown = error { return }  // The end of the channel follows.
        ended(context)
    }

    private func ended(_ context: ChannelHandlerContext) {
        switch phase {
        case .over: break
        case .body(let response): refuse(response, context: context)
        case .head:
            let alertError = cause.flatMap {
                TLSAlert.error(
                    afterHandshake: $0, hasIdentity: connection.info.tls?.hasClientIdentity ?? false)
            }
            fail(alertError ?? .lost(.head, sent: true, cause: cause))
        }
    }
}
