// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

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

    init(_ configuration: URLSessionConfiguration, userDelegate: (any URLSessionDelegate)?, qos: DispatchQoS) {
        // A copy, because the caller may change its own object.
        let own = configuration.copy() as? URLSessionConfiguration ?? configuration
        own.urlCache = nil
        own.httpCookieStorage = nil
        own.httpShouldSetCookies = false
        own.urlCredentialStorage = nil
        self.queue = DispatchQueue(label: "simorgh.urlsession", qos: qos)
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.underlyingQueue = self.queue
        delegate = SessionDelegate(userDelegate)
        self.qos = qos
        isBackground = configuration.identifier != nil
        session = URLSession(configuration: own, delegate: delegate, delegateQueue: queue)
    }

    deinit { session.finishTasksAndInvalidate() }
}
