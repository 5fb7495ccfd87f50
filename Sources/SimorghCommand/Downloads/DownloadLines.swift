// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes how downloads stand for programs: one object of JSON on each line.
final class DownloadLines: Sendable {
    /// One line at a time: several downloads have their say.
    private let console: Mutex<Console>

    init(_ console: Console) { self.console = Mutex(console) }

    /// Writes how far a download is.
    ///
    /// Whoever reads no more of it wants the files all the same.
    ///
    /// - Parameters:
    ///   - progress: How far it is.
    ///   - task: The download; `nil` where it is in the list no longer.
    func tell(_ progress: DownloadProgress, _ task: DownloadTask?) {
        let line = Self.json(progress, task).description
        console.withLock { console in _ = try? console.say(line) }
    }

    /// One line's object; what is not known is `null`.
    static func json(_ progress: DownloadProgress, _ task: DownloadTask?) -> JSON {
        func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
        let object: [String: JSON] = [
            "id": .string(progress.taskId.uuidString.lowercased()),
            "url": text(task?.url.absoluteString),
            "file": text(task?.fileName),
            "state": .string(progress.state.rawValue),
            "received": .number(JSON.Number(progress.downloadedBytes)),
            "total": progress.totalBytes.map { .number(JSON.Number($0)) } ?? .null,
            "speed": .number(JSON.Number(progress.speed)),
            "eta": progress.eta.map { .number(JSON.Number($0)) } ?? .null,
            "connections": .number(JSON.Number(Int64(progress.connections))),
            "path": text(progress.localURL?.path),
            "error": text(progress.error?.description),
        ]
        return .object(object)
    }
}
