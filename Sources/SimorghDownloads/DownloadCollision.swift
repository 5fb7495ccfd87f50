// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The policy for a destination file that already exists.
public enum DownloadCollision: String, Sendable, Hashable, Codable, CaseIterable {
    /// The new file gets a number: `photo (1).png`.
    case uniquify
    /// The new file replaces the existing one, atomically, once it is complete.
    case overwrite
    /// Keeps the existing file if it is the same; otherwise the new file gets a number.
    ///
    /// An existing file is the same if it has the expected digest. Without an expected digest, it must have the length
    /// that the server reports and must not be older than the server's file. Existing files with a number count as
    /// well, except those that another download of the same manager fetched.
    case skipIfSame
    /// Keeps the existing file if it is the same, as in ``skipIfSame``; otherwise the new file replaces it.
    case replaceUnlessSame
    /// The download fails.
    case fail

    /// True if the new file replaces the existing one.
    package var replaces: Bool { self == .overwrite || self == .replaceUnlessSame }
    /// True if an identical existing file makes the download unnecessary.
    package var skips: Bool { self == .skipIfSame || self == .replaceUnlessSame }
}
