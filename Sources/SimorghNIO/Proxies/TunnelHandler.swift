// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOSSL
import NIOTLS
import SimorghCore

/// Turns a connection to a proxy into a connection to the host behind it, then removes itself from the pipeline.
final class TunnelHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Negotiation {
        /// No tunnel: each request names the host to the proxy.
        case none
        case connect(ConnectNegotiation)
        case socks(SOCKS5Negotiation)
    }

    private let proxy: Proxy
    private var negotiation: Negotiation
    /// The verification of the proxy's certificates; `nil` for a proxy without TLS.
    private let verification: PeerVerification?
    private var completion: ((Result<Void, TransportError>) -> Void)?
    private var outcome: Result<Void, TransportError>?
    private var context: ChannelHandlerContext?
    private var unread: ByteBuffer?
    private var isSecure = false

    init(_ proxy: Proxy, negotiation: Negotiation, verification: PeerVerification?) {
        self.proxy = proxy
        self.negotiation = negotiation
        self.verification = verification
    }

    /// Begins the negotiation, and calls the closure when the tunnel is open or has failed.
    func whenOpen(_ completion: @escaping (Result<Void, TransportError>) -> Void) {
        if let outcome { return completion(outcome) }
        self.completion = completion
        if verification == nil || isSecure { begin() }
    }

    /// Ends the negotiation with an error.
    func failed(_ error: TransportError) { end(.failure(error)) }

    /// Removes the handler from the pipeline, and passes on the bytes after the proxy's response: a server that speaks
    /// HTTP/2 sends first.
    func leave() {
        guard let context else { return }
        if let unread = unread.take() { context.fireChannelRead(wrapInboundOut(unread)) }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func begin() {
        guard let context else { return failed(.lost(.connect, sent: false)) }
        switch negotiation {
        case .none: end(.success(()))
        case .connect(let connect):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: connect.request)), promise: nil)
        case .socks(let socks): context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: socks.greeting)), promise: nil)
        }
    }

    private func end(_ result: Result<Void, TransportError>) {
        guard outcome == nil else { return }
        outcome = result
        completion.take()?(result)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        guard outcome == nil else {
            unread.setOrWriteBuffer(&bytes)
            return
        }
        if var unread {
            self.unread = nil
            unread.writeBuffer(&bytes)
            bytes = unread
        }
        do {
            try received(&bytes, context: context)
        } catch {
            failed(.proxy(error))
        }
        if outcome == nil { store(bytes) }
    }

    private func store(_ bytes: ByteBuffer) { unread = bytes.readableBytes > 0 ? bytes.slice() : nil }

    /// Ends the negotiation with success.
    ///
    /// Bytes that the proxy has already forwarded are stored first, because the next handlers are added during `end`.
    private func opened(_ rest: ByteBuffer) {
        store(rest)
        end(.success(()))
    }

    private func received(_ bytes: inout ByteBuffer, context: ChannelHandlerContext) throws(ProxyError) {
        switch negotiation {
        case .none: break
        case .connect(var connect):
            defer { negotiation = .connect(connect) }
            if try connect.received(&bytes) { opened(bytes) }
        case .socks(var socks):
            defer { negotiation = .socks(socks) }
            while true {
                switch try socks.received(&bytes) {
                case .wait: return
                case .send(let answer): context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer)), promise: nil)
                case .done: return opened(bytes)
                }
            }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent, let verification, !isSecure {
            do {
                try verification.finish(verification.handler?.peerCertificate)
                isSecure = true
                if completion != nil { begin() }
            } catch {
                failed(error)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let verification, !isSecure {
            failed(.handshakeFailed(error, verification: verification, peer: verification.handler?.peerCertificate))
        } else {
            failed(.lost(.connect, sent: false, cause: error))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let verification, !isSecure {
            failed(.handshakeFailed(ChannelError.eof, verification: verification, peer: nil))
        } else if case .connect(let connect) = negotiation {
            failed(.proxy(connect.ended()))
        } else {
            failed(.proxy(ProxyError(proxy: proxy.description, message: "the proxy \(proxy) closed the connection")))
        }
        context.fireChannelInactive()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        end(.failure(.lost(.connect, sent: false)))
    }
}

extension TransportError {
    /// Creates the error for a proxy that did not open the tunnel.
    static func proxy(_ refusal: ProxyError) -> TransportError {
        TransportError(
            .cannotConnectToHost, phase: .connect, message: refusal.message, requestMayHaveBeenSent: false,
            underlying: refusal)
    }
}
