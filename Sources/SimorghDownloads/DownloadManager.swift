// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// Downloads files: right ones, whole ones, and as many at a time as you like.
///
/// ```swift
/// let manager = try DownloadManager()
/// for await progress in try manager.download(url: url, fileName: "video.mp4") {
///     print("\(Int(progress.fraction * 100)) %")
/// }
/// ```
/// What is there is continued, after a pause, a lost connection or the end of the process, and only where the server says that
/// the file is still the same; else it is fetched anew. A file has its name when it is whole, and not before.
///
/// Each manager has a folder of its own. Letting the manager go stops what runs; the next manager of the folder goes on.
public final class DownloadManager: Sendable {
    package let core: DownloadCore
    /// What the system wants to be told when the events of a background session have been handled.
    ///
    /// Called on Apple's systems with ``DownloadManagerConfig/backgroundSessionIdentifier`` alone.
    @MainActor public var backgroundCompletionHandler: (() -> Void)?

    /// Creates a manager, and takes up what earlier ones left.
    ///
    /// `import Simorgh` has an initialiser without `client`, over the engine that the whole process shares.
    ///
    /// - Parameters:
    ///   - config: How it behaves.
    ///   - logLevel: How much is written to the client's log; nothing by default.
    ///   - client: What makes the requests; its retries and its base URL are not used.
    /// - Throws: ``DownloadError/directoryInUse(_:)``, ``DownloadError/file(_:)``.
    public convenience init(
        config: DownloadManagerConfig = DownloadManagerConfig(), logLevel: LogLevel = .none, client: APIClient
    ) throws {
        try self.init(config: config, client: client, log: DownloadLog(logLevel, of: client))
    }

    /// Creates a manager whose files are fetched by a carrier, and takes up what earlier ones left.
    ///
    /// - Parameters:
    ///   - config: How it behaves. Segments, bandwidth limits and continuing from a byte are the carrier's affair.
    ///   - logLevel: How much is written to the client's log; nothing by default.
    ///   - client: Whose clock, log and monitor of the network it uses.
    ///   - carrier: What fetches the files.
    /// - Throws: ``DownloadError/directoryInUse(_:)``, ``DownloadError/file(_:)``.
    public convenience init(
        config: DownloadManagerConfig, logLevel: LogLevel = .none, client: APIClient, carrier: any DownloadCarrier
    ) throws {
        try self.init(config: config, client: client, log: DownloadLog(logLevel, of: client), carrier: carrier)
    }

    package init(
        config: DownloadManagerConfig, client: APIClient, log: DownloadLog, carrier: (any DownloadCarrier)? = nil,
        claiming urls: [String]? = nil
    ) throws(DownloadError) {
        core = try DownloadCore(config: config, client: client, log: log, carrier: carrier, claiming: urls)
        carrier?.whenEventsAreTold { [weak self] in
            Task { @MainActor in self?.backgroundCompletionHandler?() }
        }
    }

    deinit { core.close() }

    /// As ``close()``; the folder goes where nothing is left in it.
    package func closeRemovingFolder() async {
        core.removesFolder.set()
        await close()
    }

    /// Stops all that runs, and returns when another manager may have the folder, and goes on.
    public func close() async {
        core.close()
        await core.settled()
    }

    // MARK: Asking

    /// Puts a download in the queue.
    ///
    /// - Parameters:
    ///   - url: Where it is fetched from.
    ///   - fileName: What the file is called; by the server, or the URL, where it is `nil`.
    ///   - priority: How soon its turn comes.
    /// - Returns: Its id.
    /// - Throws: ``DownloadError/alreadyQueued(_:)``, ``DownloadError/queueFull(limit:)``,
    ///   ``DownloadError/insufficientDiskSpace(required:available:)``, ``DownloadError/invalidURL(_:)``.
    @discardableResult
    public func enqueue(
        url: URL, fileName: String? = nil, priority: DownloadPriority = .normal
    ) throws -> UUID {
        try core.enqueue(DownloadRequest(url: url, fileName: fileName, priority: priority))
    }

    /// Puts a download in the queue.
    ///
    /// - Parameter request: What to download, and where to.
    /// - Returns: Its id.
    /// - Throws: As ``enqueue(url:fileName:priority:)``.
    @discardableResult
    public func enqueue(_ request: DownloadRequest) throws -> UUID { try core.enqueue(request) }

    /// Puts several downloads in the queue.
    ///
    /// - Parameter requests: What to download.
    /// - Returns: Those that were taken, and why the others were not.
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

    /// Puts several downloads in the queue; those that are not taken are left out.
    ///
    /// - Parameters:
    ///   - urls: Where they are fetched from.
    ///   - priority: How soon their turn comes.
    /// - Returns: The ids of those that were taken.
    @discardableResult
    public func enqueueBatch(_ urls: [URL], priority: DownloadPriority = .normal) -> [UUID] {
        enqueueBatch(urls.map { DownloadRequest(url: $0, priority: priority) }).ids
    }

    /// Puts several downloads in the queue; those that are not taken are left out.
    ///
    /// - Parameter items: Where each is fetched from, what it is called, and how soon its turn comes.
    /// - Returns: The ids of those that were taken.
    @discardableResult
    public func enqueueBatch(_ items: [(url: URL, fileName: String?, priority: DownloadPriority)]) -> [UUID] {
        enqueueBatch(items.map { DownloadRequest(url: $0.url, fileName: $0.fileName, priority: $0.priority) }).ids
    }

    /// Downloads a file, and tells how far it is.
    ///
    /// - Parameters:
    ///   - url: Where it is fetched from.
    ///   - fileName: What the file is called; by the server, or the URL, where it is `nil`.
    ///   - priority: How soon its turn comes.
    /// - Returns: Progress; the last says whether the file is whole. Cancelling the task that reads it, or leaving the loop,
    ///   pauses the download.
    /// - Throws: As ``enqueue(url:fileName:priority:)``.
    public func download(
        url: URL, fileName: String? = nil, priority: DownloadPriority = .normal
    ) throws -> AsyncStream<DownloadProgress> {
        try download(DownloadRequest(url: url, fileName: fileName, priority: priority))
    }

    /// Downloads a file, and tells how far it is.
    ///
    /// - Parameter request: What to download, and where to.
    /// - Returns: As ``download(url:fileName:priority:)``.
    /// - Throws: As ``enqueue(url:fileName:priority:)``.
    public func download(_ request: DownloadRequest) throws -> AsyncStream<DownloadProgress> {
        let id = try core.enqueue(request)
        return core.progress(id) { [weak core] in core?.pause(id) }
    }
}
