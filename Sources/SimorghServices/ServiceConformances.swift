// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if ServiceLifecycle
public import ServiceLifecycle
public import SimorghDownloads
public import SimorghNetwork
public import SimorghRealtime

extension DownloadManager: Service {
    /// Waits for the graceful shutdown, and closes the manager; the next manager of its folder resumes its downloads.
    ///
    /// - Throws: Never.
    public func run() async throws {
        await Shutdown.wait()
        await close()
    }
}

extension NetworkMonitor: Service {
    /// Starts the monitor, waits for the graceful shutdown, and stops the monitor.
    ///
    /// - Throws: Never.
    public func run() async throws {
        startMonitoring()
        await Shutdown.wait()
        stopMonitoring()
    }
}

extension WebSocketConnection: Service {
    /// Connects, and closes the connection with 1001 at graceful shutdown.
    ///
    /// Messages that were already accepted are sent first. Returns earlier if the server closes the connection with
    /// 1000.
    ///
    /// - Throws: ``/SimorghRealtime/WebSocketError`` if the connection has ended for another reason.
    public func run() async throws {
        connect()
        let closure = try await withTaskCancellationOrGracefulShutdownHandler {
            try await waitUntilClosed()
        } onCancelOrGracefulShutdown: {
            self.close(code: .goingAway)
        }
        guard !Task.isShuttingDownGracefully, closure?.code != .normal, let lastFailure else { return }
        throw lastFailure
    }
}

extension SubscriptionClient: Service {
    /// Connects, and ends all subscriptions at graceful shutdown.
    ///
    /// - Throws: Never.
    public func run() async throws {
        connect()
        await Shutdown.wait()
        await disconnect()
    }
}

extension SubscriptionConnection: Service {
    /// Connects and subscribes, and unsubscribes at graceful shutdown.
    ///
    /// - Throws: Never.
    public func run() async throws {
        connect()
        await Shutdown.wait()
        await disconnect()
    }
}
#endif
