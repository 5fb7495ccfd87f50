// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh
import SimorghTesting
import XCTest

final class UserTests: XCTestCase {
    struct User: Decodable, Sendable {
        var id: Int
        var name: String
    }

    func testReads() async throws {
        let stubs = StubServer(baseURL: "https://api.example.com")
        stubs.fakeGET("users/{id}", response: #"{"id": {id}, "name": "Zal"}"#)
        let user: User = try await stubs.client().get("users/7")
        XCTAssertEqual(user.name, "Zal")
        try stubs.verify()
    }
}
