// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// Foundation's descriptions of errors, from a file that imports it.
enum FoundationWords {
    static func description(of error: any Error) -> String { error.localizedDescription }
}
