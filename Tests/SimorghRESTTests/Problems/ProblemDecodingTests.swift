// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghREST
import Testing

@Suite("Problem details, decoded", .timeLimit(.minutes(5)))
struct ProblemDecodingTests {
    private struct OutOfCredit: Decodable, Equatable {
        var title: String
        var balance: Int
        var accounts: [String]
    }

    @Test("The document is decoded into a model with its extensions")
    func model() throws {
        let problem = ProblemDetails(["title": "No credit", "balance": 30, "accounts": ["/a/b"], "status": 403])
        #expect(
            try problem.decode(OutOfCredit.self) == OutOfCredit(title: "No credit", balance: 30, accounts: ["/a/b"]))
        #expect(problem.extensions == ["balance": 30, "accounts": ["/a/b"]])
    }

    @Test("A model that does not fit throws a decoding error")
    func mismatch() {
        #expect(throws: DecodingError.self) { try ProblemDetails([1, 2]).decode(OutOfCredit.self) }
    }
}
