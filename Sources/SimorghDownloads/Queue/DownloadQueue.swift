// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
package import SimorghCore
import SimorghSupport
import Synchronization

/// The queue of the downloads of one folder: it accepts requests, starts downloads in their turn, and runs them.
///
/// Decisions are made under one lock by state machines, which are values. Their effects are performed after the lock is
/// released.
package final class DownloadQueue: Sendable {
    struct State {
        var entries: [UUID: DownloadEntry] = [:]
        /// The identifiers of the entries, in the order in which they were enqueued.
        var order = NumberedQueue<UUID>()
        var scheduler: DownloadScheduler
        var config: DownloadManagerConfig
        var nextOrder: UInt64 = 0
        var isClosed = false
        /// The number of unfinished downloads when a drain closed the queue.
        var parkedCount = 0
        /// The time since observers of the list were last notified of progress.
        var lastListSignal: Stopwatch
        /// The number of changed requests that are being written to journals now.
        var pendingRevisions = 0
        /// The number of changes of the configuration.
        var configurationVersion = 0

        var isBusy: Bool { pendingRevisions > 0 || entries.values.contains { $0.machine.isRunning } }
    }

    /// An action to perform after the lock is released.
    enum Effect: Sendable {
        case begin(UUID, DownloadAttempt, number: Int)
        case cancel(Task<Void, Never>?)
        case wake(UUID, after: Duration, number: Int)
        case watchSpace(UUID)
        case watchNetwork(UUID)
        case discard(DownloadEntry)
        case forget(DownloadEntry)
    }

    let directory: String
    package let client: APIClient
    let hub = DownloadEventBroadcaster()
    let log: DownloadLog
    let bandwidth: BandwidthLimits
    let space: DiskSpaceReservations
    let fileOwners = DownloadFileOwners()
    let network: DownloadNetworkAccess
    let backend: (any DownloadBackend)?
    let state: Mutex<State>
    /// Signals that a run has ended.
    let idleSignal = AsyncSignal()
    let lock: DownloadFolderClaim
    let isReleased = AtomicFlag()
    let removesFolder = AtomicFlag()
    /// Serial queue that writes journals and removes files, so that a slow disk does not delay events.
    let disk = DispatchQueue(label: "simorgh.downloads.journals")
    private let unsaved = Mutex<[JournalFile]>([])

    var time: TimeSource { client.configuration.time }
    var random: RandomSource { client.configuration.random }

    package init(
        config: DownloadManagerConfig, client: APIClient, log: DownloadLog, backend: (any DownloadBackend)?,
        claiming urls: [String]? = nil
    ) throws(DownloadError) {
        directory = try config.directory(in: .current)
        self.client = client
        self.backend = backend
        self.log = log
        network = DownloadNetworkAccess(monitor: client.configuration.networkMonitor)
        bandwidth = BandwidthLimits(config, time: client.configuration.time)
        space = DiskSpaceReservations()
        lock = try DownloadFolderClaim(directory, claiming: urls)
        if config.downloadDirectory == nil { PlatformFolders.excludeFromBackup(directory) }
        let scheduler = DownloadScheduler(
            limit: Self.limit(config, backend: backend), hostLimit: Self.hostLimit(config, backend: backend),
            queueLimit: config.maxQueueSize, aging: config.agingInterval)
        state = Mutex(
            State(scheduler: scheduler, config: config, lastListSignal: client.configuration.time.stopwatch()))
        backend?.attach(directory: URL(filePath: directory), tls: client.configuration.tls)
        try restore()
        if !client.gate.add(self) { park() }
    }

    /// Returns the largest number of running downloads: a backend with a queue of its own gets all that may wait.
    static func limit(_ config: DownloadManagerConfig, backend: (any DownloadBackend)?) -> Int {
        guard backend?.hasOwnQueue == true else { return config.maxConcurrentDownloads }
        let (sum, overflows) = config.maxConcurrentDownloads.addingReportingOverflow(config.maxQueueSize)
        return overflows ? .max : sum
    }

    /// Returns the largest number of running downloads per host; a backend with a queue of its own limits its
    /// connections instead.
    static func hostLimit(_ config: DownloadManagerConfig, backend: (any DownloadBackend)?) -> Int? {
        backend?.hasOwnQueue == true ? nil : config.maxConcurrentPerHost
    }

    // MARK: Changes

    /// Changes one download under the lock and performs the resulting effects.
    ///
    /// - Returns: True if the download exists.
    @discardableResult
    func change(_ id: UUID, body: (inout DownloadEntry) -> [DownloadStateMachine.Action]) -> Bool {
        let effects = state.withLock { state -> [Effect]? in
            // The folder may be another manager's by now.
            guard !state.isClosed, var entry = state.entries[id] else { return nil }
            let actions = body(&entry)
            state.entries[id] = entry
            return apply(actions, to: id, in: &state) + startDueDownloads(in: &state)
        }
        perform(effects ?? [])
        return effects != nil
    }

    /// Performs the actions that belong under the lock.
    ///
    /// - Returns: The effects to perform after the lock is released.
    func apply(_ actions: [DownloadStateMachine.Action], to id: UUID, in state: inout State) -> [Effect] {
        var effects: [Effect] = []
        for action in actions {
            switch action {
            case .enter:
                state.entries[id]?.nextAttempt = nil
                state.scheduler.enter(id)
            case .leave:
                state.scheduler.leave(id)
                // The failure may have switched the download to a mirror on another host.
                if let entry = state.entries[id], !entry.request.mirrors.isEmpty {
                    state.scheduler.move(id, toHost: DownloadHost.name(of: entry.source))
                }
            case .stop: effects.append(.cancel(state.entries[id]?.runTask))
            case .wake(let delay, let number): effects.append(.wake(id, after: delay, number: number))
            case .watchSpace: effects.append(.watchSpace(id))
            case .watchNetwork: effects.append(.watchNetwork(id))
            case .notify: notify(id, in: &state)
            case .discard, .forget:
                guard let entry = state.entries.removeValue(forKey: id) else { continue }
                state.order.remove(entry.order)
                state.scheduler.remove(id)
                effects.append(action == .discard ? .discard(entry) : .forget(entry))
                hub.notify(.removed(id: id))
            }
        }
        return effects
    }

    /// Notifies observers of the state of a download and records it in the journal.
    private func notify(_ id: UUID, in state: inout State) {
        guard var entry = state.entries[id] else { return }
        if entry.machine.state != .queued { entry.nextAttempt = nil }
        if entry.machine.state == .queued || entry.machine.state == .downloading, entry.backoff.attempt == 0 {
            entry.error = nil
        }
        entry.refresh()
        state.entries[id] = entry
        let new = entry.machine.state
        if new == .completed || new == .failed { state.scheduler.release(id) }
        hub.notify(entry.progress)
        hub.notify(.stateChange(id: id, state: new))
        if new == .failed, let message = entry.task.errorMessage { hub.notify(.error(id: id, message: message)) }
        if new != .completed {
            note(id, in: entry.journal) { [attempt = entry.backoff.attempt, message = entry.task.errorMessage] in
                JournalRecord.state(new, attempt: attempt, message: message)
            }
        }
        log(new, of: entry)
    }

    private func log(_ new: DownloadState, of entry: DownloadEntry) {
        let url = entry.source
        let event: DownloadLog.Event? =
            switch new {
            case .downloading:
                entry.task.downloadedBytes > 0
                    ? .resumed(url: url, bytes: entry.task.downloadedBytes) : .started(url: url)
            case .paused: .paused(url: url, bytes: entry.task.downloadedBytes)
            case .completed: .completed(url: url, file: entry.task.localURL?.path ?? "")
            case .failed: .failed(url: url, reason: entry.task.errorMessage ?? "")
            case .cancelled: .cancelled(url: url)
            case .queued, .waitingForNetwork, .waitingForSpace: nil
            }
        if let event { hub.later { [log] in log(event) } }
    }

    /// Starts runs for the downloads whose turn has come.
    func startDueDownloads(in state: inout State) -> [Effect] {
        guard !state.isClosed else { return [] }
        var effects: [Effect] = []
        while true {
            let started = state.scheduler.start()
            guard !started.isEmpty else { return effects }
            for id in started {
                guard var entry = state.entries[id] else {
                    state.scheduler.remove(id)
                    continue
                }
                // Uses the current policy, not the one at the time of enqueuing.
                entry.backoff = DownloadBackoff(state.config.retryPolicy, attempt: entry.backoff.attempt)
                let actions = entry.machine.started()
                let isRunning = entry.machine.isRunning && entry.machine.state == .downloading
                entry.runCount += 1
                entry.isNetworkForbidden = false
                let attempt = attempt(for: entry, config: state.config)
                state.entries[id] = entry
                effects += apply(actions, to: id, in: &state)
                guard isRunning else { continue }
                effects.append(.begin(id, attempt, number: entry.runCount))
            }
        }
    }

    private func attempt(for entry: DownloadEntry, config: DownloadManagerConfig) -> DownloadAttempt {
        var (request, client) = (entry.request, client)
        request.url = entry.source
        // A mirror is another party: it gets no credentials.
        if DownloadHost.origin(of: entry.source) != entry.origin {
            request = request.withoutCredentials
            client = client.withoutCredentials
        }
        let id = entry.task.id
        return DownloadAttempt(
            entry.folder, journal: entry.journal, request: request,
            dependencies: DownloadAttempt.Dependencies(
                client: client, config: config, bandwidth: bandwidth, space: space, fileOwners: fileOwners,
                backend: backend, earliestBegin: entry.earliestBegin, isRestored: entry.isRestored,
                report: { [weak self] in self?.progressed(id, report: $0) },
                log: { [hub, log] event in hub.later { log(event) } }))
    }

    // MARK: Effects

    func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .begin(let id, let attempt, let number): begin(attempt, of: id, number: number)
            case .cancel(let task): task?.cancel()
            case .wake(let id, let delay, let number):
                wait(id) { core in
                    try await core.time.sleep(for: delay)
                    core.change(id) { $0.machine.timerFired(number) }
                }
            case .watchSpace(let id):
                wait(id) { core in
                    // No event announces free space on a disk. The interval grows if space is not what the download
                    // lacks.
                    repeat {
                        try await core.time.sleep(for: core.spaceDelay(id))
                    } while await FileQueue.run({ core.lacksSpace(id) })
                    core.change(id) { $0.machine.spaceBecameAvailable() }
                }
            case .watchNetwork(let id):
                wait(id) { core in
                    guard let (host, rules) = core.networkRequirements(of: id) else { return }
                    await core.network.wait(for: host, rules: rules)
                    try Task.checkCancellation()
                    core.change(id) { $0.machine.networkBecameAvailable() }
                }
            case .discard(let entry):
                entry.timer?.cancel()
                fileOwners.forget(entry.task.localURL?.path, of: entry.request.url)
                backend?.discard(entry.task.id)
                bandwidth.change(entry.task.id, to: nil)
                disk.async { Self.discard(entry) }
            case .forget(let entry):
                fileOwners.forget(entry.task.localURL?.path, of: entry.request.url)
                bandwidth.change(entry.task.id, to: nil)
                disk.async { Self.forget(entry) }
            }
        }
    }

    private func begin(_ attempt: DownloadAttempt, of id: UUID, number: Int) {
        let task = Task {
            guard let (host, rules) = networkRequirements(of: id) else {
                return await ended(id, run: number, outcome: .failure(.stopped))
            }
            // A backend with a queue of its own applies the rules by itself, also while the program is suspended.
            let isWatched = backend?.hasOwnQueue != true
            if isWatched, await !network.mayTry(host, rules: rules) {
                return await ended(id, run: number, outcome: .failure(.offline(offlineError)))
            }
            let watch = Task { [weak self] in
                guard isWatched, await self?.network.waitUntilForbidden(for: host, rules: rules) == true else { return }
                self?.forbidNetwork(id, run: number)
            }
            defer { watch.cancel() }
            let outcome: Result<DownloadAttempt.Finished, DownloadAttemptError>
            do throws(DownloadAttemptError) {
                outcome = .success(try await attempt.run())
            } catch {
                outcome = .failure(error)
            }
            // Before the next run may begin, which takes a file for which there was no space or time.
            if !outcome.leaves(attempt.folder.fetched) { backend?.settle(id) }
            await ended(id, run: number, outcome: outcome)
        }
        let isStopped = state.withLock { state -> Bool in
            guard let entry = state.entries[id], entry.runCount == number else { return state.isClosed }
            state.entries[id]?.runTask = task
            // The download may have been stopped before the task was stored.
            return entry.machine.isRunning && entry.machine.state != .downloading || entry.isNetworkForbidden
                || state.isClosed
        }
        if isStopped { task.cancel() }
    }

    private func wait(_ id: UUID, body: @escaping @Sendable (DownloadQueue) async throws -> Void) {
        let timer = Task { [weak self] in
            guard let self else { return }
            try? await body(self)
        }
        let old = state.withLock { state -> Task<Void, Never>? in
            guard !state.isClosed, state.entries[id] != nil else { return timer }
            defer { state.entries[id]?.timer = timer }
            return state.entries[id]?.timer
        }
        old?.cancel()
    }

    /// Removes all files of a download.
    static func discard(_ entry: DownloadEntry) {
        // A download that was cancelled at the very end has its final name already. If it replaced another file, that
        // file is gone, so the new one stays: it is better than no file.
        if !entry.request.collision.replaces, let placing = entry.journal.journal.placing {
            let file = entry.folder.found(placing.file)
            if DownloadFileSystem.inode(of: file) == placing.number { try? DownloadFileSystem.remove(file) }
        }
        removeFiles(of: entry.folder, request: entry.request)
    }

    /// Removes the internal files of a download; the journal last, so that a process that ends here finds the rest.
    static func removeFiles(of folder: DownloadFolder, request: DownloadRequest) {
        for path in [folder.partial(for: request), folder.corrupt] + folder.backendFiles + [folder.journal] {
            try? DownloadFileSystem.remove(path)
        }
        DownloadFileSystem.removeFolder(folder.path)
    }

    /// Removes the journal of a download; its file stays.
    private static func forget(_ entry: DownloadEntry) {
        for path in entry.folder.backendFiles + [entry.folder.journal] { try? DownloadFileSystem.remove(path) }
        // Removes only an empty folder.
        DownloadFileSystem.removeFolder(entry.folder.path)
    }

    /// Schedules an fsync that makes an enqueued download survive a power failure; reports an event if that fails.
    package func syncLater(_ journal: JournalFile) {
        let isFirst = unsaved.withLock { unsaved in
            unsaved.append(journal)
            return unsaved.count == 1
        }
        guard isFirst else { return }
        disk.async { [self] in
            let journals = unsaved.withLock { unsaved in
                defer { unsaved = [] }
                return unsaved
            }
            // If syncing the whole disk fails, each journal is synced by itself, as only some may be affected.
            if journals.count <= 64 || !DownloadFileSystem.syncAll(of: directory) {
                for journal in journals where !journal.sync() {
                    let id = journal.journal.beginning.id
                    hub.notify(.error(id: id, message: "the journal could not be synced: a power failure may lose it"))
                }
            }
            DownloadFileSystem.syncFolder(directory)
        }
    }
}

extension APIClient {
    /// A copy of this client for another party: without credentials and the client certificate.
    fileprivate var withoutCredentials: APIClient {
        let known = Set(CredentialFields.known.map(\.canonicalName))
        return with { configuration in
            configuration.headers = configuration.headers.filter { !known.contains($0.key.lowercased()) }
            configuration.query = QueryItems()
            configuration.allowsAuthentication = false
            configuration.tls = configuration.tls.forAnotherOrigin
        }
    }
}
