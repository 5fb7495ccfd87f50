// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if ServiceLifecycle
public import ServiceLifecycle
public import SimorghDownloads

extension DownloadManager: Service {
    /// Waits for the graceful shutdown, and closes the manager; the next manager of its folder resumes its downloads.
    ///
    /// - Throws: Never.
    public func run() async throws {
        await Shutdown.wait()
        await close()
    }
}
#endif
