// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// Retries failures that may pass, as ``/SimorghCore/NetworkError/isRetryable`` says, where that is safe.
///
/// It decides as ``/SimorghCore/RetryPolicy`` does with its defaults.
public struct DefaultRetryHandler: RetryHandler {
    /// How often a call is sent again, at most.
    public let numberOfRetries: Int

    /// Creates a handler.
    ///
    /// - Parameter numberOfRetries: How often a call is sent again, at most; less than zero is none.
    public init(numberOfRetries: Int) { self.numberOfRetries = numberOfRetries }
}
