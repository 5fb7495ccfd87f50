// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghSupport

/// Puts errors of the system into words.
package enum SystemErrors {
    /// Returns the text of an error: of one of the system its meaning and its name, without the call that met it.
    ///
    /// - Parameter error: The error.
    /// - Returns: The text.
    package static func text(of error: any Error) -> String {
        guard let error = error as? IOError else { return "\(error)" }
        return ErrnoText.of(error.errnoCode)
    }
}
