// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore

/// The log of a manager.
package struct DownloadLog: Sendable {
    /// An event that is logged.
    package enum Event: Sendable {
        case enqueued(url: String, fileName: String)
        case started(url: String)
        case paused(url: String, bytes: Int64)
        case resumed(url: String, bytes: Int64)
        case response(url: String, status: Int, headers: HTTPFields)
        case mime(url: String, type: String)
        case completed(url: String, file: String)
        case retry(url: String, attempt: Int, delay: Duration, reason: String)
        case failed(url: String, reason: String)
        case cancelled(url: String)
        case progress(url: String, bytes: Int64, total: Int64?, speed: Double)

        /// The constant message of its entry.
        fileprivate var message: StaticString {
            switch self {
            case .enqueued: "download enqueued"
            case .started: "download started"
            case .paused: "download paused"
            case .resumed: "download resumed"
            case .response: "download response"
            case .mime: "download mime"
            case .completed: "download completed"
            case .retry: "download retry"
            case .failed: "download failed"
            case .cancelled: "download cancelled"
            case .progress: "download progress"
            }
        }

        fileprivate var url: String {
            switch self {
            case .enqueued(let url, _), .started(let url), .paused(let url, _), .resumed(let url, _),
                .response(let url, _, _), .mime(let url, _), .completed(let url, _), .retry(let url, _, _, _),
                .failed(let url, _), .cancelled(let url), .progress(let url, _, _, _):
                url
            }
        }

        /// The lowest log level at which it is written.
        fileprivate var level: LogLevel {
            switch self {
            case .failed: .failures
            case .progress: .verbose
            default: .standard
            }
        }
    }

    /// The header fields of a response that are logged.
    private static let loggedFields: Set<String> = ["content-type", "content-length"]

    private let log: NetworkLog?

    /// Creates a log.
    ///
    /// - Parameter log: The destination and the level; `nil` writes nothing. Failures are written at every level, the
    ///   other events from `standard` on, progress at `verbose`.
    package init(_ log: NetworkLog?) { self.log = log }

    /// Creates a log that writes to the client's logger, with the client's redaction rules.
    package init(_ level: LogLevel, of client: APIClient) {
        let configuration = client.configuration
        let log = NetworkLog(
            level, to: configuration.logging.logger, rules: configuration.logging.redaction, time: configuration.time)
        self.init(level > .none ? log : nil)
    }

    package func callAsFunction(_ event: Event) {
        guard let log, log.level >= event.level else { return }
        log.write(entry(for: event, in: log))
    }

    private func entry(for event: Event, in log: NetworkLog) -> LogEntry {
        var entry = log.entry(event.message)
        let redactor = Redactor(log.rules, url: event.url)
        entry.url = redactor.url(event.url)
        switch event {
        case .started, .cancelled: break
        case .enqueued(_, let file), .completed(_, let file): entry.facts = [("file", redactor.text(file))]
        case .paused(_, let bytes), .resumed(_, let bytes): entry.facts = [("bytes", "\(bytes)")]
        case .response(_, let status, let headers):
            entry.status = status
            entry.headers = redactor.fields(headers).filter { Self.loggedFields.contains($0.name.lowercased()) }
        case .mime(_, let type): entry.facts = [("type", redactor.text(type))]
        case .retry(_, let attempt, let delay, let reason):
            entry.attempt = attempt
            entry.facts = [("after", NetworkLog.milliseconds(delay)), ("reason", redactor.text(reason))]
        case .failed(_, let reason):
            entry.severity = .failure
            entry.facts = [("error", redactor.text(reason))]
        case .progress(_, let bytes, let total, let speed):
            entry.facts = [
                ("bytes", "\(bytes)"), ("total", total.map(String.init) ?? "unknown"),
                ("bytesPerSecond", "\(Int64(exactly: speed.rounded()) ?? 0)"),
            ]
        }
        return entry
    }
}
