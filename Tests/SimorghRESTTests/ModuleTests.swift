// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghREST
import Testing

@Suite("SimorghREST", .timeLimit(.minutes(1)))
struct ModuleTests {
    @Test("The module includes the client")
    func includesTheClient() {
        #expect(String(describing: APIClient.self) == "APIClient")
    }
}
