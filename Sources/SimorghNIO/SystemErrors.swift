// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghSupport

/// Converts system errors to text.
package enum SystemErrors {
    /// Returns the text of an error; for a system error its description and name, without the call that failed.
    ///
    /// - Parameter error: The error.
    /// - Returns: The text.
    package static func text(of error: any Error) -> String {
        guard let error = error as? IOError else { return "\(error)" }
        return ErrnoText.of(error.errnoCode)
    }
}
