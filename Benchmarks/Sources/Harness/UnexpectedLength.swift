// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A body differs in length from the first one: the measured client lost or invented bytes.
public struct UnexpectedLength: Error {
    /// The length of the first body.
    public let expected: Int
    /// The length of this one.
    public let received: Int
}
