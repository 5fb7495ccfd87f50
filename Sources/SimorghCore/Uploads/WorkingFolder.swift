// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The folder that paths without a slash at their beginning start from.
enum WorkingFolder {
    static var path: String { FileManager.default.currentDirectoryPath }
}
