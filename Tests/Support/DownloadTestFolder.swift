// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghDownloads

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
import Foundation
#endif

/// A temporary folder for a test, and download managers that use it.
package final class DownloadTestFolder: Sendable {
    package let folder: URL

    package init() {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("downloads-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    package func manager(
        _ origin: some Transport, network: NetworkMonitor? = nil, log: NetworkLog? = nil,
        client: APIClient.Configuration = APIClient.Configuration(),
        change: (inout DownloadManagerConfig) -> Void = { _ in }
    ) throws -> DownloadManager {
        var config = DownloadManagerConfig(
            retryPolicy: DownloadRetryPolicy(maximumAttempts: 2, initialDelay: 0.001, maximumDelay: 0.002),
            downloadDirectory: folder, minFreeDiskSpace: 0)
        config.minimumSegmentSize = 64 * 1024
        config.segments = 1
        change(&config)
        var configuration = client
        configuration.networkMonitor = network
        return try DownloadManager(
            config: config, client: APIClient(configuration: configuration, transport: origin),
            log: DownloadLog(log))
    }

    /// Returns a manager whose one download has received its first bytes; the rest is held back.
    package func begun(_ origin: FakeOrigin) async throws -> (manager: DownloadManager, id: UUID) {
        origin.change { $0.isHeld = true }
        let manager = try self.manager(origin)
        let id = try manager.enqueue(url: Self.url)
        for await progress in manager.progress(for: id) where progress.downloadedBytes > 0 { break }
        return (manager, id)
    }

    /// Ends a manager as a process exit would, except that running work ends in order.
    package func end(_ manager: DownloadManager) async {
        manager.core.close()
        await manager.core.settled()
    }

    package static let url = URL(string: "https://origin.test/files/data.bin") ?? URL(filePath: "/")

    /// Returns random bytes; another seed gives another version of the file.
    package static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededNumbers(seed)
        return random.bytes(count)
    }
}
