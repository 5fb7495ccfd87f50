// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import Simorgh
import SimorghSupport

/// Writes how downloads stand for programs: one object of JSON on each line.
package struct DownloadLines: Sendable {
    private let console: ConsoleQueue

    package init(_ console: ConsoleQueue) { self.console = console }

    /// Writes how far a download is, and returns when that is written.
    ///
    /// Who waits here hears next how far it is then. Whoever reads no more of it wants the files all the same.
    ///
    /// - Parameters:
    ///   - progress: How far it is.
    ///   - task: The download; `nil` where it is in the list no longer.
    package func tell(_ progress: DownloadProgress, _ task: DownloadTask?) async {
        try? await console.say(Self.json(progress, task).description)
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
            "wait": progress.nextAttempt.map { .number(JSON.Number(max(0, $0.timeIntervalSinceNow))) } ?? .null,
            "connections": .number(JSON.Number(Int64(progress.connections))),
            "path": text(progress.localURL?.path),
            "error": text(progress.error == nil ? nil : task?.errorMessage ?? progress.error?.description),
        ]
        return .object(object)
    }
}
#endif
