// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import NIOSSL
import SimorghCore

/// How a connection opens, as its handler sees it.
enum Opening {
    /// In the clear: open once connected.
    case open
    /// TLS shakes hands; whom to tell when the dialler has come so far to ask.
    case handshake(((Result<Void, TransportError>) -> Void)?)
    /// It is over, and nobody has asked yet.
    case ended(Result<Void, TransportError>)
}

extension ConnectionHandler {
    /// Tells when the connection can carry requests, or never will.
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

    /// TLS has shaken hands: what NIOSSL does not look at comes now, before a byte of a request goes out.
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

    /// An error came before the connection was open.
    ///
    /// - Returns: Whether it was for the one who opens it.
    @discardableResult
    func openingFailed(_ error: any Error) -> Bool {
        switch opening {
        case .handshake:
            // Found out now: the parts of TLS that know the reason may be gone when somebody asks.
            let failure =
                verification.map { TransportError.shakingHands(error, $0, peer: peerCertificate) }
                ?? TransportError.lost(.tls, sent: false, error)
            endOpening(.failure(failure))
            return true
        case .ended: return true  // What follows the first error is its echo.
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

    /// The connection is open and belongs to the pool.
    func opened(_ connection: WireConnection) {
        self.connection = connection
        alarm = connection.pool.clock(of: connection.channel.eventLoop)
        startIdling(connection, from: .now())
    }

    /// Leaves the connection to another protocol.
    ///
    /// - Returns: What came for it already.
    func stepAside() -> ByteBuffer? {
        isDead = true
        clock.stop()
        alarm?.forget(alarmPlace)
        return unread.take()
    }
}
