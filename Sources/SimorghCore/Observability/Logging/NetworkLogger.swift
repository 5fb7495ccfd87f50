// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Writes the log of clients, downloads, WebSockets and subscriptions.
///
/// A client writes nothing until ``APIClient/Configuration/Logging/level`` says how much. Secrets are hidden as
/// ``APIClient/Configuration/Logging/redaction`` says before anything comes here.
/// ```swift
/// var configuration = APIClient.Configuration()
/// configuration.logging.level = .verbose
/// configuration.logging.logger = NetworkLogger([.logger(format: .tree), .file("network.log", format: .json)])
/// ```
public final class NetworkLogger: Sendable {
    /// Writes to the program's own log by swift-log, and to the file that the environment names in `SIMORGH_LOG_FILE`.
    ///
    /// A name without a folder is a file in the user's folder for caches. Its format is one line; a name that ends in
    /// `.json` or `.jsonl` gets JSON.
    public static let shared = logger(in: ProcessInfo.processInfo.environment)

    /// The logger that an environment asks for.
    package static func logger(in environment: [String: String]) -> NetworkLogger {
        guard let path = LogFilePath.path(in: environment) else { return NetworkLogger() }
        if environment[LogFilePath.variable].map(LogFilePath.isBare) == true, let folder = path.before(last: "/") {
            // The folder for caches is the user's, who may have had no use for it yet.
            try? FileManager.default.createDirectory(atPath: String(folder), withIntermediateDirectories: true)
        }
        let isJSON = path.hasSuffix(".json") || path.hasSuffix(".jsonl")
        return NetworkLogger([.logger(), .file(path, format: isJSON ? .json : .line)])
    }

    private let destinations: [LogDestination]
    /// How much of a body is written, in bytes.
    package let maximumBodyBytes: Int

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - destinations: Where it writes to; the program's own log by default.
    ///   - maximumBodyBytes: How much of a body is written, in bytes; 16 KiB by default.
    public init(_ destinations: [LogDestination] = [.logger()], maximumBodyBytes: Int = 16 * 1024) {
        self.destinations = destinations
        self.maximumBodyBytes = max(0, maximumBodyBytes)
    }

    /// Waits until all that was logged before is in the files: for a program that is about to end.
    public func flush() async {
        for destination in destinations { await destination.flush?() }
    }

    /// Whether entries of a gravity are written anywhere.
    package func hears(_ gravity: LogEntry.Gravity) -> Bool { destinations.contains { $0.hears(gravity) } }

    /// Writes an entry, in which nothing is secret any more.
    package func write(_ entry: LogEntry) {
        for destination in destinations { destination.write(entry) }
    }
}
