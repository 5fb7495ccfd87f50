// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How far the body of a request has come.
///
/// Bytes count when the transport has taken them, in pieces of at most 128 KiB. ``fraction`` never goes back, also not when the
/// request is sent again, and is 1 exactly once: when the server has answered, and its answer is accepted.
public struct UploadProgress: Sendable, Hashable {
    /// How many bytes of the body the transport has taken.
    public let sent: Int64
    /// How many bytes there are; `nil` while nobody knows.
    public let total: Int64?
    /// Whether the server has answered, and its answer is accepted: the last progress of an upload.
    public let isFinished: Bool

    package init(sent: Int64, total: Int64?, isFinished: Bool = false) {
        self.sent = sent
        self.total = total
        self.isFinished = isFinished
    }

    /// Whether nobody knows how much there is to send.
    public var isIndeterminate: Bool { total == nil }

    /// How much of the whole, from 0 to 1; 0 while the whole is not known.
    public var fraction: Double {
        if isFinished { return 1 }
        guard let total, total > 0 else { return 0 }
        return min(Double(sent) / Double(total), 1)
    }
}
