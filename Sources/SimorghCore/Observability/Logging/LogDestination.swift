// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import Logging

/// Where the log goes to.
public struct LogDestination: Sendable {
    package let write: @Sendable (LogEntry) -> Void
    /// Whether entries of a gravity are written here.
    package let hears: @Sendable (LogEntry.Gravity) -> Bool
    /// Waits until all is written; `nil` where it is when it was given.
    package let flush: (@Sendable () async -> Void)?

    package init(
        _ write: @escaping @Sendable (LogEntry) -> Void,
        hears: @escaping @Sendable (LogEntry.Gravity) -> Bool = { _ in true },
        flush: (@Sendable () async -> Void)? = nil
    ) {
        self.write = write
        self.hears = hears
        self.flush = flush
    }

    /// A logger of swift-log, by default one of this library's, which writes to what the program set up.
    ///
    /// Failures are written at the level `error`, all else at `debug`.
    ///
    /// - Parameters:
    ///   - logger: The logger. Its own level holds; that of the default one lets all pass, as ``LogLevel`` decides. The
    ///     default one is made at the first entry, so that a program may set its log up after it has made its clients.
    ///   - format: `nil`, the default, gives the logger constant messages, and all that belongs to the call as metadata; a
    ///     format gives it a text.
    /// - Returns: The destination.
    public static func logger(_ logger: Logger? = nil, format: LogFormat? = nil) -> LogDestination {
        let late = LateLogger(logger)
        return LogDestination(
            { entry in
                let logger = late.value
                let level = Self.level(of: entry.gravity)
                guard logger.logLevel <= level else { return }
                if let format {
                    logger.log(level: level, "\(format.text(of: entry, isDated: false))")
                } else {
                    logger.log(level: level, "\(entry.message)", metadata: entry.metadata)
                }
            },
            // The default one lets all pass, and is not made to be asked.
            hears: { gravity in logger.map { $0.logLevel <= Self.level(of: gravity) } ?? true })
    }

    private static func level(of gravity: LogEntry.Gravity) -> Logger.Level { gravity == .failure ? .error : .debug }

    /// A file, which is written on a queue of its own, and set aside when it is full.
    ///
    /// What is full is renamed to `PATH.1`, what was that to `PATH.2`, and so on. Nobody but the user it is written by may
    /// read it: others lose that right where they had it, and a file or a pipe of somebody else is not written. Two
    /// destinations of one path share the file, several processes may, too, and what somebody moves or removes is begun
    /// anew.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must be there.
    ///   - format: How an entry looks; one line by default.
    ///   - maximumBytes: How large the file gets; 10 MiB by default.
    ///   - maximumFiles: How many there are with those set aside; 4 by default.
    /// - Returns: The destination. What cannot be written is dropped, and counted in the next line that can be; that a file
    ///   cannot be opened, or that nobody reads a pipe any more, is told once to the process's own logger. A pipe whose reader
    ///   is slow is waited for, but not longer than a second.
    public static func file(
        _ path: String, format: LogFormat = .line, maximumBytes: Int = 10 * 1024 * 1024, maximumFiles: Int = 4
    ) -> LogDestination {
        let file = LogFile.shared(path, LogFile.Limits(bytes: maximumBytes, files: maximumFiles))
        return LogDestination({ file.write(format.text(of: $0, isDated: true)) }, flush: { await file.flush() })
    }

    /// The system's log: the unified log on Apple's systems, the process's logger elsewhere.
    ///
    /// - Parameters:
    ///   - subsystem: The program's part that logs; the system's log sorts by it.
    ///   - format: How an entry looks; one line by default.
    /// - Returns: The destination.
    public static func systemLog(subsystem: String = "simorgh", format: LogFormat = .line) -> LogDestination {
        let system = SystemLog(subsystem: subsystem)
        return LogDestination { entry in
            system.write(format.text(of: entry, isDated: false), isFailure: entry.gravity == .failure)
        }
    }

    /// A function of your own.
    ///
    /// - Parameters:
    ///   - format: How an entry looks; one line by default.
    ///   - write: Takes the text of an entry, without a line break at its end. It is called from many tasks at once, and should
    ///     return at once.
    /// - Returns: The destination.
    public static func custom(
        format: LogFormat = .line, _ write: @escaping @Sendable (_ text: String) -> Void
    ) -> LogDestination {
        LogDestination { entry in write(format.text(of: entry, isDated: true)) }
    }
}
