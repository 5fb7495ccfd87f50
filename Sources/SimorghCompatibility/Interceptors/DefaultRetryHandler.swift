// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// A retry handler that retries transient errors if a retry is safe; see ``/SimorghCore/NetworkError/isRetryable``.
///
/// It makes the same decisions as a default ``/SimorghCore/RetryPolicy``.
public struct DefaultRetryHandler: RetryHandler {
    /// The maximum number of retries of a call.
    public let numberOfRetries: Int

    /// Creates a handler.
    ///
    /// - Parameter numberOfRetries: The maximum number of retries of a call; a negative number means 0.
    public init(numberOfRetries: Int) { self.numberOfRetries = numberOfRetries }
}
