// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !canImport(Darwin)
import SimorghCore

/// On other platforms nothing continues downloads while the program does not run.
enum SystemDownloadBackend {
    static func backend(for config: DownloadManagerConfig) -> (any DownloadBackend)? { nil }
}
#endif
