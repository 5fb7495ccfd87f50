// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Synchronization

/// A session and its delegate.
///
/// When the last reference is released, the session ends as soon as its tasks have ended.
final class SessionOwner: Sendable {
    let session: URLSession
    let delegate: SessionDelegate
    let qos: DispatchQoS
    /// True for a background session, which transfers only files and traps if it is given bytes to upload.
    let isBackground: Bool
    /// Kept here, because the operation queue does not retain it.
    private let queue: DispatchQueue
    /// The owner of a session with the same settings, whose tasks wait for the network; created for the first of them.
    private let waiting = Mutex<SessionOwner?>(nil)

    init(_ configuration: URLSessionConfiguration, userDelegate: (any URLSessionDelegate)?, qos: DispatchQoS) {
        // A copy, because the caller may change its own object.
        let own = configuration.copy() as? URLSessionConfiguration ?? configuration
        own.urlCache = nil
        own.httpCookieStorage = nil
        own.httpShouldSetCookies = false
        own.urlCredentialStorage = nil
        own.useCurrentLoadingMode()
        self.queue = DispatchQueue(label: "simorgh.urlsession", qos: qos)
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.underlyingQueue = self.queue
        delegate = SessionDelegate(userDelegate)
        self.qos = qos
        isBackground = configuration.identifier != nil
        session = URLSession(configuration: own, delegate: delegate, delegateQueue: queue)
    }

    /// Returns the owner whose session serves a request: a separate one if the request may wait for the network.
    func serving(_ request: TransportRequest) -> SessionOwner {
        guard request.options.connectivityWait != nil, SessionCapabilities.current.waitsForConnectivity else {
            return self
        }
        return waiting.withLock { waiting in
            if let waiting { return waiting }
            let configuration = session.configuration
            configuration.waitForConnectivity()
            let owner = SessionOwner(configuration, userDelegate: delegate.userDelegate, qos: qos)
            waiting = owner
            return owner
        }
    }

    /// Cancels all running exchanges.
    func cancelAll() {
        delegate.cancelAll()
        waiting.withLock { $0 }?.delegate.cancelAll()
    }

    deinit { session.finishTasksAndInvalidate() }
}
