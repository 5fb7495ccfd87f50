// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
public import Foundation
import HTTPTypes
public import SimorghCore
public import SimorghDownloads
import Synchronization

/// A download backend that uses a background session of the system, which continues while the app does not run.
///
/// `DownloadManager` creates one if its configuration names a session. A process can have only one for each name at a
/// time.
public final class BackgroundDownloadBackend: NSObject, DownloadBackend, URLSessionDownloadDelegate {
    private typealias Outcome = Result<BackendFile, TransportError>

    private struct Waiter: Sendable {
        /// The number of the call.
        let number: Int
        let continuation: CheckedContinuation<Outcome, Never>
        let progress: @Sendable (Int64, Int64?) -> Void
    }

    private struct State: Sendable {
        var session: URLSession?
        var waiters: [String: Waiter] = [:]
        /// Files that were fetched and not requested since the app was started.
        var finished: [String: BackendFile] = [:]
        var resumeData: [String: Data] = [:]
        /// The identifier of the latest task of each transfer; a cancelled task may end when the next one already runs.
        var current: [String: Int] = [:]
        /// The number of calls of `fetch`.
        var calls = 0
        /// The numbers of the calls that were cancelled before they began.
        var cancelled: Set<Int> = []
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let folder: URL

    /// Creates a backend that connects to the session of a name and receives the files it has fetched in the meantime.
    ///
    /// - Parameter identifier: The name of the session.
    public init(identifier: String) {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("simorgh-carried")
        super.init()
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.sessionSendsLaunchEvents = true
        configuration.isDiscretionary = false
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        state.withLock { $0.session = session }
    }

    /// Fetches a file, or waits for a transfer that continues since an earlier run of the app.
    ///
    /// - Parameters:
    ///   - transfer: The file to fetch.
    ///   - progress: Called with the number of bytes received and the expected total.
    /// - Returns: The response, and the path of its body.
    /// - Throws: ``/SimorghCore/TransportError``.
    public func fetch(
        _ transfer: BackendTransfer, progress: @escaping @Sendable (Int64, Int64?) -> Void
    ) async throws(TransportError) -> BackendFile {
        let id = transfer.id.uuidString
        let number = state.withLock { state in
            state.calls += 1
            return state.calls
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(transfer, id: id, waiter: Waiter(number: number, continuation: continuation, progress: progress))
            }
        } onCancel: {
            stop(id, number: number)
        }
        state.withLock { _ = $0.cancelled.remove(number) }
        return try outcome.get()
    }

    private func begin(_ transfer: BackendTransfer, id: String, waiter: Waiter) {
        let (early, session) = state.withLock { state -> (Outcome?, URLSession?) in
            if state.cancelled.contains(waiter.number) { return (.failure(Self.cancelledError), nil) }
            if let file = state.finished.removeValue(forKey: id) { return (.success(file), nil) }
            state.waiters[id] = waiter
            return (nil, state.session)
        }
        if let early { return waiter.continuation.resume(returning: early) }
        guard let url = URL(string: transfer.url) else {
            let failure = TransportError(
                .badURL, phase: .total,
                message: "Foundation cannot parse this URL: \(RedactedURL.withoutQuery(transfer.url))",
                requestMayHaveBeenSent: false)
            return end(id, outcome: .failure(failure))
        }
        // The initializer sets the session.
        guard let session else { return }
        var request = URLRequest(url: url)
        for (name, value) in transfer.headers { request.setValue(value, forHTTPHeaderField: name) }
        request.timeoutInterval = transfer.timeout
        request.allowsCellularAccess = transfer.allowsCellularAccess
        request.allowsExpensiveNetworkAccess = transfer.allowsExpensiveNetworkAccess
        session.getAllTasks { [self, request] tasks in
            if let task = tasks.first(where: { $0.taskDescription == id && $0.state == .running }) {
                state.withLock { $0.current[id] = task.taskIdentifier }
                // The task may have ended in the meantime.
                if task.state == .running { return }
            }
            let data = state.withLock { $0.resumeData.removeValue(forKey: id) }
            let task = data.map(session.downloadTask(withResumeData:)) ?? session.downloadTask(with: request)
            task.taskDescription = id
            let isWanted = state.withLock { state in
                // The caller may have been cancelled.
                guard state.waiters[id] != nil else {
                    state.resumeData[id] = data
                    return false
                }
                state.current[id] = task.taskIdentifier
                return true
            }
            if isWanted { task.resume() } else { task.cancel() }
        }
    }

