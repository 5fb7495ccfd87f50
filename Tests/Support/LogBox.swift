// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Logging
package import SimorghCore

/// Records log messages.
package final class LogBox: Sendable {
    private struct Handler: LogHandler {
        let box: LogBox
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            box.messages.change { $0.append("\(event.message)") }
            box.metadata.change { $0.append(event.metadata ?? [:]) }
            box.recordedLevels.change { $0.append(event.level) }
        }
    }

    package init() {}

    private let messages = LockedValue<[String]>([])
    private let metadata = LockedValue<[Logger.Metadata]>([])
    private let recordedLevels = LockedValue<[Logger.Level]>([])

    /// The formatted texts, or the constant messages of a logger.
    package var texts: [String] { messages.value }
    /// The metadata of the messages.
    package var data: [Logger.Metadata] { metadata.value }
    /// The levels of the messages.
    package var levels: [Logger.Level] { recordedLevels.value }
    /// All texts and metadata as one text.
    package var all: String { texts.joined(separator: "\n") + data.map { "\($0)" }.joined(separator: "\n") }

    /// Removes all recorded messages.
    package func clear() {
        messages.change { $0 = [] }
        metadata.change { $0 = [] }
        recordedLevels.change { $0 = [] }
    }

    /// A swift-log logger that writes to this box.
    package var logger: Logger { Logger(label: "test") { _ in Handler(box: self) } }

    /// Returns a destination for formatted text.
    package func destination(_ format: LogFormat = .line) -> LogDestination {
        .custom(format: format) { [messages] text in messages.change { $0.append(text) } }
    }

    /// Returns a logger for formatted text.
    package func writing(_ format: LogFormat = .line) -> NetworkLogger { NetworkLogger([destination(format)]) }
}
