// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

extension DownloadManager {
    /// Stops a download, and keeps what is there; one that is over stays as it is.
    ///
    /// - Parameter id: The download.
    public func pause(id: UUID) { core.pause(id) }

    /// Lets a download go on from the byte that it had come to, or tries one that failed again.
    ///
    /// - Parameter id: The download.
    /// - Throws: ``DownloadError/taskNotFound(_:)``; ``DownloadError/alreadyQueued(_:)`` for one that failed, where another fetches
    ///   the same meanwhile.
    public func resume(id: UUID) throws { try core.resume(id) }

    /// Gives a download up, and removes what is there of it.
    ///
    /// One that is complete leaves the list alone; its file stays.
    ///
    /// - Parameter id: The download.
    public func cancel(id: UUID) { core.cancel(id) }

    /// Takes those that are complete off the list; their files stay.
    public func removeCompleted() {
        for task in core.tasks where task.state == .completed { core.cancel(task.id) }
    }

    /// Pauses all.
    public func pauseAll() { for id in core.ids { core.pause(id) } }

    /// Lets all that are paused go on.
    public func resumeAll() {
        for task in core.tasks where task.state == .paused { try? core.resume(task.id) }
    }

    /// Changes how soon a download's turn comes; one that runs goes on.
    ///
    /// - Parameters:
    ///   - priority: Its priority from now on.
    ///   - id: The download.
    /// - Throws: ``DownloadError/taskNotFound(_:)``.
    public func setPriority(_ priority: DownloadPriority, id: UUID) throws {
        try core.reorder(id) { scheduler, entry in
            entry.request.priority = priority
            scheduler.prioritise(id, priority)
        }
    }

    /// Lets a download be the next, or the last.
    ///
    /// - Parameters:
    ///   - id: The download.
    ///   - toFront: Whether it is to be the next.
    /// - Throws: ``DownloadError/taskNotFound(_:)``.
    public func move(id: UUID, toFront: Bool) throws {
        let now = core.time.now.timeIntervalSince1970
        try core.reorder(id) { scheduler, _ in scheduler.move(id, toFront: toFront, at: now) }
    }

    /// Changes what a download asks for from its next attempt on: header fields that a restart has forgotten, a hash, a limit.
    ///
    /// What is there of it stays, and so does ``DownloadRequest/destination``. Another ``DownloadRequest/fileName`` holds at once.
    ///
    /// - Parameters:
    ///   - id: The download.
    ///   - change: Changes the request; called once more where somebody else changed it meanwhile.
    /// - Throws: ``DownloadError/taskNotFound(_:)``, ``DownloadError/invalidURL(_:)``, ``DownloadError/alreadyQueued(_:)``,
    ///   ``DownloadError/file(_:)``; then nothing has changed.
    public func revise(id: UUID, _ change: (inout DownloadRequest) -> Void) throws {
        try core.revise(id, change)
    }

    /// Gives a download another URL of the same file, as where the first was signed for a time that has passed.
    ///
    /// Credentials among its header fields do not go to another server; ``revise(id:_:)`` gives it others.
    ///
    /// - Parameters:
    ///   - url: The URL, which the next attempt asks.
    ///   - id: The download.
    /// - Throws: ``DownloadError/taskNotFound(_:)``, ``DownloadError/invalidURL(_:)``.
    public func replaceURL(with url: URL, id: UUID) throws { try core.move(id, to: url) }

    /// Changes how many run at a time and how fast, from now on; those that run go on.
    ///
    /// - Parameter change: Changes the limits; what it does to other settings holds for what is begun later.
    public func updateConfiguration(_ change: (inout DownloadManagerConfig) -> Void) { core.update(change) }

    /// Changes how fast one download may be.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The most bytes a second; `nil` for as many as come.
    ///   - id: The download.
    public func setMaximumBytesPerSecond(_ bytesPerSecond: Int64?, id: UUID) {
        try? core.revise(id) { $0.maximumBytesPerSecond = bytesPerSecond }
    }
}
