// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A value derived from a blob's metadata, stored with the blob so that it is computed once.
///
/// A store in memory keeps it as long as the blob; other stores discard it.
package final class BlobAttachment: Sendable {
    private let stored: Mutex<(any AnyObject & Sendable)?>

    /// Creates an attachment.
    ///
    /// - Parameter stored: The value, if it exists already.
    package init(_ stored: (any AnyObject & Sendable)? = nil) { self.stored = Mutex(stored) }

    /// Returns the stored value, or creates it.
    ///
    /// - Parameter make: Creates the value. Two tasks may call it at once; either result is kept. `nil` is not stored.
    /// - Returns: The value.
    package func value<Value: AnyObject & Sendable>(_ make: () -> Value?) -> Value? {
        if let earlier = stored.withLock({ $0 }) as? Value { return earlier }
        guard let value = make() else { return nil }
        stored.withLock { $0 = value }
        return value
    }
}
