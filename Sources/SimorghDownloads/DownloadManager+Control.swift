// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

extension DownloadManager {
    /// Pauses a download and keeps its partial file; does nothing if the download has ended.
    ///
    /// - Parameter id: The download.
    public func pause(id: UUID) { core.pause(id) }

    /// Resumes a download from the last byte received, or retries a failed one.
    ///
    /// - Parameter id: The download.
    /// - Throws: ``DownloadError/taskNotFound(_:)``; ``DownloadError/alreadyQueued(_:)`` if the download failed and
    ///   another one fetches the same file now.
    public func resume(id: UUID) throws { try core.resume(id) }

    /// Cancels a download and removes its partial file.
    ///
    /// A completed download is only removed from the list; its file stays.
    ///
    /// - Parameter id: The download.
    public func cancel(id: UUID) { core.cancel(id) }

    /// Removes completed downloads from the list; their files stay.
    public func removeCompleted() {
        for task in core.tasks where task.state == .completed { core.cancel(task.id) }
    }

    /// Pauses all downloads.
    public func pauseAll() { for id in core.ids { core.pause(id) } }

    /// Resumes all paused downloads.
    public func resumeAll() {
        for task in core.tasks where task.state == .paused { try? core.resume(task.id) }
    }

    /// Changes the priority of a download; a running download continues.
    ///
    /// - Parameters:
    ///   - priority: The new priority.
    ///   - id: The download.
    /// - Throws: ``DownloadError/taskNotFound(_:)``.
    public func setPriority(_ priority: DownloadPriority, id: UUID) throws {
        try core.reorder(id) { scheduler, entry in
            entry.request.priority = priority
            scheduler.prioritize(id, as: priority)
        }
    }

    /// Moves a waiting download to the front or the back of the queue.
    ///
    /// - Parameters:
    ///   - id: The download.
    ///   - toFront: True to make it the next download to start; false to make it the last.
    /// - Throws: ``DownloadError/taskNotFound(_:)``.
    public func move(id: UUID, toFront: Bool) throws {
        let now = core.time.now.timeIntervalSince1970
        try core.reorder(id) { scheduler, _ in scheduler.move(id, toFront: toFront, at: now) }
    }

    /// Changes the request of a download, from its next attempt on.
    ///
    /// Use this to supply header fields again after a restart, or to change the expected hash or a limit. The partial
    /// file and ``DownloadRequest/destination`` stay the same. A new ``DownloadRequest/fileName`` applies at once.
    ///
    /// - Parameters:
    ///   - id: The download.
    ///   - change: Changes the request. It is called again if the request was changed concurrently.
    /// - Throws: ``DownloadError/taskNotFound(_:)``, ``DownloadError/invalidURL(_:)``,
    ///   ``DownloadError/alreadyQueued(_:)``, ``DownloadError/file(_:)``; the request is then unchanged.
    public func revise(id: UUID, _ change: (inout DownloadRequest) -> Void) throws {
        try core.revise(id, change: change)
    }

    /// Replaces the URL of a download by another URL of the same file, for example when a signed URL has expired.
    ///
    /// Credentials among its header fields are not sent to another server; set new ones with ``revise(id:_:)``.
    ///
    /// - Parameters:
    ///   - url: The URL of the next attempt.
    ///   - id: The download.
    /// - Throws: ``DownloadError/taskNotFound(_:)``, ``DownloadError/invalidURL(_:)``.
    public func replaceURL(with url: URL, id: UUID) throws { try core.move(id, to: url) }

    /// Changes the concurrency and bandwidth limits at once; running downloads continue.
    ///
    /// - Parameter change: Changes the configuration. Settings that are not limits apply to downloads started later.
    public func updateConfiguration(_ change: (inout DownloadManagerConfig) -> Void) { core.update(change) }

    /// Changes the bandwidth limit of one download.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The limit, in bytes per second; `nil` for no limit.
    ///   - id: The download.
    public func setMaximumBytesPerSecond(_ bytesPerSecond: Int64?, id: UUID) {
        try? core.revise(id) { $0.maximumBytesPerSecond = bytesPerSecond }
    }
}
