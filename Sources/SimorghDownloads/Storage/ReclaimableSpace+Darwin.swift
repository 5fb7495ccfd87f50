// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

#if canImport(Darwin)
extension DownloadFileSystem {
    #if os(tvOS) || os(watchOS)
    /// Returns `nil`: this system does not report the space that it would free.
    package static func reclaimable(at path: String) -> Int64? { nil }
    #else
    /// Returns the number of bytes that the system would make available for important data, by deleting data that it
    /// can fetch again; `nil` if unknown.
    ///
    /// - Parameter path: An existing file or folder.
    /// - Returns: The number of bytes, with those that are free already.
    package static func reclaimable(at path: String) -> Int64? {
        try? URL(filePath: path).resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey])
            .volumeAvailableCapacityForImportantUsage
    }
    #endif
}
#endif
