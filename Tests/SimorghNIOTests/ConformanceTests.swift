// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("NIOTransport: conformance of a Transport", .timeLimit(.minutes(5)))
struct ConformanceTests {
    private static let transport = NIOTransport()

    @Test("NIOTransport conforms", arguments: TransportCase.all)
    func conforms(_ example: TransportCase) async throws { try await example.run(Self.transport) }
}
