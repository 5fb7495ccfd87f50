// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCompatibility
import SimorghCore
import Synchronization

/// What plugins were asked, in order.
final class PluginNotes: Sendable {
    private let notes = Mutex<[String]>([])

    var all: [String] { notes.withLock { $0 } }

    func add(_ note: String) { notes.withLock { $0.append(note) } }
}

/// Notes each hook under its name.
struct NotingPlugin: Plugin {
    struct Refused: Error {}

    var id: String
    var priority: PluginPriority
    var name: String
    let notes: PluginNotes
    var refuses = false

    func prepare(_ request: inout TransportRequest) async throws {
        notes.add("\(name) prepare")
        request.head.headerFields.append(HTTPField(name: .via, value: name))
    }

    func willSend(_ request: TransportRequest) async { notes.add("\(name) willSend") }

    func didReceive(_ response: TransportResponse, to request: TransportRequest) async {
        notes.add("\(name) didReceive")
    }

    func verify(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) async throws {
        notes.add("\(name) verify")
        if refuses { throw Refused() }
    }

    func didFinish(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) async {
        notes.add("\(name) didFinish")
    }

    func wasCancelled(_ request: TransportRequest) async { notes.add("\(name) wasCancelled") }
}
