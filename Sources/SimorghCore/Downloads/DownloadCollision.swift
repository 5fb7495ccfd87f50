// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What happens when there is a file of the name already.
public enum DownloadCollision: String, Sendable, Hashable, Codable, CaseIterable {
    /// The new one gets a number: `photo (1).png`.
    case uniquify
    /// The new one takes its place, in one step when it is whole.
    case overwrite
    /// The old one stays where it has the expected digest, or else the length that the server tells; if not, the new one gets
    /// a number.
    case skipIfSame
    /// The download fails.
    case fail
}
