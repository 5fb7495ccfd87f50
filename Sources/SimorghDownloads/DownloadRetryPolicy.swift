// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The number of retries of a failed download and the waits between them.
///
/// A retry resumes from the last byte received. Receiving a byte resets the count.
public struct DownloadRetryPolicy: Sendable, Hashable {
    /// The largest number of consecutive retries that receive no byte.
    public let maximumAttempts: Int
    /// The wait before the first retry, in seconds.
    public let initialDelay: Double
    /// The factor by which each further wait grows.
    public let multiplier: Double
    /// The longest wait, in seconds.
    public let maximumDelay: Double
    /// The longest `Retry-After` wait to honor, in seconds.
    ///
    /// Default: one hour.
    public var maximumRetryAfter: Double = 3600

    /// The longest time that a background session may try to complete one transfer, in seconds.
    ///
    /// Default: seven days. The session itself retries lost connections until then; the other settings apply to the
    /// failures that it reports. The first manager of an identifier in a process determines the value.
    public var backgroundTransferLimit: Double = 7 * 86_400

    /// No retry.
    public static let none = DownloadRetryPolicy(maximumAttempts: 0)

    /// Creates a policy; values out of range are clamped.
    ///
    /// - Parameters:
    ///   - maximumAttempts: The largest number of retries. Default: 3.
    ///   - initialDelay: The first wait, in seconds. Default: 1.
    ///   - multiplier: The factor by which each further wait grows. Default: 2; at least 1.
    ///   - maximumDelay: The longest wait, in seconds. Default: 30; at least `initialDelay`.
    public init(
        maximumAttempts: Int = 3, initialDelay: Double = 1, multiplier: Double = 2, maximumDelay: Double = 30
    ) {
        self.maximumAttempts = max(0, maximumAttempts)
        self.initialDelay = initialDelay > 0 ? min(initialDelay, 86_400) : 0
        self.multiplier = multiplier > 1 ? min(multiplier, 1000) : 1
        self.maximumDelay = max(self.initialDelay, maximumDelay > 0 ? min(maximumDelay, 86_400) : 0)
    }
}
