// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

extension DownloadQueue {
    /// Restores the downloads that earlier processes left, in the order in which they were enqueued.
    func restore() throws(DownloadError) {
        var found: [(DownloadFolder, JournalFile)] = []
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            throw .file("could not read \(directory): \(error)")
        }
        for name in names {
            guard let id = UUID(uuidString: name) else { continue }
            let folder = DownloadFolder(in: directory, id: id)
            guard DownloadFileSystem.exists(folder.journal) else {
                removeLateFiles(folder)
                continue
            }
            guard isOurs(folder) else { continue }
            // Temporary files of any age are removed, because the folder belongs to this manager alone.
            TemporaryFiles.sweepAll(in: folder.path, of: DownloadFolder.ownNames)
            let opened: JournalFile.Opened?
            do throws(DownloadError) {
                opened = try JournalFile.open(folder.journal)
            } catch {
                // The journal may be intact and readable another time.
                hub.storeEarly(.error(id: id, message: error.description))
                log(.failed(url: folder.path, reason: error.description))
                continue
            }
            guard let opened, opened.file.journal.beginning.id == id else {
                setAside(folder)
                continue
            }
            if opened.isDamaged {
                hub.storeEarly(
                    .error(id: id, message: "the end of the journal was damaged; the affected bytes are fetched again"))
            }
            found.append((folder, opened.file))
        }
        found.sort {
            let (left, right) = ($0.1.journal.beginning, $1.1.journal.beginning)
            return (left.position, left.id.uuidString) < (right.position, right.id.uuidString)
        }
        // Safe because nothing runs yet.
        DownloadFolder.sweep(
            found.filter { $0.1.journal.state != .completed }.map { ($0.0, $0.1.journal.beginning.request) })
        let effects = state.withLock { state in
            for (folder, journal) in found { restore(folder, from: journal, in: &state) }
            return startDueDownloads(in: &state)
        }
        perform(effects)
    }

    /// Returns true if a journal belongs to this manager; in a shared folder other processes may be writing theirs now.
    private func isOurs(_ folder: DownloadFolder) -> Bool {
        guard isShared else { return true }
        return JournalFile.url(in: folder.journal).map(ownsURL) ?? false
    }

    /// Removes the files that a backend stored for a download that was already removed.
    private func removeLateFiles(_ folder: DownloadFolder) {
        // Another process may be creating the folder now.
        guard backend != nil, !isShared else { return }
        for path in folder.backendFiles { try? DownloadFileSystem.remove(path) }
        DownloadFileSystem.removeFolder(folder.path)
    }

    private func setAside(_ folder: DownloadFolder) {
        try? DownloadFileSystem.replace(folder.journal, with: folder.journal + ".damaged")
        hub.storeEarly(.error(id: folder.id, message: "the journal is damaged and was set aside"))
        log(.failed(url: folder.path, reason: "the journal is damaged and was set aside"))
    }

    private func restore(_ folder: DownloadFolder, from journal: JournalFile, in state: inout State) {
        let known = journal.journal
        let home = PlatformFolders.current.home
        let request = known.beginning.request.inContainer(of: home, directory: directory)
        guard let url = URL(string: request.url) else { return setAside(folder) }
        var new = known.state
        switch new {
        case .queued, .downloading, .waitingForNetwork, .waitingForSpace:
            new = state.config.restoresAutomatically ? .queued : .paused
        case .cancelled:
            // The process crashed before it removed the files.
            backend?.discard(folder.id)
            return Self.removeFiles(of: folder, request: request)
        default: break
        }
        if new == .paused { backend?.pause(folder.id) }
        var task = DownloadTask(
            id: folder.id, url: url, fileName: known.name ?? Self.guess(request), priority: request.priority,
            createdAt: Date(timeIntervalSince1970: known.beginning.date))
        task.downloadedBytes = known.recordedRanges.count
        task.totalBytes = known.entity?.total
        if new == .completed {
            let found = known.file.map {
                ContainerPath.current(folder.found($0), directory: directory, home: home)
            }
            guard let file = found, DownloadFileSystem.exists(file) else {
                // The file was removed by another program, so there is nothing to list.
                return Self.removeFiles(of: folder, request: request)
            }
            // A response of a replaced task may have come late.
            for path in folder.backendFiles { try? DownloadFileSystem.remove(path) }
            task.localURL = URL(filePath: file)
            fileOwners.take(file, for: request.url)
            task.fileName = file.cut(at: "/").last.map(String.init) ?? task.fileName
            task.completedAt = known.finished.map { Date(timeIntervalSince1970: $0) }
            task.isLengthConfirmed = known.isConfirmed
            task.downloadedBytes = known.size ?? 0
            task.totalBytes = known.size
        }
        var entry = DownloadEntry(
            task: task, request: request, folder: folder, journal: journal, machine: DownloadStateMachine(new),
            backoff: DownloadBackoff(state.config.retryPolicy, attempt: new == .queued ? known.attempt : 0),
            order: state.nextOrder,
            progress: DownloadProgress(taskId: folder.id, state: new, downloadedBytes: 0, totalBytes: nil),
            origin: DownloadHost.origin(of: request.url))
        entry.isRestored = new == .queued
        entry.maximumReceived = known.recordedRanges.count
        if new == .failed { entry.error = .transport(.unknown, known.message ?? "the download failed") }
        entry.refresh()
        if new == .completed { entry.task.fileName = task.fileName }
        state.order.append(folder.id, number: state.nextOrder)
        state.nextOrder += 1
        state.entries[folder.id] = entry
        bandwidth.change(folder.id, to: request.maximumBytesPerSecond)
        _ = state.scheduler.add(
            folder.id, key: Self.key(request), host: DownloadHost.name(of: request.url), priority: request.priority,
            at: known.beginning.position, isBounded: false)
        if new != .queued { state.scheduler.leave(folder.id) }
        if new == .completed || new == .failed { state.scheduler.release(folder.id) }
    }

    /// Returns the preliminary file name, used until the server has responded.
    package static func guess(_ request: DownloadRequest) -> String {
        DownloadAttempt.name(request.fileName, isExact: request.isNameExact, url: request.url)
    }

    /// Returns the key that no two active downloads may share.
    static func key(_ request: DownloadRequest) -> String {
        let url = DownloadHost.normalized(request.url)
        return "\(request.destination?.path ?? "") \(request.destination == nil ? "" : request.fileName ?? "") \(url)"
    }
}
