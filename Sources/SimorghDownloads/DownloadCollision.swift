// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What happens when there is a file of the name already.
public enum DownloadCollision: String, Sendable, Hashable, Codable, CaseIterable {
    /// The new one gets a number: `photo (1).png`.
    case uniquify
    /// The new one takes its place, in one step when it is whole.
    case overwrite
    /// The old one stays where it has the expected digest, or else the length that the server tells and is not older than the
    /// server's; if not, the new one gets a number.
    ///
    /// Old ones with a number count as well, but none that another download of the same manager has brought.
    case skipIfSame
    /// The old one stays where ``skipIfSame`` keeps it; if not, the new one takes its place.
    case replaceUnlessSame
    /// The download fails.
    case fail

    /// True if the new one takes the place of the old one.
    package var replaces: Bool { self == .overwrite || self == .replaceUnlessSame }
    /// True if an old one that is the same makes the download needless.
    package var skips: Bool { self == .skipIfSame || self == .replaceUnlessSame }
}
