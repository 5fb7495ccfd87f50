// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if ServiceLifecycle
public import ServiceLifecycle
public import SimorghNetwork

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
#endif
