// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("What every transport does, over our engine", .timeLimit(.minutes(5)))
struct ConformanceTests {
    private static let transport = NIOTransport()

    @Test("A transport", arguments: TransportCase.all)
    func conforms(_ example: TransportCase) async throws { try await example.run(Self.transport) }
}
