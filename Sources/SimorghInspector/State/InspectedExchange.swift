// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport

/// An exchange whose redacted heads and bodies are read when the page asks for them.
package protocol InspectedExchange: Sendable {
    /// The exchange with everything that is known so far.
    var entry: HARDocument.Entry { get }

    /// Releases the bodies, because the call was dropped.
    func forget()
}

extension RecordedExchange: InspectedExchange {}

/// An exchange that was read from a file.
package struct FileExchange: InspectedExchange {
    package let entry: HARDocument.Entry

    package init(entry: HARDocument.Entry) { self.entry = entry }

    package func forget() {}
}
