// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
package import SimorghSupport
import Synchronization

extension DownloadCore {
    /// Changes one's place.
    func reorder(_ id: UUID, _ body: (inout DownloadScheduler, inout DownloadEntry) -> Void) throws(DownloadError) {
        let effects = state.withLock { state -> [Effect]? in
            guard !state.isClosed, var entry = state.entries[id] else { return nil }
            body(&state.scheduler, &entry)
            entry.task.priority = entry.request.priority
            state.entries[id] = entry
            note(id, in: entry.journal) { [self] in place(of: id) }
            hub.list.ring()
            return turns(&state)
        }
        guard let effects else { throw .taskNotFound(id) }
        perform(effects)
    }

    /// Writes down what nobody waits for; where that fails it is told, as a restart will not know of it.
    ///
    /// Not under the lock, as a disk may be slow; in the order of what happened.
    func note(_ id: UUID, in journal: JournalFile, _ record: @escaping @Sendable () -> JournalRecord?) {
        disk.async { [hub] in
            do throws(DownloadError) {
                try journal.append { record() }
            } catch {
                hub.tell(.error(id: id, message: "a restart will not know how it stands: \(error.description)"))
            }
        }
    }

    /// What a journal is told of a download's place, as it is by now.
    private func place(of id: UUID) -> JournalRecord? {
        state.withLock { state in
            guard let entry = state.entries[id] else { return nil }
            let position = state.scheduler.arrival(of: id) ?? entry.journal.journal.beginning.position
            return .place(entry.request.priority, position: position)
        }
    }

    /// Changes what is asked for, here and in the journal; where it is and what is there stay.
    ///
    /// - Parameters:
    ///   - id: The download.
    ///   - moves: Whether the folder may be another, of one that is paused or failed and that nobody else moves: somebody may
    ///     have moved it. Whoever lets it go on meanwhile, or gives it up, is heeded when the part that is there has come along.
    ///   - change: Changes the request; called once more where somebody else changed it meanwhile.
    /// - Throws: ``DownloadError``; then nothing has changed.
    package func revise(
        _ id: UUID, moves: Bool = false, _ change: (inout DownloadRequest) -> Void
    ) throws(DownloadError) {
        let held = moves ? hold(id) : nil
        defer { if let held { letGo(id, held) } }
        // Where the part belongs by the journal, and where it is by now.
        var strayed: (home: String, place: String)?
        do throws(DownloadError) {
            while true {
                guard let entry = state.withLock({ $0.isClosed ? nil : $0.entries[id] }) else {
                    throw .taskNotFound(id)
                }
                let old = entry.request
                var request = old
                // Not under the lock, as it is the user's code.
                change(&request)
                // The part that is there is beside it, and may be a run's.
                if held == nil { request.destination = old.destination }
                guard DownloadHost.isValid(request.url) else { throw .invalidURL(request.url) }
                try check(mirrors: request)
                let (before, now) = (entry.folder.partial(for: old), entry.folder.partial(for: request))
                let place = strayed?.place ?? before
                if place != now {
                    try takePart(place, as: now, into: entry.folder.target(for: request))
                    strayed = (before, now)
                    // A process that ended in the middle of this left half a copy, of which no journal knows.
                    DownloadFolder.sweep([(entry.folder, request)])
                }
                if try exchange(id, old, for: request, isSynced: before != now) { return }
            }
        } catch {
            if let strayed, strayed.home != strayed.place {
                try? DownloadDisk.take(strayed.place, as: strayed.home)
            }
            throw error
        }
    }

    /// Takes the files of one that is at rest, so that no run begins and nobody removes them until ``letGo(_:_:)``.
    ///
    /// - Returns: What gives them back; `nil` where they are somebody else's.
    private func hold(_ id: UUID) -> Int? {
        state.withLock { state -> Int? in
            guard !state.isClosed, var entry = state.entries[id], entry.life.held() else { return nil }
            state.entries[id] = entry
            return entry.runs
        }
    }

    /// Gives back what ``hold(_:)`` took, and does what was asked for meanwhile.
    private func letGo(_ id: UUID, _ number: Int) {
        if !change(id, { $0.life.ended(.stopped) }) { endLate(id, number) }
        quiet.ring()
    }

    /// Brings the part that is there to where it is looked for from now on.
    private func takePart(_ before: String, as now: String, into folder: String) throws(DownloadError) {
        try DownloadDisk.makeFolder(folder)
        // Where the whole folder was moved it came along. Where both are there, a process that ended between two steps
        // of this left the new one: the journal speaks of the old one.
        if DownloadDisk.exists(before) { try DownloadDisk.take(before, as: now) }
        // Nothing of ours is left in the old one.
        try? DownloadDisk.remove(before)
        DownloadDisk.syncFolder(folder)
    }

