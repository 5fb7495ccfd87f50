// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Counts the bytes of one task's body, and returns the number.
final class Counter: NSObject, URLSessionDataDelegate {
    private let count = Mutex(0)
    private let continuation: CheckedContinuation<Int, any Error>

    init(_ continuation: CheckedContinuation<Int, any Error>) { self.continuation = continuation }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        count.withLock { $0 += data.count }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error {
            continuation.resume(throwing: error)
        } else {
            continuation.resume(returning: count.withLock { $0 })
        }
    }
}
