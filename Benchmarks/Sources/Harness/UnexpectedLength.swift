// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A body came that is not as long as the first one: the client under measurement lost or made up bytes.
public struct UnexpectedLength: Error {
    /// The length of the first body.
    public let expected: Int
    /// The length of this one.
    public let received: Int
}
