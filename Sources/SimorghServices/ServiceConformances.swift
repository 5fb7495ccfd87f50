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
    /// A cancelled task first finishes the writes to the disk, too.
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
    /// 1000, if the program closes it, and if the client drains. If the task is cancelled, this returns without waiting for the end of the close handshake.
    ///
    /// - Throws: ``/SimorghRealtime/WebSocketError`` if the connection has ended for another reason.
    public func run() async throws {
        connect()
        let closure: WebSocketCloseInfo?
        do {
            closure = try await withTaskCancellationOrGracefulShutdownHandler {
                try await waitUntilClosed()
            } onCancelOrGracefulShutdown: {
                self.close(code: .goingAway)
            }
        } catch {
            // A group cancels services that take too long to shut down, which must not fail the group.
            guard Task.isCancelled else { throw error }
            return
        }
        guard !Task.isShuttingDownGracefully, !Task.isCancelled, !isDraining, closure?.code != .normal, let lastFailure
        else { return }
        throw lastFailure
    }
}

extension SubscriptionClient: Service {
    /// Connects, and ends all subscriptions at graceful shutdown.
    ///
    /// Runs on if the connection has ended for good: the subscribers get its error, and later subscriptions connect
    /// again.
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
    /// Runs on if the subscription has ended for good: the subscribers get its error.
    ///
    /// - Throws: Never.
    public func run() async throws {
        connect()
        await Shutdown.wait()
        await disconnect()
    }
}
#endif
