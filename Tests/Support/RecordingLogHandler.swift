// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Logging

/// Records each log message with its metadata.
package struct RecordingLogHandler: LogHandler {
    package let notes: PluginCallLog
    package var metadata: Logger.Metadata = [:]
    package var logLevel = Logger.Level.trace

    package init(notes: PluginCallLog) { self.notes = notes }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        notes.add("\(event.message) \(event.metadata ?? [:])")
    }
}
