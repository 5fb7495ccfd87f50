// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension StubServer: LeakWatched {
    /// The exchanges that have begun and not ended: a call that hangs, or a streamed body that is held but not read.
    public var leftovers: [String] { running.leftovers.map(\.name) }
}

extension InProcessTransport: LeakWatched {
    /// The exchanges that have begun and not ended.
    public var leftovers: [String] { running.leftovers.map(\.name) }
}

extension Cassette: LeakWatched {
    /// The exchanges that have begun and not ended.
    public var leftovers: [String] { running.leftovers.map(\.name) }
}

extension ScriptedWebSocket: LeakWatched {
    /// The open WebSockets, and the plain exchanges that have not ended.
    public var leftovers: [String] { numberedLeftovers.map(\.name) }
}

extension MockServer: LeakWatched {
    /// The exchanges whose response is not finished: the client has neither read it to its end nor closed it.
    ///
    /// An idle connection in a client's pool is not a leak; ``waitForOpenConnections(atMost:)`` counts those, too.
    public var leftovers: [String] { state.running.leftovers.map(\.name) }
}

extension TestClock: LeakWatched {
    /// The sleeps that have not ended: each is a waiting task.
    public var leftovers: [String] { wakings.map { "a task that sleeps until \($0.offset)" } }
}

extension ScriptedNetwork: LeakWatched {
    /// The monitors that still observe the network.
    public var leftovers: [String] { watcherIDs.map { "monitor \($0)" } }
}
