// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// What Foundation says of errors, from a file that imports it.
enum FoundationWords {
    static func description(of error: any Error) -> String { error.localizedDescription }
}
