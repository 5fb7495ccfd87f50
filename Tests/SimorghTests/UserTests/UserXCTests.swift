// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The kit under XCTest, by its public names alone, as the page "Testing your code" shows it.

import Foundation
import Simorgh
import SimorghTesting
import XCTest

final class UserXCTests: XCTestCase {
    private struct User: Decodable, Sendable {
        var id: Int
        var name: String
    }

    func testReads() async throws {
        let stubs = StubServer(baseURL: "https://api.example.com")
        stubs.fakeGET("users/{id}", response: #"{"id": {id}, "name": "Zal"}"#)
        let user: User = try await stubs.client().get("users/7")
        XCTAssertEqual(user.name, "Zal")
        XCTAssertEqual(user.id, 7)
        try stubs.verify()
    }

    func testTellsOfWhatIsLeftBehind() async throws {
        let transport = ScriptedTransport { _ in .chunks([.bytes(Data("a".utf8)), .wait(Gate())]) }
        let client = APIClient.scripted(transport)
        do {
            try await expectNoLeaks(in: client, within: .zero) { try await client.stream(.get, "held") }
            XCTFail("what is held was not found")
        } catch let error as LeakedResources {
            XCTAssertEqual(error.leftovers, ["exchange GET https://api.test/held"])
        }
    }
}
