// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The progress of sending a request body.
///
/// Bytes count when the transport has taken them, in chunks of at most 128 KiB. ``fraction`` never decreases, even if
/// the request is sent again, and is 1 exactly once: when the server has responded, and its response is accepted.
public struct UploadProgress: Sendable, Hashable {
    /// The number of bytes that the transport has taken.
    public let sent: Int64
    /// The total number of bytes; `nil` while it is unknown.
    public let total: Int64?
    /// True if the server has responded and its response is accepted: this is the last progress of an upload.
    public let isFinished: Bool

    package init(sent: Int64, total: Int64?, isFinished: Bool = false) {
        self.sent = sent
        self.total = total
        self.isFinished = isFinished
    }

    /// A Boolean value that indicates whether the total number of bytes is unknown.
    public var isIndeterminate: Bool { total == nil }

    /// The fraction of the body that has been sent, from 0 to 1; 0 while the total is unknown.
    public var fraction: Double {
        if isFinished { return 1 }
        guard let total, total > 0 else { return 0 }
        return min(Double(sent) / Double(total), 1)
    }
}
