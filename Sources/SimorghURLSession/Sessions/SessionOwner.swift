// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A session and its delegate.
///
/// When the last reference is released, the session ends as soon as its tasks have ended.
final class SessionOwner: Sendable {
    let session: URLSession
    let delegate: SessionDelegate

    init(
        _ configuration: URLSessionConfiguration, key: SessionKey, trust: SessionTrust,
        userDelegate: (any URLSessionDelegate)?, qos: DispatchQoS
    ) {
        let own = configuration.copy() as? URLSessionConfiguration ?? configuration
        own.urlCache = nil
        own.httpCookieStorage = nil
        own.httpShouldSetCookies = false
        own.urlCredentialStorage = nil
        own.useCurrentLoadingMode()
        own.apply(key)
        if key.waitsForConnectivity { own.waitForConnectivity() }
        delegate = SessionDelegate(userDelegate, trust: trust, qos: qos)
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.underlyingQueue = delegate.queue
        session = URLSession(configuration: own, delegate: delegate, delegateQueue: queue)
    }

    deinit { session.finishTasksAndInvalidate() }
}