    /// Puts what is asked for now in the place of what was, here and in the journal: in both or in none.
    ///
    /// - Returns: `false` where it was something else by now, and nothing has changed.
    private func exchange(
        _ id: UUID, _ old: DownloadRequest, for new: DownloadRequest, isSynced: Bool
    ) throws(DownloadError) -> Bool {
        let journal = state.withLock { state -> JournalFile? in
            guard !state.isClosed, let entry = state.entries[id] else { return nil }
            state.revising += 1
            return entry.journal
        }
        guard let journal else { throw .taskNotFound(id) }
        defer {
            state.withLock { $0.revising -= 1 }
            quiet.ring()
            releaseIfQuiet()
        }
        var outcome: Result<JournalRecord?, DownloadError> = .success(nil)
        // Nobody else writes meanwhile, so that nobody builds on what is taken back.
        try journal.append(isSynced: isSynced) {
            outcome = substitute(new, for: old, of: id)
            return try? outcome.get()
        } undo: {
            // What would be forgotten does not hold.
            takeBack(new, for: old, of: id)
        }
        guard try outcome.get() != nil else { return false }
        let effects = state.withLock { state -> [Effect] in
            let isNamed = old.fileName == new.fileName && old.isNameExact == new.isNameExact
            if !isNamed, let entry = state.entries[id], entry.life.state != .completed {
                state.entries[id]?.task.fileName = Self.guess(entry.request)
            }
            return turns(&state)
        }
        perform(effects)
        hub.list.ring()
        return true
    }

    /// Puts what is asked for now in the place of what was, here alone.
    ///
    /// - Returns: What the journal is told; `nil` where something else was asked for by now.
    private func substitute(
        _ new: DownloadRequest, for old: DownloadRequest, of id: UUID
    ) -> Result<JournalRecord?, DownloadError> {
        state.withLock { state -> Result<JournalRecord?, DownloadError> in
            guard !state.isClosed, let entry = state.entries[id] else { return .failure(.taskNotFound(id)) }
            guard entry.request == old else { return .success(nil) }
            if let error = put(new, for: id, &state) { return .failure(error) }
            return .success(.asked(new.withoutCredentials))
        }
    }

    /// Puts back what ``substitute(_:for:of:)`` replaced.
    private func takeBack(_ new: DownloadRequest, for old: DownloadRequest, of id: UUID) {
        let error = state.withLock { state -> DownloadError? in
            guard let priority = state.entries[id]?.request.priority else { return nil }
            var request = old
            // That is written down by itself.
            if priority != new.priority { request.priority = priority }
            return put(request, for: id, &state)
        }
        // Another one has its place by now.
        guard let error else { return }
        hub.tell(.error(id: id, message: "a restart will not know what is asked for: \(error.description)"))
    }

    /// - Returns: Why not; `nil` where it is what is asked for now.
    private func put(_ request: DownloadRequest, for id: UUID, _ state: inout State) -> DownloadError? {
        guard var entry = state.entries[id] else { return .taskNotFound(id) }
        guard let url = URL(string: request.url) else { return .invalidURL(request.url) }
        let old = entry.request
        entry.request = request
        if request.url != old.url { (entry.mirror, entry.refusals) = (0, 0) }
        let host = DownloadHost.name(of: entry.source)
        guard state.scheduler.move(id, key: Self.key(request), host: host) == nil else { return .alreadyQueued(url) }
        if request.priority != old.priority { state.scheduler.prioritise(id, request.priority) }
        entry.origin = DownloadHost.origin(of: request.url)
        (entry.task.url, entry.task.priority) = (url, request.priority)
        state.entries[id] = entry
        budgets.change(id, to: request.maximumBytesPerSecond)
        return nil
    }

    /// Gives one another URL, under which the same file is to be had; credentials do not go to another server.
    func move(_ id: UUID, to url: URL) throws(DownloadError) {
        try revise(id) { request in
            if DownloadHost.origin(of: url.absoluteString) != DownloadHost.origin(of: request.url) {
                request = request.withoutCredentials
            }
            request.url = url.absoluteString
        }
    }

    /// Changes how the manager behaves.
    func update(_ change: (inout DownloadManagerConfig) -> Void) {
        while true {
            let (before, edition) = state.withLock { ($0.config, $0.edition) }
            var config = before
            // Not under the lock, as it is the user's code; once more where somebody else changed it meanwhile.
            change(&config)
            let effects = state.withLock { [config] state -> [Effect]? in
                guard state.edition == edition else { return nil }
                state.edition += 1
                state.config = config
                budgets.change(all: config.maximumBytesPerSecond, perHost: config.maximumBytesPerSecondPerHost)
                state.scheduler.queueLimit = config.maxQueueSize
                state.scheduler.age(by: config.agingInterval)
                state.scheduler.limit(to: config.maxConcurrentDownloads, perHost: config.maxConcurrentPerHost)
                return turns(&state)
            }
            guard let effects else { continue }
            perform(effects)
            guard DownloadNetwork.Rules(before) != DownloadNetwork.Rules(config) else { return }
            // Whoever changes them does not wait for the network to be asked about.
            Task { [weak self] in await self?.rulesChanged() }
            return
        }
    }
}
