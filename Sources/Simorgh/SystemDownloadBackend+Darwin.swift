// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import SimorghCore
import SimorghURLSession

/// The system service that continues downloads while the program does not run.
enum SystemDownloadBackend {
    static func backend(for config: DownloadManagerConfig) -> (any DownloadBackend)? {
        config.backgroundSessionIdentifier.map { BackgroundDownloadBackend(identifier: $0, config: config) }
    }
}
#endif
