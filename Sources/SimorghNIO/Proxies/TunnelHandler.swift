// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOSSL
import NIOTLS
import SimorghCore

/// Makes a connection to a proxy one to the host behind it, and leaves the pipeline then.
final class TunnelHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Negotiation {
        /// The proxy is asked for the host in each request.
        case none
        case connect(ConnectNegotiation)
        case socks(SOCKS5Negotiation)
    }

    private let proxy: Proxy
    private var negotiation: Negotiation
    /// What is known of the proxy's certificates; `nil` where TLS is not spoken with it.
    private let verification: PeerVerification?
    private var tell: ((Result<Void, TransportError>) -> Void)?
    private var outcome: Result<Void, TransportError>?
    private var context: ChannelHandlerContext?
    private var unread: ByteBuffer?
    private var isSecure = false

    init(_ proxy: Proxy, _ negotiation: Negotiation, _ verification: PeerVerification?) {
        self.proxy = proxy
        self.negotiation = negotiation
        self.verification = verification
    }

    /// Tells when the host can be spoken with, or never will.
    func whenOpen(_ tell: @escaping (Result<Void, TransportError>) -> Void) {
        if let outcome { return tell(outcome) }
        self.tell = tell
        if verification == nil || isSecure { begin() }
    }

    /// Gives up.
    func failed(_ error: TransportError) { end(.failure(error)) }

    /// Leaves the pipeline to those behind, and what came behind the proxy's last word: a server that speaks HTTP/2 begins
    /// by itself.
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
        tell.take()?(result)
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
            try received(&bytes, context)
        } catch {
            failed(.proxy(error))
        }
        if outcome == nil { keep(bytes) }
    }

    private func keep(_ bytes: ByteBuffer) { unread = bytes.readableBytes > 0 ? bytes.slice() : nil }

    /// The way is free.
    ///
    /// What the proxy has passed on already is kept first, since the next handlers come now.
    private func opened(_ rest: ByteBuffer) {
        keep(rest)
        end(.success(()))
    }

    private func received(_ bytes: inout ByteBuffer, _ context: ChannelHandlerContext) throws(ProxyRefusal) {
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
                if tell != nil { begin() }
            } catch {
                failed(error)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let verification, !isSecure {
            failed(.shakingHands(error, verification, peer: verification.handler?.peerCertificate))
        } else {
            failed(.lost(.connect, sent: false, error))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let verification, !isSecure {
            failed(.shakingHands(ChannelError.eof, verification, peer: nil))
        } else if case .connect(let connect) = negotiation {
            failed(.proxy(connect.ended()))
        } else {
            failed(.proxy(ProxyRefusal(proxy: proxy.description, message: "the proxy \(proxy) closed the connection")))
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
    /// The proxy did not let the request through.
    static func proxy(_ refusal: ProxyRefusal) -> TransportError {
        TransportError(
            .cannotConnectToHost, phase: .connect, message: refusal.message, requestMayHaveBeenSent: false,
            underlying: refusal)
    }
}
