// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient: LeakWatched, NumberedOpenResources {
    /// The resources that the client's transport holds.
    ///
    /// For the engine, these are the connections in use or being opened, the requests that wait for a connection, and
    /// the WebSockets; for a test transport, its own leftovers. The client's requests that the engine or a system
    /// session carries are included with method, URL without its query and, if the call is observed or a step may wait,
    /// the number of the call. An idle connection is not a leak. Other clients of the same transport are counted, too,
    /// so use a separate transport for a client under test. Nothing is known of any other transport.
    public var leftovers: [String] { numberedLeftovers.map(\.name) }

    package var numberedLeftovers: [OpenResource] {
        let wrapper = settings.transport as? any TransportWrapper
        let transport = wrapper?.wrapped ?? settings.transport
        if let watched = transport as? any LeakWatched { return OpenResource.all(of: watched) }
        let requests = scope.requestMembers.map { OpenResource($0) }.sorted { $0.name < $1.name }
        guard let activity = (transport as? any TransportActivityReporting)?.activity else { return requests }
        let counts = [
            ("a connection in use", activity.carrying), ("a connection that is being opened", activity.opening),
            ("a request that waits for a connection", activity.waiting),
        ]
        let connections = counts.flatMap { name, count in (0..<max(0, count)).map { _ in OpenResource(name: name) } }
        let sockets = activity.upgraded.sorted { $0.key < $1.key }.map { id, head in
            OpenResource(id: id, name: "WebSocket \(id): \(OpenResource.name(of: head))")
        }
        return connections + requests + sockets
    }
}
