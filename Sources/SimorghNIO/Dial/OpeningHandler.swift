// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import SimorghCore

/// The channel handler of a connection that is being opened: waits for the TLS handshake and verifies the server.
///
/// The dialer then replaces it with the handler of the protocol that was negotiated. It is used on the event loop only.
final class OpeningHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias Completion = (Result<Void, TransportError>) -> Void

    private enum State {
        /// Without TLS: open as soon as it is connected.
        case open
        /// The TLS handshake is running; with the callback of the dialer, once it is set.
        case handshake(Completion?)
        /// The opening has ended, and the dialer has not set its callback yet.
        case ended(Result<Void, TransportError>)
        /// The dialer has the result.
        case delivered
    }

    /// The maximum number of bytes that are stored before the protocol is known.
    private static let maximumUnread = 64 * 1024

    /// The verification of the server's certificates; `nil` without TLS.
    let verification: PeerVerification?
    /// The protocol that ALPN selected.
    private(set) var negotiated: String?
    /// True if the server sent too many bytes before its protocol was known; the channel was closed.
    private(set) var isOverrun = false
    private var state: State
    private var unread: ByteBuffer?
    private var context: ChannelHandlerContext?

    init(_ verification: PeerVerification?) {
        self.verification = verification
        state = verification == nil ? .open : .handshake(nil)
    }

    /// Sets the callback for the connection being open, or having failed.
    func whenOpen(_ completion: @escaping Completion) {
        switch state {
        case .open, .delivered:
            state = .delivered
            completion(.success(()))
        case .handshake: state = .handshake(completion)
        case .ended(let result):
            state = .delivered
            completion(result)
        }
    }

    /// Returns the bytes that arrived before the protocol was known: an HTTP/2 server sends first.
    func takeUnread() -> ByteBuffer? { unread.take() }

    /// Fails the opening, unless it has ended.
    func failed(_ error: any Error) {
        switch state {
        case .handshake:
            // Converted now: the TLS objects that know the reason may be gone when the dialer sets its callback.
            let failure =
                verification.map { TransportError.handshakeFailed(error, verification: $0, peer: peerCertificate) }
                ?? TransportError.lost(.tls, sent: false, cause: error)
            end(.failure(failure))
        case .open: state = .ended(.failure(.lost(.connect, sent: false, cause: error)))
        case .ended, .delivered: break  // A consequence of the first error.
        }
    }

    private func end(_ result: Result<Void, TransportError>) {
        guard case .handshake(let completion) = state else { return }
        state = completion == nil ? .ended(result) : .delivered
        completion?(result)
    }

    private var peerCertificate: NIOSSLCertificate? { verification?.handler?.peerCertificate }

    /// Performs the checks that NIOSSL does not do, after the handshake and before any byte of a request is sent.
    private func verifyServer() {
        guard let verification else { return end(.success(())) }
        do {
            try verification.finish(peerCertificate)
        } catch {
            return failed(error)
        }
        guard let evaluation = verification.options.evaluation, let loop = context?.eventLoop else {
            return end(.success(()))
        }
        let peer = verification.peer
        let handler = NIOLoopBound(self, eventLoop: loop)
        // The user's code may block.
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) { try evaluation.evaluate(peer) }.whenComplete { result in
            switch result {
            case .success: handler.value.end(.success(()))
            case .failure(let error): handler.value.failed(TransportError.refused(peer.host, by: error))
            }
        }
    }

    // MARK: The channel

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The user's evaluation of certificates may take a while.
        guard unread?.readableBytes ?? 0 < Self.maximumUnread else {
            isOverrun = true
            unread = nil
            return context.close(promise: nil)
        }
        var bytes = unwrapInboundIn(data)
        unread.setOrWriteBuffer(&bytes)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent {
            self.negotiated = negotiated
            verifyServer()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { failed(error) }

    func channelInactive(context: ChannelHandlerContext) {
        failed(ChannelError.eof)
        context.fireChannelInactive()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        failed(ChannelError.eof)
        self.context = nil
    }
}
