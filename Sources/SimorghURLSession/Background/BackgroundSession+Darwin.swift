// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Dispatch
import HTTPTypes
public import SimorghDownloads
import Synchronization

/// A background `URLSession`: it turns the callbacks of the system into events.
final class URLBackgroundSession: NSObject, BackgroundSession, URLSessionDownloadDelegate, URLSessionDataDelegate {
    private struct State {
        var session: URLSession?
        var tasks: [Int: URLSessionTask] = [:]
    }

    private let state = Mutex(State())
    private let events: @Sendable (BackgroundSessionEvent) -> Void

    init(
        _ settings: BackgroundSessionSettings, queue: DispatchQueue,
        events: @escaping @Sendable (BackgroundSessionEvent) -> Void
    ) {
        self.events = events
        super.init()
        let configuration = URLSessionConfiguration.background(withIdentifier: settings.identifier)
        configuration.sessionSendsLaunchEvents = true
        configuration.isDiscretionary = false
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.sharedContainerIdentifier = settings.sharedContainerIdentifier
        configuration.timeoutIntervalForResource = settings.transferLimit
        configuration.httpMaximumConnectionsPerHost =
            settings.connectionsPerHost ?? configuration.httpMaximumConnectionsPerHost
        let callbacks = OperationQueue()
        callbacks.maxConcurrentOperationCount = 1
        callbacks.underlyingQueue = queue
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: callbacks)
        state.withLock { $0.session = session }
    }

    func list(_ completion: @escaping @Sendable ([BackgroundSessionTask]) -> Void) {
        session?.getAllTasks { [self] tasks in
            state.withLock { state in for task in tasks { state.tasks[task.taskIdentifier] = task } }
            completion(tasks.compactMap(BackgroundSessionTask.init))
        }
    }

    func start(_ order: BackgroundOrder, resumeData: Data?) -> Int {
        let task = session.flatMap { order.task(of: $0, resumeData: resumeData) }
        task?.taskDescription = order.taskDescription
        task?.priority = order.priority
        task?.earliestBeginDate = order.earliestBegin
        task?.countOfBytesClientExpectsToReceive = order.expectedBytes ?? NSURLSessionTransferSizeUnknown
        state.withLock { state in if let task { state.tasks[task.taskIdentifier] = task } }
        task?.resume()
        return task?.taskIdentifier ?? -1
    }

    func resume(_ task: Int) { self.task(task)?.resume() }

    func cancel(_ task: Int) { self.task(task)?.cancel() }

    func stop(_ task: Int, completion: @escaping @Sendable (Data?) -> Void) {
        (self.task(task) as? any ResumableSessionTask)?.cancel(byProducingResumeData: completion)
    }

    func setPriority(_ priority: Float, of task: Int) { self.task(task)?.priority = priority }

    private var session: URLSession? { state.withLock { $0.session } }

    private func task(_ number: Int) -> URLSessionTask? { state.withLock { $0.tasks[number] } }

    private func tell(_ task: URLSessionTask, event: (BackgroundSessionTask) -> BackgroundSessionEvent) {
        if let known = BackgroundSessionTask(task) { events(event(known)) }
    }

    // MARK: Callbacks

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        tell(downloadTask) { .progress($0, count: totalBytesWritten, expected: totalBytesExpectedToWrite) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        tell(task) { .progress($0, count: totalBytesSent, expected: totalBytesExpectedToSend) }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        tell(downloadTask) {
            .file($0, downloadTask.response.flatMap(BackgroundResponse.init), path: location.path)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        tell(dataTask) { .data($0, data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        state.withLock { _ = $0.tasks.removeValue(forKey: task.taskIdentifier) }
        tell(task) {
            .ended($0, task.response.flatMap(BackgroundResponse.init), error.map(BackgroundSessionFailure.init))
        }
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { events(.delivered) }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        state.withLock { $0 = State() }
        events(.invalidated)
    }
}

/// A task that can be cancelled with resume data.
private protocol ResumableSessionTask: URLSessionTask {
    func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void)
}

extension URLSessionDownloadTask: ResumableSessionTask {}
extension URLSessionUploadTask: ResumableSessionTask {}

extension BackgroundSessionTask {
    fileprivate init?(_ task: URLSessionTask) {
        let states: [URLSessionTask.State: State] = [
            .running: .running, .suspended: .suspended, .completed: .completed, .canceling: .cancelling,
        ]
        self.init(
            number: task.taskIdentifier, description: task.taskDescription,
            url: task.originalRequest?.url?.absoluteString, state: states[task.state] ?? .running)
        isUpload = task is URLSessionUploadTask
    }
}

extension BackgroundSessionFailure {
    fileprivate init(_ error: any Error) {
        let cause = error as? URLError
        self.init(
            code: cause?.errorCode ?? URLError.unknown.rawValue,
            cancellation: cause?.backgroundTaskCancelledReason?.rawValue,
            message: cause?.localizedDescription ?? "\(error)",
            resumeData: cause?.downloadTaskResumeData ?? cause?.uploadTaskResumeData)
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
        request.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        request.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        request.httpShouldHandleCookies = false
        guard let file else {
            return resumeData.map(session.downloadTask(withResumeData:)) ?? session.downloadTask(with: request)
        }
        return resumeData.map(session.uploadTask(withResumeData:))
            ?? session.uploadTask(with: request, fromFile: URL(filePath: file))
    }
}

extension BackgroundTransfers {
    /// Returns the transfers of a background session of the system.
    static func system(_ settings: BackgroundSessionSettings) -> BackgroundTransfers {
        named(settings.identifier) { URLBackgroundSession(settings, queue: $0, events: $1) }
    }
}

extension BackgroundDownloadBackend {
    /// Creates a backend that connects to the session of a name and receives the files it has fetched in the meantime.
    ///
    /// - Parameters:
    ///   - identifier: The name of the session.
    ///   - config: The settings of the manager: the shared container, the connections per host and the longest time of
    ///     a transfer. The first backend of an identifier in a process determines them.
    public convenience init(identifier: String, config: DownloadManagerConfig = DownloadManagerConfig()) {
        let settings = BackgroundSessionSettings(identifier: identifier, config: config)
        self.init { BackgroundTransfers.system(settings) }
    }
}
#endif
