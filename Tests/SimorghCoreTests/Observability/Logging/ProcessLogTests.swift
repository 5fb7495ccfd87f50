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

/// The process-wide log, bootstrapped after the clients are created, at level `info`.
@Suite("LoggingSystem of the process", .timeLimit(.minutes(10)))
struct ProcessLogTests {
    /// Objects created before the bootstrap; swift-log allows one bootstrap per process.
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

    @Test("A log that is bootstrapped after the client was created gets the client's entries")
    func late() {
        Self.world.destination.write(entry("https://late.test/logger"))
        #expect(box.data.contains { $0["url"] == "https://late.test/logger" })
    }

    #if !canImport(os)
    @Test("LogDestination.systemLog falls back to a log that is bootstrapped later")
    func lateSystem() {
        Self.world.system.write(entry("https://late.test/system"))
        #expect(box.texts.contains { $0.contains("https://late.test/system") })
    }
    #endif

    @Test("Plugins.Log without a logger logs all three entries of a call, not only failures")
    func plugin() async throws {
        let plugin = Self.world.plugin
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) { $0.plugins = [plugin] }
        try await client.call(.get, "process-log").void()
        #expect(box.data.filter { $0["url"] == "https://api.test/process-log" }.count == 3)
    }
}
