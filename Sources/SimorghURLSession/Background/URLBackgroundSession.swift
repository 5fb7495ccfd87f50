// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Dispatch
import SimorghCore
import Synchronization

/// A background `URLSession`: it turns the callbacks of the system into events.
///
/// On Linux, where no session runs in the background, it works over any other session.
package final class URLBackgroundSession: NSObject, BackgroundSession, URLSessionDownloadDelegate,
    URLSessionDataDelegate
{
    private struct State {
        var session: URLSession?
        var tasks: [Int: URLSessionTask] = [:]
        /// The reasons for which challenges of running tasks were cancelled: the tasks end only as cancelled.
        var refusals: [Int: TransportError] = [:]
    }

    private let state = Mutex(State())
    private let trust: BackgroundTrust
    private let events: @Sendable (BackgroundSessionEvent) -> Void

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the session.
    ///   - trust: The trust of the session. Default: that of the system.
    ///   - queue: The serial queue of the events.
    ///   - events: Receives the events.
    package init(
        _ configuration: URLSessionConfiguration, trust: BackgroundTrust = BackgroundTrust(), queue: DispatchQueue,
        events: @escaping @Sendable (BackgroundSessionEvent) -> Void
    ) {
        self.trust = trust
        self.events = events
        super.init()
        let callbacks = OperationQueue()
        callbacks.maxConcurrentOperationCount = 1
        callbacks.underlyingQueue = queue
        let delegate: any URLSessionDelegate = trust.answersChallenges ? BackgroundTrustDelegate(self) : self
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: callbacks)
        state.withLock { $0.session = session }
    }

    package func list(_ completion: @escaping @Sendable ([BackgroundSessionTask]) -> Void) {
        session?.getAllTasks { [self] tasks in
            state.withLock { state in for task in tasks { state.tasks[task.taskIdentifier] = task } }
            let known = tasks.compactMap(BackgroundSessionTask.init)
            let keys = Set(known.map(\.trustKey) + [trust.key])
            // An earlier process may have judged the open connections by other options: new tasks get new ones.
            guard keys == [nil] else { return session?.flush { completion(known) } ?? () }
            completion(known)
        }
    }

    package func start(_ order: BackgroundOrder, resumeData: Data?) -> Int {
        let task = session.flatMap { order.task(of: $0, resumeData: resumeData) }
        task?.taskDescription = order.taskDescription
        task?.priority = order.priority
        task?.wait(until: order.earliestBegin)
        task?.countOfBytesClientExpectsToReceive = order.expectedBytes ?? NSURLSessionTransferSizeUnknown
        state.withLock { state in if let task { state.tasks[task.taskIdentifier] = task } }
        task?.resume()
        return task?.taskIdentifier ?? -1
    }

    package func resume(_ task: Int) { self.task(task)?.resume() }

    package func cancel(_ task: Int) { self.task(task)?.cancel() }

    package func stop(_ task: Int, completion: @escaping @Sendable (Data?) -> Void) {
        self.task(task)?.stop(completion)
    }

    package func setPriority(_ priority: Float, of task: Int) { self.task(task)?.priority = priority }

    private var session: URLSession? { state.withLock { $0.session } }

    private func task(_ number: Int) -> URLSessionTask? { state.withLock { $0.tasks[number] } }

    private func tell(_ task: URLSessionTask, event: (BackgroundSessionTask) -> BackgroundSessionEvent) {
        if let known = BackgroundSessionTask(task) { events(event(known)) }
    }

    // MARK: Callbacks

    func answer(
        _ challenge: URLAuthenticationChallenge, of task: URLSessionTask,
        completion: @escaping ChallengeAnswer.Completion
    ) {
        let (space, number) = (challenge.protectionSpace, task.taskIdentifier)
        // After a restart, a challenge may come before the list of tasks.
        state.withLock { $0.tasks[number] = task }
        BackgroundChallenge(
            method: space.authenticationMethod, isProxy: space.isProxy(), host: space.host, port: space.port,
            url: task.originalRequest?.url
        ).answer(
            by: trust,
            verifyServer: { (trust) throws(TransportError) in try trust.credential(verifying: space) },
            presentIdentity: { (trust) throws(TransportError) in try trust.credential() },
            report: { [self] error in
                // A task that has ended meanwhile takes no reason any more.
                state.withLock { state in if state.tasks[number] != nil { state.refusals[number] = error } }
            }, completion: completion)
    }

    package func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        tell(downloadTask) { .progress($0, count: totalBytesWritten, expected: totalBytesExpectedToWrite) }
    }

    package func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        tell(task) { .progress($0, count: totalBytesSent, expected: totalBytesExpectedToSend) }
    }

    package func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        tell(downloadTask) {
            .file($0, downloadTask.response.flatMap(BackgroundResponse.init), path: location.path)
        }
    }

    package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        tell(dataTask) { .data($0, data) }
    }

    package func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let refusal = state.withLock { state in
            state.tasks[task.taskIdentifier] = nil
            return state.refusals.removeValue(forKey: task.taskIdentifier)
        }
        var failure = error.map(BackgroundSessionFailure.init)
        failure?.refusal = refusal.map(BackgroundRefusal.init)
        tell(task) { [failure] in .ended($0, task.response.flatMap(BackgroundResponse.init), failure) }
    }

    package func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { events(.delivered) }

    package func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        state.withLock { $0 = State() }
        events(.invalidated)
    }
}

