// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// What somebody made of what stands beside a blob, kept with the blob so that it is made once.
///
/// A store that keeps its blobs in memory keeps it as long as them; to others it is a note that nobody finds again.
package final class BlobNote: Sendable {
    private let made: Mutex<(any AnyObject & Sendable)?>

    /// - Parameter made: What was made already, if it was.
    package init(_ made: (any AnyObject & Sendable)? = nil) { self.made = Mutex(made) }

    /// What was made before, or is made now.
    ///
    /// - Parameter make: Makes it; two at once may, and either's is kept. `nil` is not kept.
    /// - Returns: What was made.
    package func value<Value: AnyObject & Sendable>(_ make: () -> Value?) -> Value? {
        if let earlier = made.withLock({ $0 }) as? Value { return earlier }
        guard let value = make() else { return nil }
        made.withLock { $0 = value }
        return value
    }
}
