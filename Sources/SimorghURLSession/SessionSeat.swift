// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A session, and the delegate that hears what becomes of its tasks.
///
/// When the last reference goes, the session ends as soon as its tasks have.
final class SessionSeat: Sendable {
    let session: URLSession
    let delegate: SessionDelegate
    let qos: DispatchQoS
    /// Whether it is the system's, for files alone: such a session traps where it is given bytes to send.
    let isBackground: Bool
    /// Kept here, as the operation queue over it does not.
    private let queue: DispatchQueue

    init(_ configuration: URLSessionConfiguration, _ users: (any URLSessionDelegate)?, _ qos: DispatchQoS) {
        // A copy: the caller's is the caller's.
        let own = configuration.copy() as? URLSessionConfiguration ?? configuration
        own.urlCache = nil
        own.httpCookieStorage = nil
        own.httpShouldSetCookies = false
        own.urlCredentialStorage = nil
        self.queue = DispatchQueue(label: "simorgh.urlsession", qos: qos)
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.underlyingQueue = self.queue
        delegate = SessionDelegate(users)
        self.qos = qos
        isBackground = configuration.identifier != nil
        session = URLSession(configuration: own, delegate: delegate, delegateQueue: queue)
    }

    deinit { session.finishTasksAndInvalidate() }
}
