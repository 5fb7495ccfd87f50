// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Logging

/// Notes each line with its metadata.
struct NotingLogHandler: LogHandler {
    let notes: PluginNotes
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(notes: PluginNotes) { self.notes = notes }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        notes.add("\(event.message) \(event.metadata ?? [:])")
    }
}
