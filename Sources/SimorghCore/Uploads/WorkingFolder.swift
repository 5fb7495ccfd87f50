// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The folder that paths without a slash at their beginning start from.
enum WorkingFolder {
    static var path: String { FileManager.default.currentDirectoryPath }
}
