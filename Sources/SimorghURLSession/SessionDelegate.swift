// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Hands what a session says of its tasks to their exchanges, and what concerns the user's own delegate to that.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    /// The user's own delegate.
    let users: (any URLSessionDelegate)?
    private let exchanges = Mutex<[Int: SessionExchange]>([:])

    init(_ users: (any URLSessionDelegate)?) { self.users = users }

    /// Tells an exchange what happens to its task, until the task is over.
    func add(_ exchange: SessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    /// Cancels what is on its way.
    func cancelAll() {
        for exchange in exchanges.withLock({ $0 }).values { exchange.cancel() }
    }

    func exchange(of task: URLSessionTask) -> SessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.responded(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.sent(totalBytesSent)
    }

    // Redirects are the chain's: the session hands over the answer that has one.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        exchange(of: task)?.responded(response)
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        // Some answers are told of by nothing but the task itself.
        if let response = task.response { exchange?.responded(response) }
        exchange?.completed(error)
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        for exchange in exchanges.withLock({ $0 }).values { exchange.completed(error ?? URLError(.cancelled)) }
        exchanges.withLock { $0 = [:] }
    }
}
