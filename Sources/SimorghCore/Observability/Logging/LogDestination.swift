// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import Logging

/// A destination of log entries.
public struct LogDestination: Sendable {
    package let write: @Sendable (LogEntry) -> Void
    /// Returns true if entries of a severity are written to this destination.
    package let accepts: @Sendable (LogEntry.Severity) -> Bool
    /// Waits until all entries are written; `nil` if they are written synchronously.
    package let flush: (@Sendable () async -> Void)?

    package init(
        _ write: @escaping @Sendable (LogEntry) -> Void,
        accepts: @escaping @Sendable (LogEntry.Severity) -> Bool = { _ in true },
        flush: (@Sendable () async -> Void)? = nil
    ) {
        self.write = write
        self.accepts = accepts
        self.flush = flush
    }

    /// Returns a destination that writes to a swift-log logger, by default one with the label of this library.
    ///
    /// Failures are logged at level `error`, other entries at `debug`.
    ///
    /// - Parameters:
    ///   - logger: The logger. Its own log level applies. The default logger has no level limit, as ``LogLevel``
    ///     decides; it is created at the first entry, so that a program can set up its log after it has made its
    ///     clients.
    ///   - format: The format of the message. With `nil`, the default, the message is constant, and the details of the
    ///     call are metadata.
    /// - Returns: The destination.
    public static func logger(_ logger: Logger? = nil, format: LogFormat? = nil) -> LogDestination {
        let late = LazyLogger(logger)
        return LogDestination(
            { entry in
                let logger = late.value
                let level = Self.level(of: entry.severity)
                guard logger.logLevel <= level else { return }
                if let format {
                    logger.log(level: level, "\(format.text(of: entry, isDated: false))")
                } else {
                    logger.log(level: level, "\(entry.message)", metadata: entry.metadata)
                }
            },
            // The default logger has no level limit and must not be created here.
            accepts: { severity in logger.map { $0.logLevel <= Self.level(of: severity) } ?? true })
    }

    private static func level(of severity: LogEntry.Severity) -> Logger.Level { severity == .failure ? .error : .debug }

    /// Returns a destination that writes to a file on its own queue, with rotation.
    ///
    /// A full file is renamed to `PATH.1`, the previous `PATH.1` to `PATH.2`, and so on. Only the current user can
    /// read the files: permissions of other users are removed, and a file or pipe of another user is not written.
    /// Destinations with the same path share the file, and so can several processes. If the file is moved or removed,
    /// a new one is created.
    ///
    /// - Parameters:
    ///   - path: The path of the file. Its folder must exist.
    ///   - format: The format of an entry. Default: one line.
    ///   - maximumBytes: The largest size of the file, in bytes. Default: 10 MiB.
    ///   - maximumFiles: The number of files, including the rotated ones. Default: 4.
    /// - Returns: The destination. Entries that cannot be written are dropped, and the next line reports their number.
    ///   If the file cannot be opened, or the reader of a pipe is gone, the process's own logger reports it once. If
    ///   the reader of a pipe is slow, writing waits up to one second.
    public static func file(
        _ path: String, format: LogFormat = .line, maximumBytes: Int = 10 * 1024 * 1024, maximumFiles: Int = 4
    ) -> LogDestination {
        let file = LogFile.shared(path, limits: LogFile.Limits(bytes: maximumBytes, files: maximumFiles))
        return LogDestination({ file.write(format.text(of: $0, isDated: true)) }, flush: { await file.flush() })
    }

    /// Returns a destination for the system's log: the unified log on Apple platforms, elsewhere the process's logger.
    ///
    /// The unified log truncates a message at about 1 KiB. A longer entry is split there, at the end of a line if
    /// possible, into several messages, between which those of other tasks may appear.
    ///
    /// - Parameters:
    ///   - subsystem: The subsystem in the system's log.
    ///   - format: The format of an entry. Default: one line.
    /// - Returns: The destination.
    public static func systemLog(subsystem: String = "simorgh", format: LogFormat = .line) -> LogDestination {
        let system = SystemLog(subsystem: subsystem)
        return LogDestination { entry in
            system.write(format.text(of: entry, isDated: false), isFailure: entry.severity == .failure)
        }
    }

    /// Returns a destination that calls a function.
    ///
    /// - Parameters:
    ///   - format: The format of an entry. Default: one line.
    ///   - write: Receives the text of an entry, without a trailing line break. It is called concurrently from many
    ///     tasks, and should return quickly.
    /// - Returns: The destination.
    public static func custom(
        format: LogFormat = .line, _ write: @escaping @Sendable (_ text: String) -> Void
    ) -> LogDestination {
        LogDestination { entry in write(format.text(of: entry, isDated: true)) }
    }
}
