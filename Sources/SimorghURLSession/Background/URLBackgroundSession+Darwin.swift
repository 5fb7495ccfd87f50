// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
public import SimorghDownloads

extension URLSessionTask {
    /// Sets the time before which the task does not begin; `nil` for none.
    func wait(until earliestBegin: Date?) { earliestBeginDate = earliestBegin }

    /// Cancels the task and asks for resume data.
    ///
    /// The tasks of a session only claim to be of these classes (`isKindOfClass:`), and do not inherit from them. So a
    /// cast to a class succeeds, and one to a protocol that an extension adds to the class does not.
    func stop(_ completion: @escaping @Sendable (Data?) -> Void) {
        if let task = self as? URLSessionDownloadTask { return task.cancel(byProducingResumeData: completion) }
        if let task = self as? URLSessionUploadTask { return task.cancel(byProducingResumeData: completion) }
        cancel()
        completion(nil)
    }
}

extension URLSession {
    /// Creates a task that continues an upload.
    func resumedUploadTask(_ data: Data) -> URLSessionTask? { uploadTask(withResumeData: data) }
}

extension URLError {
    /// The number of the reason for which the system cancelled a background task.
    var backgroundCancellation: Int? { backgroundTaskCancelledReason?.rawValue }

    /// The data to continue the task.
    var resumeData: Data? { downloadTaskResumeData ?? uploadTaskResumeData }
}

extension BackgroundTransfers {
    /// Returns a function that returns the transfers of a background session of the system.
    static func system(_ settings: BackgroundSessionSettings) -> Provider {
        named(settings) {
            let configuration = URLSessionConfiguration.background(withIdentifier: settings.identifier)
            configuration.sessionSendsLaunchEvents = true
            configuration.sharedContainerIdentifier = settings.sharedContainerIdentifier
            return configuration
        }
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
        self.init(transfers: BackgroundTransfers.system(settings))
    }
}
#endif
