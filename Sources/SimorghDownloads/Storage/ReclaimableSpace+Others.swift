// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !canImport(Darwin)
extension DownloadFileSystem {
    /// Returns `nil`: this system frees no space by itself.
    package static func reclaimable(at path: String) -> Int64? { nil }
}
#endif
