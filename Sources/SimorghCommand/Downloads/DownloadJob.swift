// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import Simorgh
import SimorghSupport

/// The work of `simorgh download`.
package struct DownloadJob: Sendable, Equatable {
    /// The destination of bytes that are not stored as a file.
    package enum Sink: Sendable, Equatable {
        case standardOutput
        /// A device or a named pipe.
        case device(String)
    }

    package var requests: [DownloadRequest] = []
    /// The errors of invalid lines in a list; the URLs of the other lines are downloaded.
    package var faults: [String] = []
    package var sink: Sink?
    package var digest: DownloadDigest?
    /// The folder of the journals of incomplete files.
    package var folder: String
    /// True if other commands may download other URLs to that folder at the same time.
    package var isShared = false
    package var segments = 4
    package var parallel = 3
    package var retries = 3
    package var continues = false
    package var bytesPerSecond: Int64?
    /// True to print JSON.
    package var isJSON = false

    package init(folder: String) { self.folder = folder }

    /// The configuration of the download manager.
    package var config: DownloadManagerConfig {
        var config = DownloadManagerConfig(
            maxConcurrentDownloads: parallel, maxQueueSize: .max,
            retryPolicy: DownloadRetryPolicy(maximumAttempts: retries), minFreeDiskSpace: 0)
        config.downloadDirectory = URL(filePath: folder, directoryHint: .isDirectory)
        config.segments = segments
        config.maximumBytesPerSecond = bytesPerSecond
        // The arguments decide which downloads of an earlier run are resumed.
        config.restoresAutomatically = false
        return config
    }
}
#endif
