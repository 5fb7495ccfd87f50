// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import NIOSSL
import SimorghCore

/// The state of a connection that is being opened.
enum OpeningState {
    /// Without TLS: open as soon as it is connected.
    case open
    /// The TLS handshake is running; with the callback of the dialer, once it is set.
    case handshake(((Result<Void, TransportError>) -> Void)?)
    /// The handshake has ended, and the dialer has not set its callback yet.
    case ended(Result<Void, TransportError>)
}

extension HTTP1ConnectionHandler {
    /// Sets the callback for the connection being open, or having failed.
    func whenOpen(_ tell: @escaping (Result<Void, TransportError>) -> Void) {
        switch opening {
        case .open, .none:
            opening = nil
            tell(.success(()))
        case .handshake: opening = .handshake(tell)
        case .ended(let result):
            opening = nil
            tell(result)
        }
    }

    /// Performs the checks that NIOSSL does not do, after the handshake and before any byte of a request is sent.
    func handshakeCompleted() {
        guard let verification else { return endOpening(.success(())) }
        do {
            try verification.finish(peerCertificate)
        } catch {
            openingFailed(error)
            return
        }
        guard let judge = verification.options.evaluation, let loop = context?.eventLoop else {
            return endOpening(.success(()))
        }
        let peer = verification.peer
        let handler = NIOLoopBound(self, eventLoop: loop)
        // The user's code may block.
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) { try judge.evaluate(peer) }.whenComplete { result in
            switch result {
            case .success: handler.value.endOpening(.success(()))
            case .failure(let error): handler.value.openingFailed(TransportError.refused(peer.host, by: error))
            }
        }
    }

    private var peerCertificate: NIOSSLCertificate? {
        verification?.handler?.peerCertificate
    }

    /// Handles an error before the connection was open.
    ///
    /// - Returns: True if the error belongs to the opening of the connection.
    @discardableResult
    func openingFailed(_ error: any Error) -> Bool {
        switch opening {
        case .handshake:
            // Converted now: the TLS objects that know the reason may be gone when the dialer sets its callback.
            let failure =
                verification.map { TransportError.handshakeFailed(error, $0, peer: peerCertificate) }
                ?? TransportError.lost(.tls, sent: false, error)
            endOpening(.failure(failure))
            return true
        case .ended: return true  // A consequence of the first error.
        case .open:
            opening = .ended(.failure(.lost(.connect, sent: false, error)))
            return true
        case .none: return false
        }
    }

    private func endOpening(_ result: Result<Void, TransportError>) {
        guard case .handshake(let tell) = opening else { return }
        if let tell {
            opening = nil
            tell(result)
        } else {
            opening = .ended(result)
        }
    }

    /// Takes the connection into use: it is open and belongs to the pool.
    func opened(_ connection: PooledConnection) {
        self.connection = connection
        alarm = connection.pool.clock(of: connection.channel.eventLoop)
        startIdling(connection, from: .now())
    }

    /// Prepares the removal of this handler in favor of another protocol's.
    ///
    /// - Returns: The bytes that have already arrived for the other protocol.
    func prepareReplacement() -> ByteBuffer? {
        isDead = true
        clock.stop()
        alarm?.forget(timerHandle)
        return unread.take()
    }
}
