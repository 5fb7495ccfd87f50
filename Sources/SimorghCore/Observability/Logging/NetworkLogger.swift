// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A logger for clients, downloads, WebSockets and subscriptions.
///
/// A client logs nothing until ``APIClient/Configuration/Logging/level`` is set. Secrets are redacted as
/// ``APIClient/Configuration/Logging/redaction`` says before entries reach the logger.
/// ```swift
/// var configuration = APIClient.Configuration()
/// configuration.logging.level = .verbose
/// configuration.logging.logger = NetworkLogger([.logger(format: .tree), .file("network.log", format: .json)])
/// ```
public final class NetworkLogger: Sendable {
    /// Writes to the program's own log with swift-log, and to the file in the environment variable `SIMORGH_LOG_FILE`.
    ///
    /// A file name without a folder is a file in the user's cache folder. The format is one line per entry, or JSON if
    /// the name ends in `.json` or `.jsonl`.
    public static let shared = logger(in: ProcessInfo.processInfo.environment)

    /// Returns the logger that an environment specifies.
    package static func logger(in environment: [String: String]) -> NetworkLogger {
        guard let path = LogFilePath.path(in: environment) else { return NetworkLogger() }
        if environment[LogFilePath.variable].map(LogFilePath.isBare) == true, let folder = path.before(last: "/") {
            // The user's cache folder may not exist yet.
            try? FileManager.default.createDirectory(atPath: String(folder), withIntermediateDirectories: true)
        }
        let isJSON = path.hasSuffix(".json") || path.hasSuffix(".jsonl")
        return NetworkLogger([.logger(), .file(path, format: isJSON ? .json : .line)])
    }

    private let destinations: [LogDestination]
    /// The largest part of a body to log, in bytes.
    package let maximumBodyBytes: Int

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - destinations: The destinations. Default: the program's own log.
    ///   - maximumBodyBytes: The largest part of a body to log, in bytes. Default: 16 KiB.
    public init(_ destinations: [LogDestination] = [.logger()], maximumBodyBytes: Int = 16 * 1024) {
        self.destinations = destinations
        self.maximumBodyBytes = max(0, maximumBodyBytes)
    }

    /// Waits until all earlier entries are in the files.
    ///
    /// Call it before the program ends.
    public func flush() async {
        for destination in destinations { await destination.flush?() }
    }

    /// Returns true if a destination writes entries of a severity.
    package func accepts(_ severity: LogEntry.Severity) -> Bool { destinations.contains { $0.accepts(severity) } }

    /// Writes an entry, whose secrets must be redacted already.
    package func write(_ entry: LogEntry) {
        for destination in destinations { destination.write(entry) }
    }
}
