// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// Forwards the events of a session's tasks to their exchanges, and certificate checks and metrics to the user's
/// delegate.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    /// The user's own delegate.
    let userDelegate: (any URLSessionDelegate)?
    /// The WebSockets of the session's tasks.
    let webSockets = SessionTaskRegistry<SessionWebSocket>()
    /// The trust for the servers of the session.
    let trust: SessionTrust
    private let exchanges = SessionTaskRegistry<(exchange: SessionExchange, lease: SessionLease)>()

    /// The queue of the session's events.
    ///
    /// Kept here, because the operation queue does not retain it, and a session retains its delegate until it has
    /// reported its last event.
    let queue: DispatchQueue

    init(_ userDelegate: (any URLSessionDelegate)?, trust: SessionTrust, qos: DispatchQoS) {
        queue = DispatchQueue(label: "simorgh.urlsession", qos: qos)
        self.userDelegate = userDelegate
        self.trust = trust
    }

    /// Registers an exchange for the events of a task, and keeps the session's lease, until the task has ended.
    func add(_ exchange: SessionExchange, _ lease: SessionLease, for task: URLSessionTask) {
        if !exchanges.add((exchange, lease), for: task.taskIdentifier) { exchange.cancel() }
    }

    /// Registers a WebSocket for the events of a task, until the task has ended.
    func add(_ socket: SessionWebSocket, for task: URLSessionTask) {
        if !webSockets.add(socket, for: task.taskIdentifier) { socket.drop() }
    }

    /// Cancels all exchanges, and ends all WebSockets, also those that are registered later.
    func cancelAll() {
        for socket in webSockets.cancelAll() { socket.drop() }
        for (exchange, _) in exchanges.cancelAll() { exchange.cancel() }
    }

    func exchange(of task: URLSessionTask) -> SessionExchange? { exchanges[task.taskIdentifier]?.exchange }

    /// Passes on the measurements of a task.
    func measured(_ transactions: [TransactionSnapshot], of task: Int) {
        exchanges[task]?.exchange.measured(transactions)
        webSockets[task]?.measured(transactions)
    }

    /// Announces the reason for which a task ends as cancelled.
    func securityFailed(_ error: TransportError, of task: Int) {
        exchanges[task]?.exchange.securityFailed(error)
        webSockets[task]?.securityFailed(error)
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

    // A session that streams bodies asks for the first stream, and again after a redirect or a challenge that it handles
    // itself.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(exchange(of: task)?.newBodyStream().flatMap { BoundBodyStream($0).input })
    }

    // FoundationNetworking does not have this method, and its sessions do not wait.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        exchange(of: task)?.waitsForConnectivity()
        webSockets[task.taskIdentifier]?.waitsForConnectivity()
    }

    // The pipeline follows redirects: the session returns the redirect response.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        exchange(of: task)?.responded(response)
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // The lease is released at the end of this method.
        let ended = exchanges.remove(task.taskIdentifier)
        let exchange = ended?.exchange
        // Some responses are available only from the task itself.
        if let response = task.response { exchange?.responded(response) }
        exchange?.completed(error)
        webSockets.remove(task.taskIdentifier)?.completed(error)
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        for (exchange, _) in exchanges.removeAll() { exchange.completed(error ?? URLError(.cancelled)) }
        for socket in webSockets.removeAll() { socket.completed(error ?? URLError(.cancelled)) }
    }
}
