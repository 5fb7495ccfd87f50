// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import Simorgh
import SimorghSupport

/// What `simorgh download` is to do.
package struct DownloadJob: Sendable, Equatable {
    /// The place of bytes that are not to become a file of a folder.
    package enum Sink: Sendable, Equatable {
        case standardOutput
        /// A device or a named pipe.
        case device(String)
    }

    package var requests: [DownloadRequest] = []
    /// The faults of lines of a list; the URLs of the other lines are downloaded.
    package var faults: [String] = []
    package var sink: Sink?
    package var digest: DownloadDigest?
    /// The folder that keeps the journals of files that are not whole yet.
    package var folder: String
    /// True if other commands may download other URLs to that folder at the same time.
    package var isShared = false
    package var segments = 4
    package var parallel = 3
    package var retries = 3
    package var continues = false
    package var bytesPerSecond: Int64?
    /// Whether programs read what it says.
    package var isJSON = false

    package init(folder: String) { self.folder = folder }

    /// How the manager behaves.
    package var config: DownloadManagerConfig {
        var config = DownloadManagerConfig(
            maxConcurrentDownloads: parallel, maxQueueSize: .max,
            retryPolicy: DownloadRetryPolicy(maximumAttempts: retries), minFreeDiskSpace: 0)
        config.downloadDirectory = URL(filePath: folder, directoryHint: .isDirectory)
        config.segments = segments
        config.maximumBytesPerSecond = bytesPerSecond
        // Which of those that an earlier run left go on is for the arguments to say.
        config.restoresAutomatically = false
        return config
    }
}
#endif
