// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

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
        own.removeCredentialFields()
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

extension URLSessionConfiguration {
    /// Removes the credentials from the header fields of all requests.
    ///
    /// The pipeline removes them from a request that follows a redirect to another origin, and the session would add them
    /// again.
    fileprivate func removeCredentialFields() {
        let names = Set(CredentialFields.known.map(\.canonicalName))
        httpAdditionalHeaders = httpAdditionalHeaders?.filter { name, _ in
            (name as? String).map { !names.contains($0.lowercased()) } ?? true
        }
    }
}
