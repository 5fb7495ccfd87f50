// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient: LeakWatched, NumberedLeftovers {
    /// What the client's transport holds: of the engine the connections that carry something or are being opened, the
    /// requests that wait for one, and the WebSockets; of a transport of this kit what that tells itself.
    ///
    /// The client's own requests that the engine or a session of the system carries are named, too: by method, URL
    /// without its query and, where the call is watched or a step may wait, the number of the call. A connection that
    /// idles is no leak. What others do on the same transport is counted, too, so a client that is watched has one of its
    /// own. Of any other transport nothing is known.
    public var leftovers: [String] { numberedLeftovers.map(\.name) }

    package var numberedLeftovers: [Leftover] {
        let transport = settings.transport
        if let watched = transport as? any LeakWatched { return Leftover.all(of: watched) }
        let requests = scope.carriers.map { Leftover($0) }.sorted { $0.name < $1.name }
        guard let occupation = (transport as? any BusyTransport)?.occupation else { return requests }
        let counts = [
            ("a connection in use", occupation.carrying), ("a connection that is being opened", occupation.opening),
            ("a request that waits for a connection", occupation.waiting),
        ]
        let connections = counts.flatMap { name, count in (0..<max(0, count)).map { _ in Leftover(name: name) } }
        let sockets = occupation.upgraded.sorted { $0.key < $1.key }.map { id, head in
            Leftover(id: id, name: "WebSocket \(id): \(Leftover.name(of: head))")
        }
        return connections + requests + sockets
    }
}
