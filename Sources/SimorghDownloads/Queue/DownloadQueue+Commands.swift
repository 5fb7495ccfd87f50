// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

extension DownloadQueue {
    /// Enqueues a download.
    package func enqueue(_ request: DownloadRequest) throws(DownloadError) -> UUID {
        guard DownloadHost.isValid(request.url), let url = URL(string: request.url) else {
            throw .invalidURL(request.url)
        }
        try check(mirrors: request)
        guard ownsURL(request.url) else { throw .alreadyQueued(url) }
        let id = UUID()
        let now = time.now
        let folder = DownloadFolder(in: directory, id: id)
        // The space is reserved once the server has sent the length; only a size that is known to be too large is
        // rejected here.
        let reserve = state.withLock { $0.config.minFreeDiskSpace }
        let refusal = space.refusal(
            for: id, bytes: request.size ?? 0, at: folder.partial(for: request), reserve: reserve)
        if let refusal { throw refusal }
        defer { space.updateNeed(of: id, to: 0) }
        // Checked before anything is written, and again in `insert`, so that one of two concurrent callers is rejected.
        try check(url) { state in
            state.scheduler.refusal(key: Self.key(request), host: DownloadHost.name(of: request.url))
        }
        let beginning = JournalRecord.Beginning(
            id: id, request: request.withoutCredentials, date: now.timeIntervalSince1970,
            position: now.timeIntervalSince1970)
        try DownloadFileSystem.makeFolder(folder.path)
        var effects: [Effect] = []
        do throws(DownloadError) {
            let journal = try JournalFile.create(folder.journal, beginning: beginning)
            bandwidth.change(id, to: request.maximumBytesPerSecond)
            let task = DownloadTask(
                id: id, url: url, fileName: Self.guess(request), priority: request.priority, createdAt: now)
            effects = try insert(task, request: request, folder: folder, journal: journal)
            syncLater(journal)
        } catch {
            try? DownloadFileSystem.remove(folder.journal)
            DownloadFileSystem.removeFolder(folder.path)
            throw error
        }
        perform(effects)
        return id
    }

    private func insert(
        _ task: DownloadTask, request: DownloadRequest, folder: DownloadFolder, journal: JournalFile
    ) throws(DownloadError) -> [Effect] {
        var effects: [Effect] = []
        try check(task.url) { state in
            if let refusal = state.admit(task.id, request: request, at: task.createdAt) { return refusal }
            var entry = DownloadEntry(
                task: task, request: request, folder: folder, journal: journal, machine: DownloadStateMachine(),
                backoff: DownloadBackoff(state.config.retryPolicy), order: state.nextOrder,
                progress: DownloadProgress(taskId: task.id, state: .queued, downloadedBytes: 0, totalBytes: nil),
                origin: DownloadHost.origin(of: request.url))
            entry.refresh()
            state.order.append(task.id, number: state.nextOrder)
            state.nextOrder += 1
            state.entries[task.id] = entry
            hub.notify(.added(entry.task))
            hub.later { [log] in log(.enqueued(url: request.url, fileName: task.fileName)) }
            effects = startDueDownloads(in: &state)
            return nil
        }
        return effects
    }

    func check(mirrors request: DownloadRequest) throws(DownloadError) {
        let isSafe = DownloadHost.origin(of: request.url).hasPrefix("https")
        for mirror in request.mirrors {
            guard DownloadHost.isValid(mirror), !isSafe || DownloadHost.origin(of: mirror).hasPrefix("https") else {
                throw .invalidURL(mirror)
            }
        }
    }

    private func check(
        _ url: URL, body: (inout State) -> DownloadScheduler.Refusal?
    ) throws(DownloadError) {
        let refusal = try state.withLock { state throws(DownloadError) in
            guard !state.isClosed else { throw .file("the manager of \(directory) is closed") }
            return body(&state)
        }
        switch refusal {
        case .duplicate: throw .alreadyQueued(url)
        case .full(let limit): throw .queueFull(limit: limit)
        case nil: return
        }
    }

    func pause(_ id: UUID) { change(id) { $0.machine.pause() } }

    func cancel(_ id: UUID) {
        change(id) { entry in
            let actions = entry.machine.cancel()
            if entry.machine.state == .cancelled { entry.error = .cancelled }
            return actions
        }
    }

    package func resume(_ id: UUID) throws(DownloadError) {
        let outcome = state.withLock { state -> Result<[Effect], DownloadError> in
            guard !state.isClosed, var entry = state.entries[id] else { return .failure(.taskNotFound(id)) }
            if entry.machine.state == .failed, state.scheduler.reclaim(id) != nil {
                return .failure(.alreadyQueued(entry.task.url))
            }
            if entry.machine.state == .failed || entry.machine.state == .paused {
                entry.backoff.gained()
                (entry.error, entry.refusals, entry.spaceWaits) = (nil, 0, 0)
            }
            (entry.isRestored, entry.earliestBegin) = (false, nil)
            let actions = entry.machine.resume()
            state.entries[id] = entry
            return .success(apply(actions, to: id, in: &state) + startDueDownloads(in: &state))
        }
        perform(try outcome.get())
    }

    var ids: [UUID] { state.withLock { $0.order.inOrder } }

    /// True if a completed download found its file in place and fetched nothing.
    package func alreadyExisted(_ id: UUID) -> Bool { state.withLock { $0.entries[id]?.alreadyExisted == true } }

    /// Returns a snapshot of several downloads at the same moment; downloads that are no longer in the list are left
    /// out.
    package func snapshots(of ids: [UUID]) -> [(task: DownloadTask, progress: DownloadProgress)] {
        state.withLock { state in ids.compactMap { id in state.entries[id].map { ($0.task, $0.progress) } } }
    }

    /// Returns one of ``tasks``.
    package func task(_ id: UUID) -> DownloadTask? { state.withLock { $0.entries[id]?.task } }

    var tasks: [DownloadTask] {
        state.withLock { state in state.order.inOrder.compactMap { state.entries[$0]?.task } }
    }
}

extension DownloadQueue.State {
    /// Adds a download to the scheduler.
    fileprivate mutating func admit(
        _ id: UUID, request: DownloadRequest, at date: Date
    ) -> DownloadScheduler.Refusal? {
        scheduler.add(
            id, key: DownloadQueue.key(request), host: DownloadHost.name(of: request.url), priority: request.priority,
            at: date.timeIntervalSince1970)
    }
}
