// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// No parameters: the default body and query of a router that declares none.
public struct EmptyParameters: Codable, Sendable, Hashable {
    /// Creates an empty value.
    public init() {}
}
