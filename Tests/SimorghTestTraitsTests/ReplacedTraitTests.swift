// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTestTraits
import SimorghTesting
import Testing

private let folder = FileManager.default.temporaryDirectory.path + "/simorgh-traits-\(UUID().uuidString)"

/// A recorded cassette, which a parameterized test cannot have.
private let recording = TransportTrait.cassette(
    "a", mode: .record, over: StubServer { _ in .status(.ok) }, filePath: folder + "/Tests.swift")

private let once = TransportTrait.stubbed { $0.on(.get, path: "/a", inOrder: [.status(.accepted)]) }

@Suite("A trait of a suite that a closer trait replaces", recording, .timeLimit(.minutes(2)))
struct ReplacedTraitTests {
    @Test(
        "A replaced recording does not fail the test, and creates no folder",
        .stubbed { $0.fakeGET("a", response: "1") }, arguments: [1])
    func recorded(number: Int) async throws {
        let json = try await APIClient.scoped().call(.get, "a").json()
        #expect(json.int == number)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test(
        "The file of a replaced cassette need not exist",
        .cassette("none"), .stubbed { $0.fakeGET("a", response: "1") })
    func missing() async throws {
        let json = try await APIClient.scoped().call(.get, "a").json()
        #expect(json.int == 1)
    }

    @Suite("In a suite of a suite", .stubbed { $0.on(.get, path: "/a", inOrder: [.status(.accepted)]) })
    struct Inner {
        @Test("The inner suite counts before the outer one")
        func inherited() async throws {
            let response = try await APIClient.scoped().call(.get, "a").status()
            #expect(response.statusCode == 202)
        }

        @Test("Replaced stubs may remain unused", .stubbed { $0.fakeGET("a", response: "1") })
        func unused() async throws { try await APIClient.scoped().call(.get, "a").void() }
    }

    @Suite("The same value on a suite and on its test", once)
    struct Twice {
        @Test("It is one trait", once)
        func same() async throws {
            let response = try await APIClient.scoped().call(.get, "a").status()
            #expect(response.statusCode == 202)
        }
    }
}
