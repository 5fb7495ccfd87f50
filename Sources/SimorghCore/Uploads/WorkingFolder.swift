// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The current working directory, the base of relative paths.
enum WorkingFolder {
    static var path: String { FileManager.default.currentDirectoryPath }
}
