// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Logging
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// The process's own log, which this suite sets up as a program may: after the clients are made, and at the level `info`.
@Suite("The log of the process", .timeLimit(.minutes(10)))
struct ProcessLogTests {
    /// What was made before the log was set up; swift-log lets a process set it up once.
    private struct World: Sendable {
        let box = LogBox()
        let destination = LogDestination.logger()
        let system = LogDestination.systemLog(subsystem: "test.system")
        let plugin = Plugins.Log()

        init() {
            let box = box
            LoggingSystem.bootstrap { _ in
                var handler = box.logger.handler
                handler.logLevel = .info
                return handler
            }
        }
    }

    private static let world = World()

    private var box: LogBox { Self.world.box }

    private func entry(_ url: String) -> LogEntry {
        var entry = LogEntry("request", at: Date(timeIntervalSince1970: 0))
        entry.url = url
        return entry
    }

    @Test("A log that is set up after the client gets what the client writes")
    func late() {
        Self.world.destination.write(entry("https://late.test/logger"))
        #expect(box.data.contains { $0["url"] == "https://late.test/logger" })
    }

    #if !canImport(os)
    @Test("So does the log that stands in for a system's")
    func lateSystem() {
        Self.world.system.write(entry("https://late.test/system"))
        #expect(box.texts.contains { $0.contains("https://late.test/system") })
    }
    #endif

    @Test("The plugin that is given no logger writes its three lines, not failures alone")
    func plugin() async throws {
        let plugin = Self.world.plugin
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) { $0.plugins = [plugin] }
        try await client.call(.get, "process-log").void()
        #expect(box.data.filter { $0["url"] == "https://api.test/process-log" }.count == 3)
    }
}
