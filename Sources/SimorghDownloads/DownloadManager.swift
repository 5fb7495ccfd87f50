// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// Downloads files concurrently, resumes interrupted transfers, and verifies that each file is complete and correct.
///
/// ```swift
/// let manager = try DownloadManager()
/// for await progress in try manager.download(url: url, fileName: "video.mp4") {
///     print("\(Int(progress.fraction * 100)) %")
/// }
/// ```
/// A partial file is resumed after a pause, a lost connection or a restart of the process, but only if the server
/// confirms that its file is still the same; otherwise the file is fetched again from the start. A file gets its final
/// name only when it is complete.
///
/// Each manager has its own folder. Releasing the manager stops running downloads, except those of a background session,
/// which the system continues; the next manager of the folder resumes them or gets their files.
public final class DownloadManager: Sendable {
    package let core: DownloadQueue
    private let background: BackgroundCompletion
    private let hasBackgroundSession: Bool
    /// The system's completion handler, to be called when the events of a background session have been handled.
    ///
    /// Set it in `application(_:handleEventsForBackgroundURLSession:completionHandler:)`; a SwiftUI app calls
    /// ``backgroundEventsHandled()`` instead. The manager calls it once and then removes it, when the system has
    /// delivered all events and their files are verified and named, or ten seconds later. It may be set after that: the
    /// manager then calls it at once. If it is replaced before, the manager calls the old one at once: the system waits
    /// for each handler. A handler that is set to `nil` is not called.
    ///
    /// Called only on Apple platforms with ``DownloadManagerConfig/backgroundSessionIdentifier``.
    @MainActor public var backgroundCompletionHandler: (() -> Void)? {
        didSet {
            // The manager has called a handler that it removes, or is about to.
            if backgroundCompletionHandler != nil { oldValue?() }
            guard background.handlerChanged(isSet: backgroundCompletionHandler != nil) else { return }
            callBackgroundCompletionHandler()
        }
    }

    /// Creates a manager and restores the downloads that earlier managers left in its folder.
    ///
    /// It reads their records on the calling thread: create it off the main thread if the folder is large.
    /// `import Simorgh` adds an initializer without `client` that uses the transport shared by the whole process: the
    /// engine on Linux, `URLSession` on Apple platforms.
    ///
    /// - Parameters:
    ///   - config: The settings.
    ///   - logLevel: The amount of logging to the client's log. Default: nothing.
    ///   - client: The client that sends the requests; its retries and its base URL are not used. A drain of the
    ///     client closes the manager.
    /// - Throws: ``DownloadError/directoryInUse(_:)``, ``DownloadError/file(_:)``;
    ///   ``DownloadError/invalidRequest(_:)`` if ``DownloadManagerConfig/backgroundSessionIdentifier`` is empty, and on
    ///   Apple platforms if it is set, which needs a backend.
    public convenience init(
        config: DownloadManagerConfig = DownloadManagerConfig(), logLevel: LogLevel = .none, client: APIClient
    ) throws {
        try self.init(config: config, client: client, log: DownloadLog(logLevel, of: client))
    }

    /// Creates a manager whose files are fetched by a custom backend, and restores the downloads left in its folder.
    ///
    /// - Parameters:
    ///   - config: The settings. The backend itself is responsible for segments, bandwidth limits and range requests.
    ///   - logLevel: The amount of logging to the client's log. Default: nothing.
    ///   - client: The client whose clock, log, network monitor, network rules, and TLS and route options are used.
    ///   - backend: The backend that fetches the files.
    /// - Throws: ``DownloadError/directoryInUse(_:)``, ``DownloadError/file(_:)``.
    public convenience init(
        config: DownloadManagerConfig, logLevel: LogLevel = .none, client: APIClient, backend: any DownloadBackend
    ) throws {
        try self.init(config: config, client: client, log: DownloadLog(logLevel, of: client), backend: backend)
    }

    package init(
        config: DownloadManagerConfig, client: APIClient, log: DownloadLog, backend: (any DownloadBackend)? = nil,
        claiming urls: [String]? = nil
    ) throws(DownloadError) {
        guard config.backgroundSessionIdentifier == nil || backend != nil || !BackgroundSessions.areAvailable else {
            throw .invalidRequest(
                "backgroundSessionIdentifier needs a backend: use DownloadManager(config:) of `import Simorgh`, or pass "
                    + "BackgroundDownloadBackend of `import SimorghURLSession`")
        }
        guard config.backgroundSessionIdentifier?.isEmpty != true else {
            throw .invalidRequest("backgroundSessionIdentifier is empty; set a name or nil")
        }
        background = BackgroundCompletion(time: client.configuration.time)
        hasBackgroundSession = backend != nil
        core = try DownloadQueue(config: config, client: client, log: log, backend: backend, claiming: urls)
        backend?.onBackgroundEventsHandled { [weak self] in
            guard let self, background.eventsHandled() else { return }
            Task { @MainActor in
                // A handler that was set meanwhile waits for its own delivery, and the old one was called.
                if !self.background.hasHandler { self.callBackgroundCompletionHandler() }
            }
        }
    }

