// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension StubServer: LeakWatched {
    /// The exchanges that have begun and are not over: a call that hangs, or a streamed body that is held and not read.
    public var leftovers: [String] { running.leftovers.map(\.name) }
}

extension Cassette: LeakWatched {
    /// The exchanges that have begun and are not over.
    public var leftovers: [String] { running.leftovers.map(\.name) }
}

extension ScriptedWebSocket: LeakWatched {
    /// The WebSockets that stand, and the plain exchanges that are not over.
    public var leftovers: [String] { numberedLeftovers.map(\.name) }
}

extension MockServer: LeakWatched {
    /// The exchanges that the server is still busy with: the client has neither read them to their end nor let them go.
    ///
    /// A connection that idles in a client's pool is no leak; ``waitForOpenConnections(atMost:)`` counts those, too.
    public var leftovers: [String] { hub.running.leftovers.map(\.name) }
}

extension TestClock: LeakWatched {
    /// The sleeps that have not ended: each is a task that waits.
    public var leftovers: [String] { wakings.map { "a task that sleeps until \($0.offset)" } }
}

extension ScriptedNetwork: LeakWatched {
    /// The monitors that still watch.
    public var leftovers: [String] { watcherIDs.map { "monitor \($0)" } }
}
