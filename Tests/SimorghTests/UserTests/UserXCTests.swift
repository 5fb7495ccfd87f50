// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import XCTest

final class UserXCTests: XCTestCase {
    func testReportsALeakedExchange() async throws {
        let transport = StubServer { _ in .chunks([.bytes(Data("a".utf8)), .wait(Gate())]) }
        let client = APIClient.scripted(transport)
        do {
            try await expectNoLeaks(in: client, within: .zero) { try await client.stream(.get, "held") }
            XCTFail("the leaked exchange was not reported")
        } catch let error as LeakedResourcesError {
            XCTAssertEqual(error.leftovers, ["exchange 1: GET https://api.test/held"])
        }
    }
}