    private func stop(_ id: String, number: Int) {
        let (waiter, session) = state.withLock { state -> (Waiter?, URLSession?) in
            guard let waiter = state.waiters[id], waiter.number == number else {
                // The call has not begun, or has ended.
                state.cancelled.insert(number)
                return (nil, nil)
            }
            (state.waiters[id], state.current[id]) = (nil, nil)
            return (waiter, state.session)
        }
        waiter?.continuation.resume(returning: .failure(Self.cancelledError))
        session?.getAllTasks { [self] tasks in
            for case let task as URLSessionDownloadTask in tasks where task.taskDescription == id {
                task.cancel(byProducingResumeData: { [self] data in
                    if let data { state.withLock { $0.resumeData[id] = data } }
                })
            }
        }
    }

    /// Discards the kept bytes of a transfer.
    ///
    /// - Parameter id: The identifier of the transfer.
    public func discard(_ id: UUID) {
        let id = id.uuidString
        let (file, session) = state.withLock { state -> (BackendFile?, URLSession?) in
            (state.resumeData[id], state.current[id]) = (nil, nil)
            return (state.finished.removeValue(forKey: id), state.session)
        }
        if let file { try? FileManager.default.removeItem(atPath: file.path) }
        session?.getAllTasks { tasks in
            for task in tasks where task.taskDescription == id { task.cancel() }
        }
    }

    /// Sets the action to call when the system has delivered all events of the time when the app did not run.
    ///
    /// - Parameter action: The action.
    public func onBackgroundEventsHandled(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.action = action }
    }

    private func end(_ id: String, outcome: Outcome) {
        let waiter = state.withLock { state -> Waiter? in
            state.current[id] = nil
            if let waiter = state.waiters.removeValue(forKey: id) { return waiter }
            if case .success(let file) = outcome { state.finished[id] = file }
            return nil
        }
        waiter?.continuation.resume(returning: outcome)
    }

    private static func error(_ code: TransportError.Code, message: String) -> TransportError {
        TransportError(code, phase: .body, message: message)
    }

    private static var cancelledError: TransportError { error(.cancelled, message: "the transfer was cancelled") }

    // MARK: Session delegate

    /// Reports the progress of a transfer.
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        guard let id = downloadTask.taskDescription else { return }
        let waiter = state.withLock { $0.waiters[id] }
        waiter?.progress(totalBytesWritten, totalBytesExpectedToWrite >= 0 ? totalBytesExpectedToWrite : nil)
    }

    /// Moves a downloaded file, which the session removes when this returns.
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        guard let id = downloadTask.taskDescription, let response = downloadTask.response as? HTTPURLResponse else {
            return
        }
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), let value = value as? String else {
                continue
            }
            fields.append(HTTPField(name: name, value: value))
        }
        let destination = folder.appendingPathComponent(UUID().uuidString)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: location, to: destination)
        } catch {
            let failure = Self.error(.unknown, message: "the downloaded file could not be moved: \(error)")
            return end(id, outcome: .failure(failure))
        }
        let url = response.url?.absoluteString ?? ""
        let file = BackendFile(url: url, status: response.statusCode, fields: fields, path: destination.path)
        end(id, outcome: .success(file))
    }

    /// Handles the end of a transfer; a successful one was handled when its file arrived.
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let id = task.taskDescription, let error else { return }
        let cause = error as? URLError
        let isCurrent = state.withLock { state in
            if let data = cause?.downloadTaskResumeData { state.resumeData[id] = data }
            return state.current[id] == task.taskIdentifier
        }
        guard isCurrent else { return }
        let known = cause.flatMap { TransportError.Code.known[$0.errorCode] } ?? .unknown
        // As for a body over a session: an error without a code of its own ended the connection, and may be retried.
        let code = known == .unknown ? TransportError.Code.networkConnectionLost : known
        end(id, outcome: .failure(Self.error(code, message: cause?.localizedDescription ?? "\(error)")))
    }

    /// Handles the end of the events of the time when the app did not run.
    public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        let action = state.withLock { $0.action }
        action?()
    }
}
#endif