    @MainActor private func callBackgroundCompletionHandler() {
        let handler = backgroundCompletionHandler
        // The state machine knows already that it is removed.
        backgroundCompletionHandler = nil
        handler?()
    }

    /// Waits until the system has delivered the events of the background session, and their files are verified and
    /// named.
    ///
    /// For SwiftUI's `.backgroundTask(.urlSession(identifier))`. It returns at once if that happened up to 30 seconds
    /// ago while no call and no handler waited for it, if the downloads use no background session, and if the task is
    /// cancelled.
    public func backgroundEventsHandled() async {
        guard hasBackgroundSession else { return }
        await background.wait()
    }

    deinit { core.close() }

    /// Does the same as ``close()`` and removes the folder if it is empty.
    package func closeRemovingFolder() async {
        core.removesFolder.set()
        await close()
    }

    /// Stops all downloads and returns once another manager may use the folder; that manager can resume them.
    ///
    /// Transfers of a background session continue, as when the app does not run.
    public func close() async {
        core.close()
        await core.settled()
    }

    // MARK: Enqueuing

    /// Enqueues a download.
    ///
    /// - Parameters:
    ///   - url: The URL to fetch.
    ///   - fileName: The name of the file; if `nil`, the server's response or the URL determines it.
    ///   - priority: The priority among waiting downloads.
    /// - Returns: The identifier of the download.
    /// - Throws: ``DownloadError/alreadyQueued(_:)``, ``DownloadError/queueFull(limit:)``,
    ///   ``DownloadError/insufficientDiskSpace(required:available:)``, ``DownloadError/invalidURL(_:)``.
    @discardableResult
    public func enqueue(
        url: URL, fileName: String? = nil, priority: DownloadPriority = .normal
    ) throws -> UUID {
        try core.enqueue(DownloadRequest(url: url, fileName: fileName, priority: priority))
    }

    /// Enqueues a download.
    ///
    /// - Parameter request: The file to download and its destination.
    /// - Returns: The identifier of the download.
    /// - Throws: As ``enqueue(url:fileName:priority:)``.
    @discardableResult
    public func enqueue(_ request: DownloadRequest) throws -> UUID { try core.enqueue(request) }

    /// Enqueues several downloads.
    ///
    /// - Parameter requests: The files to download.
    /// - Returns: The accepted downloads, and the rejected requests with their reasons.
    @discardableResult
    public func enqueueBatch(_ requests: [DownloadRequest]) -> DownloadBatch {
        var batch = DownloadBatch()
        for request in requests {
            do throws(DownloadError) {
                batch.ids.append(try core.enqueue(request))
            } catch {
                batch.rejected.append(DownloadBatch.Rejection(request: request, error: error))
            }
        }
        return batch
    }

    /// Enqueues several downloads; rejected ones are left out.
    ///
    /// - Parameters:
    ///   - urls: The URLs to fetch.
    ///   - priority: The priority among waiting downloads.
    /// - Returns: The identifiers of the accepted downloads.
    @discardableResult
    public func enqueueBatch(_ urls: [URL], priority: DownloadPriority = .normal) -> [UUID] {
        enqueueBatch(urls.map { DownloadRequest(url: $0, priority: priority) }).ids
    }

    /// Enqueues several downloads; rejected ones are left out.
    ///
    /// - Parameter items: The URL, the file name and the priority of each download.
    /// - Returns: The identifiers of the accepted downloads.
    @discardableResult
    public func enqueueBatch(_ items: [(url: URL, fileName: String?, priority: DownloadPriority)]) -> [UUID] {
        enqueueBatch(items.map { DownloadRequest(url: $0.url, fileName: $0.fileName, priority: $0.priority) }).ids
    }

    /// Downloads a file and reports its progress.
    ///
    /// - Parameters:
    ///   - url: The URL to fetch.
    ///   - fileName: The name of the file; if `nil`, the server's response or the URL determines it.
    ///   - priority: The priority among waiting downloads.
    /// - Returns: The progress; the last element shows if the file is complete. Cancelling the task that reads it, or
    ///   leaving the loop, pauses the download.
    /// - Throws: As ``enqueue(url:fileName:priority:)``.
    public func download(
        url: URL, fileName: String? = nil, priority: DownloadPriority = .normal
    ) throws -> AsyncStream<DownloadProgress> {
        try download(DownloadRequest(url: url, fileName: fileName, priority: priority))
    }

    /// Downloads a file and reports its progress.
    ///
    /// - Parameter request: The file to download and its destination.
    /// - Returns: As ``download(url:fileName:priority:)``.
    /// - Throws: As ``enqueue(url:fileName:priority:)``.
    public func download(_ request: DownloadRequest) throws -> AsyncStream<DownloadProgress> {
        let id = try core.enqueue(request)
        return core.progress(id) { [weak core] in core?.pause(id) }
    }
}
