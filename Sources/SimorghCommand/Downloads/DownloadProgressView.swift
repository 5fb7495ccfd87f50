// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// The progress of downloads on a terminal: a line for each active file, and one for the total.
package struct DownloadProgressView: Sendable, Equatable {
    /// The wait of a file before its next attempt.
    package struct Wait: Sendable, Equatable {
        /// The seconds until the next attempt.
        package let seconds: Double
        /// The error of the last attempt.
        package let reason: String

        package init(seconds: Double, reason: String) {
            self.seconds = seconds
            self.reason = reason
        }
    }

    /// The end of all downloads.
    package struct End: Sendable, Equatable {
        package let isInterrupted: Bool
        package let seconds: Double

        package init(isInterrupted: Bool, seconds: Double) {
            self.isInterrupted = isInterrupted
            self.seconds = seconds
        }
    }

    /// A file that is being downloaded, or waits for its next attempt.
    package struct File: Sendable, Equatable {
        package var name: String
        package var received: Int64 = 0
        package var total: Int64?
        package var speed: Double = 0
        /// The estimated number of seconds until the file is complete.
        package var eta: Double?
        package var connections = 0
        /// The wait before the next attempt; `nil` if the file is being downloaded.
        package var wait: Wait?

        package init(name: String) { self.name = name }

        /// `film.mp4  42%  4.2 MiB of 10.0 MiB, 1.0 MiB/s, 6 s left, 4 connections`, or the wait with its reason.
        package var line: ProgressLine {
            let name = ProgressLine.Lead.name(DisplayText.oneLine(name))
            if let wait {
                let again = wait.seconds > 0 ? "again in \(DownloadProgressView.seconds(wait.seconds))" : "again now"
                return ProgressLine(
                    name, parts: [.init(again, rank: 2), .init(DisplayText.oneLine(wait.reason), rank: 1)])
            }
            let fraction = total.flatMap { $0 > 0 ? min(1, max(0, Double(received) / Double($0))) : nil }
            let whole = total.map { " of \(DisplayText.bytes(Double($0)))" } ?? ""
            var parts: [ProgressLine.Part] = [
                .init(fraction.map { "\(Int($0 * 100))%" } ?? "?", rank: 5),
                .init(DisplayText.bytes(Double(received)) + whole, rank: 2, separator: "  "),
                .init("\(DisplayText.bytes(speed))/s", rank: 4),
            ]
            if let eta { parts.append(.init("\(DownloadProgressView.seconds(eta)) left", rank: 3)) }
            if connections > 1 { parts.append(.init("\(connections) connections", rank: 1)) }
            return ProgressLine(name, parts: parts)
        }
    }

    package var files: [File] = []
    package var count: Int
    package var completed = 0
    package var failed = 0
    /// The end of all downloads, once they have ended.
    package var end: End?

    package init(count: Int) { self.count = count }

    /// Returns the lines, fewer than the terminal has rows, and each shorter than a row.
    ///
    /// - Parameter size: The size of the terminal.
    /// - Returns: The lines; files that do not fit are counted in one line.
    package func lines(_ size: TerminalSize) -> [String] {
        let total = total.text(columns: size.columns)
        let room = max(0, size.rows - 2)
        guard end == nil, room > 0, !files.isEmpty else { return [total] }
        var lines = files.prefix(files.count > room ? room - 1 : room).map { $0.line.text(columns: size.columns) }
        if files.count > room {
            let more = "… and \(files.count - lines.count) more"
            lines.append(TextWidth.cut(more, to: max(1, size.columns - 1)))
        }
        return lines + [total]
    }

    /// The total of all files: `2 of 5 files, 3.1 MiB/s, 12 s left, 8 connections`.
    private var total: ProgressLine {
        var parts: [ProgressLine.Part] = [.init("\(completed) of \(count) \(count == 1 ? "file" : "files")", rank: 9)]
        if failed > 0 { parts.append(.init("\(failed) failed", rank: 8)) }
        if let end {
            if end.isInterrupted { parts.append(.init("interrupted", rank: 7)) }
            parts.append(.init("in \(Self.seconds(end.seconds))", rank: 1, separator: " "))
            return ProgressLine(.nothing, parts: parts)
        }
        let speed = files.reduce(0) { $0 + $1.speed }
        parts.append(.init("\(DisplayText.bytes(speed))/s", rank: 3))
        if let eta = files.compactMap(\.eta).max() { parts.append(.init("\(Self.seconds(eta)) left", rank: 2)) }
        let connections = files.reduce(0) { $0 + $1.connections }
        if connections > 1 { parts.append(.init("\(connections) connections", rank: 1)) }
        return ProgressLine(.nothing, parts: parts)
    }

    /// Formats a duration: `45 s`, `12 min 5 s`, `3 h 20 min`.
    package static func seconds(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 360_000 else { return "days" }
        let whole = Int(max(0, seconds).rounded(.up))
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) min \(whole % 60) s"
        default: return "\(whole / 3600) h \(whole % 3600 / 60) min"
        }
    }
}
#endif
