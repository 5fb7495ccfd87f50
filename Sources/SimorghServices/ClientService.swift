// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if ServiceLifecycle
public import ServiceLifecycle
public import SimorghCore

/// A service that drains a client at graceful shutdown.
///
/// ```swift
/// let service = ClientService(client, drainingWithin: .seconds(20)) { report in
///     if !report.isComplete { print("cancelled:", report.requests) }
/// }
/// ```
/// A service group shuts its services down in the reverse order. Put the client before the services that use it, so
/// that they have ended before the client refuses calls.
public struct ClientService: Service {
    private let client: APIClient
    private let time: Duration
    private let onDrained: (@Sendable (DrainReport) -> Void)?

    /// The longest wait for running calls: 25 seconds.
    ///
    /// Kubernetes ends a process 30 seconds after SIGTERM.
    public static let defaultTime: Duration = .seconds(25)

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - client: The client; its views are drained, too.
    ///   - time: The longest wait for running calls. Default: 25 seconds.
    ///   - onDrained: Called with the report of the drain.
    public init(
        _ client: APIClient, drainingWithin time: Duration = ClientService.defaultTime,
        onDrained: (@Sendable (DrainReport) -> Void)? = nil
    ) {
        self.client = client
        self.time = time
        self.onDrained = onDrained
    }

    /// Waits for the graceful shutdown, and drains the client.
    ///
    /// If the task is cancelled, before or during the drain, running calls are cancelled at once.
    ///
    /// - Throws: Never.
    public func run() async throws {
        await Shutdown.wait()
        let report = await client.drain(within: time)
        onDrained?(report)
    }
}

extension APIClient: Service {
    /// Waits for the graceful shutdown, and drains the client within ``ClientService/defaultTime``.
    ///
    /// - Throws: Never.
    public func run() async throws { try await ClientService(self).run() }
}

/// The end of a service.
enum Shutdown {
    /// Waits until the service group shuts down gracefully, or the task is cancelled.
    static func wait() async { try? await gracefulShutdown() }
}
#endif
