// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// No parameters: what a router that names none has for its body and its query.
public struct EmptyParameters: Codable, Sendable, Hashable {
    /// Creates no parameters.
    public init() {}
}