extension BackgroundSessionTask {
    fileprivate init?(_ task: URLSessionTask) {
        let states: [URLSessionTask.State: State] = [
            .running: .running, .suspended: .suspended, .completed: .completed, .canceling: .cancelling,
        ]
        self.init(
            number: task.taskIdentifier, description: task.taskDescription,
            url: task.originalRequest?.url?.absoluteString, state: states[task.state] ?? .running)
        isUpload = task is URLSessionUploadTask
        (count, expectedCount) =
            isUpload
            ? (task.countOfBytesSent, task.countOfBytesExpectedToSend)
            : (task.countOfBytesReceived, task.countOfBytesExpectedToReceive)
    }
}

extension BackgroundSessionFailure {
    fileprivate init(_ error: any Error) {
        let cause = error as? URLError
        self.init(
            code: (cause?.code ?? .unknown).rawValue,
            cancellation: cause?.backgroundCancellation,
            message: cause?.localizedDescription ?? "\(error)",
            resumeData: cause?.resumeData)
    }
}

extension BackgroundOrder {
    fileprivate func task(of session: URLSession, resumeData: Data?) -> URLSessionTask? {
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        request.timeoutInterval = timeout
        request.allowsCellularAccess = allowsCellularAccess
        request.limitAccess(expensive: allowsExpensiveNetworkAccess, constrained: allowsConstrainedNetworkAccess)
        request.httpShouldHandleCookies = false
        guard let file else {
            return resumeData.map(session.downloadTask(withResumeData:)) ?? session.downloadTask(with: request)
        }
        return resumeData.flatMap(session.resumedUploadTask)
            ?? session.uploadTask(with: request, fromFile: URL(filePath: file))
    }
}

extension BackgroundTransfers {
    /// Returns a function that returns the transfers of a background session.
    ///
    /// - Parameters:
    ///   - settings: The settings of the session.
    ///   - makeConfiguration: Creates the configuration of the session, with the settings that only Apple platforms have.
    /// - Returns: The function.
    package static func named(
        _ settings: BackgroundSessionSettings, makeConfiguration: @escaping @Sendable () -> URLSessionConfiguration
    ) -> BackgroundTransfers.Provider {
        { (tls) throws(TransportError) in
            try named(settings.identifier, tls: tls) { trust, queue, events in
                let configuration = makeConfiguration()
                configuration.apply(settings)
                configuration.apply(SessionKey(tls: tls))
                return URLBackgroundSession(configuration, trust: trust, queue: queue, events: events)
            }
        }
    }
}

extension URLSessionConfiguration {
    /// Sets what all background sessions of this library have in common: no cookies, credentials or cache of the app.
    fileprivate func apply(_ settings: BackgroundSessionSettings) {
        isDiscretionary = false
        urlCache = nil
        httpCookieStorage = nil
        httpShouldSetCookies = false
        urlCredentialStorage = nil
        timeoutIntervalForResource = settings.transferLimit
        httpMaximumConnectionsPerHost = settings.connectionsPerHost ?? httpMaximumConnectionsPerHost
    }
}
