// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghDownloads
import SimorghSupport
import SimorghTesting
import Synchronization

/// A page on this machine that shows the calls of clients as they happen.
///
/// ```swift
/// let inspector = try await Inspector.start(client, port: 8888)
/// print(inspector.url)
/// ```
/// The page lists the calls of the client and of its views, with their phases, attempts, redirects, cache decisions,
/// header fields and bodies, and the messages of WebSockets and event streams. Secrets are redacted as in the log. It
/// listens on 127.0.0.1 only, and its address contains a random token, so that neither another machine nor another web
/// page reads it.
///
/// It is for debug builds: in a program that was built without `DEBUG`, as release builds are,
/// ``start(_:port:named:configuration:)`` throws. A client without an inspector has no cost. The last 1,000 calls are
/// kept, in at most 64 MiB; ``Configuration`` sets other limits.
public final class Inspector: Sendable {
    private struct Watches {
        /// Each removes its observer.
        var removals: [@Sendable () -> Void] = []
        /// The observed hubs of events; a client and its views share one.
        var hubs: Set<ObjectIdentifier> = []
        var registration: String?
        var isStopped = false
    }

    /// The address of the page, with its token.
    public let url: String
    /// The port that the page is served on.
    public let port: Int
    package let store: InspectorStore
    private let server: MockServer
    private let watches = Mutex(Watches())

    #if DEBUG
    private static let isDebugBuild = true
    #else
    private static let isDebugBuild = false
    #endif

    /// Starts an inspector for the later calls of a client and its views.
    ///
    /// - Parameters:
    ///   - client: The client. The inspector keeps it until it stops, to send calls again.
    ///   - port: The port on 127.0.0.1; 0 for any free port. Default: 0.
    ///   - name: The name of the client on the page. Default: none.
    ///   - configuration: The limits and the redaction.
    /// - Returns: The inspector, which works until it is released or ``stop()`` is called.
    /// - Throws: ``InspectorError``.
    public static func start(
        _ client: APIClient, port: Int = 0, named name: String = "", configuration: Configuration = Configuration()
    ) async throws -> Inspector {
        guard isDebugBuild else {
            throw InspectorError(
                .releaseBuild,
                message: "an inspector starts only in debug builds: remove it from this build, or build with DEBUG")
        }
        let inspector = try await open(InspectorStore(configuration), port: port, isRegistered: true)
        inspector.watch(client, named: name)
        return inspector
    }

    /// Starts the server of an inspector.
    ///
    /// - Parameters:
    ///   - store: The state.
    ///   - port: The port; 0 for any free port.
    ///   - file: The name of the file that the state was read from; `nil` for clients of this process.
    ///   - isRegistered: True if `simorgh inspect` finds it.
    /// - Returns: The inspector.
    /// - Throws: ``InspectorError``.
    package static func open(
        _ store: InspectorStore, port: Int, file: String? = nil, isRegistered: Bool = false
    ) async throws(InspectorError) -> Inspector {
        guard (0...65535).contains(port) else {
            throw InspectorError(.portUnavailable, message: "\(port) is not a port: use 0 to 65535")
        }
        var configuration = MockServer.Configuration()
        configuration.port = port
        configuration.protocols = [.http1]
        configuration.maximumBodyBytes = 64 * 1024
        configuration.maximumRecordedRequests = 0
        let server: MockServer
        do {
            server = try await MockServer.start(configuration)
        } catch {
            throw InspectorError(
                .portUnavailable, message: "cannot listen on 127.0.0.1:\(port), use another port or 0: \(error)")
        }
        let token = InspectorToken.random()
        let routes = InspectorRoutes(
            store, token: token, title: file ?? PlatformFolders.current.program, isFile: file != nil)
        server.state.addRoutes(routes.router)
        let inspector = Inspector(server, store: store, url: "\(server.url)/\(token.text)/")
        if isRegistered {
            let path = InspectorRegistry().add(url: inspector.url, port: inspector.port)
            inspector.watches.withLock { $0.registration = path }
        }
        return inspector
    }

    private init(_ server: MockServer, store: InspectorStore, url: String) {
        self.server = server
        self.store = store
        self.url = url
        port = server.port
    }

    deinit { removeAll() }

    /// Also shows the later calls of another client and its views.
    ///
    /// It has no effect for a client that is shown already, for a view of one, and after ``stop()``.
    ///
    /// - Parameters:
    ///   - client: The client. The inspector keeps it until it stops, to send calls again.
    ///   - name: The name of the client on the page, by which calls can be filtered.
    public func watch(_ client: APIClient, named name: String) {
        let hub = client.hub
        guard watches.withLock({ !$0.isStopped && $0.hubs.insert(ObjectIdentifier(hub)).inserted }) else { return }
        let observer = ClientObserver(store, name: name)
        let id = hub.add(observer)
        store.add(client, for: observer)
        keep { hub.remove(id) }
    }

    /// Also shows the downloads of a manager, with their segments.
    ///
    /// It has no effect after ``stop()``.
    ///
    /// - Parameters:
    ///   - manager: The manager, which is not retained.
    ///   - name: The name of the manager on the page. Default: none.
    public func watch(_ manager: DownloadManager, named name: String = "") {
        guard !watches.withLock({ $0.isStopped }) else { return }
        let task = DownloadObserver(store, name: name).observe(manager)
        keep { task.cancel() }
    }

    /// Keeps the removal of an observer until the inspector stops; calls it at once if it stopped in the meantime.
    private func keep(_ removal: @escaping @Sendable () -> Void) {
        let isStopped = watches.withLock { watches in
            if !watches.isStopped { watches.removals.append(removal) }
            return watches.isStopped
        }
        guard isStopped else { return }
        removal()
        store.removeClients()
    }

    /// Allows the pages of an origin to show the inspector in a frame.
    ///
    /// - Parameter origin: The origin, such as `http://127.0.0.1:8080`. The last eight origins are kept; a text that is
    ///   not an origin has no effect, nor has an IPv6 address, which a Content-Security-Policy cannot name.
    public func allowFrame(in origin: String) { store.allowFrame(in: origin) }

    /// Stops recording, and closes the page's connections.
    ///
    /// A second call has no effect.
    public func stop() async {
        removeAll()
        await server.shutdown()
    }

    private func removeAll() {
        let watches = watches.withLock { watches in
            defer { watches = Watches(isStopped: true) }
            return watches
        }
        for remove in watches.removals { remove() }
        if let path = watches.registration { InspectorRegistry().remove(path) }
        store.removeClients()
    }
}
