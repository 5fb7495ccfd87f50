// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import Simorgh
import SimorghSupport

/// Prints the progress of downloads as JSON, one object per line.
package struct DownloadJSONPrinter: Sendable {
    private let console: ConsoleQueue

    package init(_ console: ConsoleQueue) { self.console = console }

    /// Prints the progress of a download, and returns when it has been written.
    ///
    /// While this waits, the caller gets no progress; it then continues with the newest. A failed write is ignored,
    /// because the files are wanted even if the reader of the output has gone.
    ///
    /// - Parameters:
    ///   - progress: The progress.
    ///   - task: The download; `nil` if the manager does not list it any more.
    package func report(_ progress: DownloadProgress, of task: DownloadTask?) async {
        try? await console.say(Self.json(progress, of: task).description)
    }

    /// Returns the object of one line; unknown values are `null`.
    static func json(_ progress: DownloadProgress, of task: DownloadTask?) -> JSON {
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
