// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCompatibility
package import SimorghCore
import Synchronization

/// The recorded plugin calls, in order.
package final class PluginCallLog: Sendable {
    private let notes = Mutex<[String]>([])

    package var all: [String] { notes.withLock { $0 } }

    package init() {}

    package func add(_ note: String) { notes.withLock { $0.append(note) } }
}

/// A plugin that records each hook with its name.
package struct RecordingPlugin: Plugin {
    package struct Refused: Error {}

    package var id: String
    package var priority: PluginPriority
    package var name: String
    package let notes: PluginCallLog
    package var refuses = false

    package init(id: String, priority: PluginPriority, name: String, notes: PluginCallLog, refuses: Bool = false) {
        (self.id, self.priority, self.name, self.notes, self.refuses) = (id, priority, name, notes, refuses)
    }

    package func prepare(_ request: inout TransportRequest) async throws {
        notes.add("\(name) prepare")
        request.head.headerFields.append(HTTPField(name: .via, value: name))
    }

    package func willSend(_ request: TransportRequest) async { notes.add("\(name) willSend") }

    package func didReceive(_ response: TransportResponse, to request: TransportRequest) async {
        notes.add("\(name) didReceive")
    }

    package func verify(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) async throws {
        notes.add("\(name) verify")
        if refuses { throw Refused() }
    }

    package func didFinish(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) async {
        notes.add("\(name) didFinish")
    }

    package func wasCancelled(_ request: TransportRequest) async { notes.add("\(name) wasCancelled") }
}
