// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
package import SimorghSupport
import Synchronization

extension DownloadQueue {
    /// Changes the position or priority of a download in the queue.
    func reorder(
        _ id: UUID, body: (inout DownloadScheduler, inout DownloadEntry) -> Void
    ) throws(DownloadError) {
        let effects = state.withLock { state -> [Effect]? in
            guard !state.isClosed, var entry = state.entries[id] else { return nil }
            body(&state.scheduler, &entry)
            entry.task.priority = entry.request.priority
            state.entries[id] = entry
            backend?.setPriority(entry.request.priority, of: id)
            note(id, in: entry.journal) { [self] in position(of: id) }
            hub.list.ring()
            return startDueDownloads(in: &state)
        }
        guard let effects else { throw .taskNotFound(id) }
        perform(effects)
    }

    /// Appends a record to a journal in the background; reports an event if that fails, because a restart will miss it.
    ///
    /// Not under the lock, as a disk may be slow. Records are written in the order of the calls.
    func note(_ id: UUID, in journal: JournalFile, record: @escaping @Sendable () -> JournalRecord?) {
        disk.async { [hub] in
            do throws(DownloadError) {
                try journal.append { record() }
            } catch {
                hub.notify(.error(id: id, message: "the state could not be saved for a restart: \(error.description)"))
            }
        }
    }

    /// Returns the record of a download's current priority and position.
    private func position(of id: UUID) -> JournalRecord? {
        state.withLock { state in
            guard let entry = state.entries[id] else { return nil }
            let position = state.scheduler.arrival(of: id) ?? entry.journal.journal.beginning.position
            return .reordered(entry.request.priority, position: position)
        }
    }

    /// Changes the request of a download, in memory and in the journal; its partial file stays.
    ///
    /// - Parameters:
    ///   - id: The download.
    ///   - moves: True if the destination folder may change. That is possible only for a download that is paused or
    ///     failed and whose files no other operation moves; the folder itself may have been moved by another program.
    ///     A resume or cancel in the meantime takes effect after the partial file has been moved.
    ///   - change: Changes the request. It is called again if the request was changed concurrently.
    /// - Throws: ``DownloadError``; the request is then unchanged.
    package func revise(
        _ id: UUID, moves: Bool = false, change: (inout DownloadRequest) -> Void
    ) throws(DownloadError) {
        let held = moves ? hold(id) : nil
        defer { if let held { endHold(of: id, run: held) } }
        // The location of the partial file according to the journal, and its current location.
        var movedPart: (recorded: String, current: String)?
        do throws(DownloadError) {
            while true {
                guard let entry = state.withLock({ $0.isClosed ? nil : $0.entries[id] }) else {
                    throw .taskNotFound(id)
                }
                let old = entry.request
                var request = old
                // Not under the lock, as it is the user's code.
                change(&request)
                // The partial file is in the destination folder, and a run may be using it.
                if held == nil { request.destination = old.destination }
                guard DownloadHost.isValid(request.url) else { throw .invalidURL(request.url) }
                try check(mirrors: request)
                let (before, now) = (entry.folder.partial(for: old), entry.folder.partial(for: request))
                let current = movedPart?.current ?? before
                if current != now {
                    try takePart(current, as: now, into: entry.folder.target(for: request))
                    movedPart = (before, now)
                    // A process that ended during such a move left a partial copy that no journal lists.
                    DownloadFolder.sweep([(entry.folder, request)])
                }
                if try exchange(old, for: request, of: id, isSynced: before != now) { return }
            }
        } catch {
            if let movedPart, movedPart.recorded != movedPart.current {
                try? DownloadFileSystem.take(movedPart.current, as: movedPart.recorded)
            }
            throw error
        }
    }

    /// Takes the files of an inactive download: until ``endHold(of:run:)`` no run starts and nothing removes them.
    ///
    /// - Returns: The number to pass to ``endHold(of:run:)``; `nil` if another operation has the files.
    private func hold(_ id: UUID) -> Int? {
        state.withLock { state -> Int? in
            guard !state.isClosed, var entry = state.entries[id], entry.machine.held() else { return nil }
            state.entries[id] = entry
            return entry.runCount
        }
    }

    /// Returns the files that ``hold(_:)`` took, and performs the actions requested in the meantime.
    private func endHold(of id: UUID, run number: Int) {
        if !change(id, body: { $0.machine.ended(.stopped) }) { endLate(id, run: number) }
        idleSignal.ring()
    }

    /// Moves the partial file to its new location.
    private func takePart(_ before: String, as now: String, into folder: String) throws(DownloadError) {
        try DownloadFileSystem.makeFolder(folder)
        // If the whole folder was moved, the partial file moved with it. If both files exist, a process ended between
        // two steps of this function and left the new one; the journal refers to the old one.
        if DownloadFileSystem.exists(before) { try DownloadFileSystem.take(before, as: now) }
        // Removes a leftover in the old location.
        try? DownloadFileSystem.remove(before)
        DownloadFileSystem.syncFolder(folder)
    }

