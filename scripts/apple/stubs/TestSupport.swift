// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of the project's own test support with the declarations that Tests/Conformance uses: the real one needs all of NIO.
// Not part of Apple's SDK: a module of this project, so its declarations need no addresses of Apple's documentation.
public import SimorghCore

public struct TransportCase: Sendable {
    public let name: String
    public let run: @Sendable (any Transport) async throws -> Void
    public static let all: [TransportCase] = []
}
