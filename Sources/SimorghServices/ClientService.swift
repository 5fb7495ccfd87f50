// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if ServiceLifecycle
public import ServiceLifecycle
public import SimorghCore

/// A service that drains clients at graceful shutdown.
///
/// ```swift
/// let catalog = APIClient(baseURL: "https://catalog.example.com")
/// let payments = APIClient(baseURL: "https://payments.example.com")
/// let service = ClientService([catalog, payments], drainingWithin: .seconds(20)) { reports in
///     for report in reports where !report.isComplete { print(report, report.requests) }
/// }
/// ```
/// A service group shuts its services down in the reverse order, and waits for each. Put the clients before the services
/// that use them, so that those have ended before the clients refuse calls. Use one service for all clients: it drains
/// them at the same time, while the times of several services add up.
///
/// A client whose calls are made inside the calls of another one, such as the client of a `RefreshingToken`, drains after
/// that one: put it in a service of its own, before the other.
public struct ClientService: Service {
    private let clients: [APIClient]
    private let time: Duration
    private let onDrained: (@Sendable ([DrainReport]) -> Void)?

    /// The longest wait for running calls: 25 seconds.
    ///
    /// Kubernetes ends a process 30 seconds after SIGTERM.
    public static let defaultTime: Duration = .seconds(25)

    /// Creates a service for clients, which drain at the same time.
    ///
    /// - Parameters:
    ///   - clients: The clients; their views are drained, too.
    ///   - time: The longest wait for running calls. Default: 25 seconds.
    ///   - onDrained: Called with the reports of the drains, in the order of the clients.
    public init(
        _ clients: [APIClient], drainingWithin time: Duration = ClientService.defaultTime,
        onDrained: (@Sendable ([DrainReport]) -> Void)? = nil
    ) {
        self.clients = clients
        self.time = time
        self.onDrained = onDrained
    }

    /// Creates a service for one client.
    ///
    /// - Parameters:
    ///   - client: The client; its views are drained, too.
    ///   - time: The longest wait for running calls. Default: 25 seconds.
    ///   - onDrained: Called with the report of the drain.
    public init(
        _ client: APIClient, drainingWithin time: Duration = ClientService.defaultTime,
        onDrained: (@Sendable (DrainReport) -> Void)? = nil
    ) {
        var notify: (@Sendable ([DrainReport]) -> Void)?
        if let onDrained { notify = { reports in for report in reports { onDrained(report) } } }
        self.init([client], drainingWithin: time, onDrained: notify)
    }

    /// Waits for the graceful shutdown, and drains the clients.
    ///
    /// If the task is cancelled, before or during the drain, running calls are cancelled at once.
    ///
    /// - Throws: Never.
    public func run() async throws {
        await Shutdown.wait()
        let reports = await withTaskGroup(of: (Int, DrainReport).self) { group in
            for (index, client) in clients.enumerated() {
                group.addTask { [time] in (index, await client.drain(within: time)) }
            }
            var reports: [Int: DrainReport] = [:]
            for await (index, report) in group { reports[index] = report }
            return clients.indices.compactMap { reports[$0] }
        }
        onDrained?(reports)
    }
}

extension APIClient: Service {
    /// Waits for the graceful shutdown, and drains the client within ``ClientService/defaultTime``.
    ///
    /// - Throws: Never.
    public func run() async throws { try await ClientService(self).run() }
}

/// Waits for the end of a service.
enum Shutdown {
    /// Waits until the service group shuts down gracefully, or the task is cancelled.
    static func wait() async { try? await gracefulShutdown() }
}
#endif