    /// Replaces a request, in memory and in the journal: in both or in neither.
    ///
    /// - Returns: False if the request was changed concurrently; nothing has changed then.
    private func exchange(
        _ old: DownloadRequest, for new: DownloadRequest, of id: UUID, isSynced: Bool
    ) throws(DownloadError) -> Bool {
        let journal = state.withLock { state -> JournalFile? in
            guard !state.isClosed, let entry = state.entries[id] else { return nil }
            state.pendingRevisions += 1
            return entry.journal
        }
        guard let journal else { throw .taskNotFound(id) }
        defer {
            state.withLock { $0.pendingRevisions -= 1 }
            idleSignal.ring()
            releaseIfIdle()
        }
        var outcome: Result<JournalRecord?, DownloadError> = .success(nil)
        // Nothing else appends to the journal meanwhile, so no later record builds on a change that is undone.
        try journal.append(isSynced: isSynced) {
            outcome = substitute(new, for: old, of: id)
            return try? outcome.get()
        } undo: {
            // A change that a restart would forget must not take effect.
            revert(new, for: old, of: id)
        }
        guard try outcome.get() != nil else { return false }
        let effects = state.withLock { state -> [Effect] in
            let isNamed = old.fileName == new.fileName && old.isNameExact == new.isNameExact
            if !isNamed, let entry = state.entries[id], entry.machine.state != .completed {
                state.entries[id]?.task.fileName = Self.guess(entry.request)
            }
            return startDueDownloads(in: &state)
        }
        perform(effects)
        hub.list.ring()
        return true
    }

    /// Replaces a request in memory only.
    ///
    /// - Returns: The record for the journal; `nil` if the request was changed concurrently.
    private func substitute(
        _ new: DownloadRequest, for old: DownloadRequest, of id: UUID
    ) -> Result<JournalRecord?, DownloadError> {
        state.withLock { state -> Result<JournalRecord?, DownloadError> in
            guard !state.isClosed, let entry = state.entries[id] else { return .failure(.taskNotFound(id)) }
            guard entry.request == old else { return .success(nil) }
            if let error = put(new, for: id, in: &state) { return .failure(error) }
            return .success(.revised(new.withoutCredentials))
        }
    }

    /// Reverts what ``substitute(_:for:of:)`` replaced.
    private func revert(_ new: DownloadRequest, for old: DownloadRequest, of id: UUID) {
        let error = state.withLock { state -> DownloadError? in
            guard let priority = state.entries[id]?.request.priority else { return nil }
            var request = old
            // A change of the priority in the meantime has its own record.
            if priority != new.priority { request.priority = priority }
            return put(request, for: id, in: &state)
        }
        // Another download has the old key by now.
        guard let error else { return }
        hub.notify(.error(id: id, message: "the change could not be saved for a restart: \(error.description)"))
    }

    /// Sets a request in memory.
    ///
    /// - Returns: The reason for a rejection; `nil` if the request was set.
    private func put(_ request: DownloadRequest, for id: UUID, in state: inout State) -> DownloadError? {
        guard var entry = state.entries[id] else { return .taskNotFound(id) }
        guard let url = URL(string: request.url) else { return .invalidURL(request.url) }
        let old = entry.request
        entry.request = request
        if request.url != old.url { (entry.mirror, entry.refusals) = (0, 0) }
        let host = DownloadHost.name(of: entry.source)
        guard state.scheduler.move(id, key: Self.key(request), host: host) == nil else { return .alreadyQueued(url) }
        if request.priority != old.priority { state.scheduler.prioritize(id, as: request.priority) }
        entry.origin = DownloadHost.origin(of: request.url)
        (entry.task.url, entry.task.priority) = (url, request.priority)
        state.entries[id] = entry
        bandwidth.change(id, to: request.maximumBytesPerSecond)
        return nil
    }

    /// Replaces the URL of a download by another URL of the same file; credentials are not sent to another server.
    func move(_ id: UUID, to url: URL) throws(DownloadError) {
        try revise(id) { request in
            if DownloadHost.origin(of: url.absoluteString) != DownloadHost.origin(of: request.url) {
                request = request.withoutCredentials
            }
            request.url = url.absoluteString
        }
    }

    /// Changes the configuration of the manager.
    func update(_ change: (inout DownloadManagerConfig) -> Void) {
        while true {
            let (before, configurationVersion) = state.withLock { ($0.config, $0.configurationVersion) }
            var config = before
            // Not under the lock, as it is the user's code. Repeated if the configuration was changed concurrently.
            change(&config)
            let effects = state.withLock { [config] state -> [Effect]? in
                guard state.configurationVersion == configurationVersion else { return nil }
                state.configurationVersion += 1
                let rules = rules(of: state.config)
                state.config = config
                bandwidth.change(all: config.maximumBytesPerSecond, perHost: config.maximumBytesPerSecondPerHost)
                state.scheduler.queueLimit = config.maxQueueSize
                state.scheduler.age(by: config.agingInterval)
                state.scheduler.limit(
                    to: Self.limit(config, backend: backend), perHost: Self.hostLimit(config, backend: backend))
                return restartTransfers(of: rules, in: &state) + startDueDownloads(in: &state)
            }
            guard let effects else { continue }
            perform(effects)
            guard rules(of: before) != rules(of: config) else { return }
            // The caller does not wait for the network query.
            Task { [weak self] in await self?.rulesChanged() }
            return
        }
    }
}
