// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How often, and after what waits, a download is tried again.
///
/// It goes on from the byte that it had come to. A byte that comes begins the count anew.
public struct DownloadRetryPolicy: Sendable, Hashable {
    /// How often it is tried again without a byte in between.
    public let maximumAttempts: Int
    /// The wait before the first of them, in seconds.
    public let initialDelay: Double
    /// How many times longer each further wait is.
    public let multiplier: Double
    /// The longest wait, in seconds.
    public let maximumDelay: Double
    /// The longest wait that a server may ask for, in seconds; an hour by default.
    public var maximumRetryAfter: Double = 3600

    /// No retry.
    public static let none = DownloadRetryPolicy(maximumAttempts: 0)

    /// Creates a policy; what makes no sense is moved to what does.
    ///
    /// - Parameters:
    ///   - maximumAttempts: How often it is tried again; 3 by default.
    ///   - initialDelay: The first wait, in seconds; 1 by default.
    ///   - multiplier: How many times longer each further wait is; 2 by default, never less than 1.
    ///   - maximumDelay: The longest wait, in seconds; 30 by default, never less than the first.
    public init(
        maximumAttempts: Int = 3, initialDelay: Double = 1, multiplier: Double = 2, maximumDelay: Double = 30
    ) {
        self.maximumAttempts = max(0, maximumAttempts)
        self.initialDelay = initialDelay > 0 ? min(initialDelay, 86_400) : 0
        self.multiplier = multiplier > 1 ? min(multiplier, 1000) : 1
        self.maximumDelay = max(self.initialDelay, maximumDelay > 0 ? min(maximumDelay, 86_400) : 0)
    }
}
