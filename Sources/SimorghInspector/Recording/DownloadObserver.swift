// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
package import SimorghDownloads
import SimorghSupport

/// Records the downloads of a manager.
package struct DownloadObserver: Sendable {
    /// The largest number of missing ranges to show.
    private static let maximumRanges = 64

    private let store: InspectorStore
    private let name: String

    package init(_ store: InspectorStore, name: String) {
        self.store = store
        self.name = name
    }

    /// Observes a manager until it is closed.
    ///
    /// - Parameter manager: The manager, which is not retained.
    /// - Returns: The task; cancelling it ends the observation.
    package func observe(_ manager: DownloadManager) -> Task<Void, Never> {
        // Subscribed to first, so that no event is missed between the list and the events.
        let events = manager.events
        for task in manager.tasks { add(task) }
        return Task { for await event in events { apply(event) } }
    }

    package func apply(_ event: DownloadEvent) {
        switch event {
        case .added(let task): add(task)
        case .removed(let id): store.change { state, _ in state.removeDownload(id) }
        case .stateChange(let id, let newState):
            store.change { state, _ in
                state.updateDownload(id) { download in
                    download.state = newState.rawValue
                    if newState != .downloading { (download.speed, download.connections) = (0, 0) }
                    if newState == .downloading { download.failure = nil }
                    if newState == .completed {
                        (download.missing, download.remainingSeconds) = ([], nil)
                        download.bytes = download.total ?? download.bytes
                    }
                }
            }
        case .error(let id, let message):
            let shown = Redactor(store.configuration.redaction).text(message)
            store.change { state, _ in state.updateDownload(id) { $0.failure = shown } }
        case .progress(let progress):
            store.change { state, _ in
                state.updateDownload(progress.taskId) { download in
                    download.state = progress.state.rawValue
                    download.bytes = progress.downloadedBytes
                    download.total = progress.totalBytes ?? download.total
                    download.speed = progress.speed
                    download.remainingSeconds = progress.eta
                    download.connections = progress.connections
                    download.missing = Array(progress.missingRanges.prefix(Self.maximumRanges))
                }
            }
        }
    }

    private func add(_ task: DownloadTask) {
        let rules = store.configuration.redaction
        let url = task.url.absoluteString
        let redactor = Redactor(rules, url: url)
        var download = InspectedDownload(
            id: task.id, manager: name, name: task.fileName, url: redactor.url(url), state: task.state.rawValue)
        download.bytes = task.downloadedBytes
        download.total = task.totalBytes
        download.failure = task.errorMessage.map { redactor.text($0) }
        store.change { state, _ in state.update(download) }
    }
}
