// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import TestSupport
import Testing

/// Conditional updates, patches and digests with Tests/Peers/rest/documents.py, which applies patches with Python's jsonpatch
/// and json-merge-patch.
@Suite("Documents of a Python server", .timeLimit(.minutes(10)))
struct DocumentWitnessTests {
    private struct Counter: Codable, Sendable {
        var count: Int
    }

    private func client() throws -> APIClient { APIClient(baseURL: try Witness.documents.url) }

    /// Creates a document with a name of its own.
    private func create(_ json: JSON, _ client: APIClient) async throws -> String {
        let path = "documents/\(UUID())"
        try await client.call(.put, path, body: .json(json)).ifNew().void()
        return path
    }

    @Test("A document is created once, needs a condition, and is written only with its current tag")
    func conditions() async throws {
        let client = try client()
        let path = try await create(["count": 1], client)
        let again = try await #require(throws: NetworkError.self) {
            try await client.call(.put, path, body: .json(["count": 2])).ifNew().void()
        }
        #expect(again.preconditionError?.statusCode == 412)
        let missing = try await #require(throws: NetworkError.self) {
            try await client.call(.put, path, body: .json(["count": 2])).void()
        }
        #expect(missing.preconditionError?.isConditionMissing == true)

        let read = try await client.call(.get, path, headers: ["Accept-Encoding": "identity"]).response()
        let tag = try #require(read.response.entityTag)
        try await client.call(.put, path, body: .json(["count": 3])).ifMatch(tag).void()
        let stale = try await #require(throws: NetworkError.self) {
            try await client.call(.put, path, headers: ["Accept-Encoding": "identity"], body: .json(["count": 4]))
                .ifMatch(tag).void()
        }
        let refused = try #require(stale.preconditionError)
        #expect(try refused.representation(as: Counter.self)?.count == 3)
        let current = try #require(refused.entityTag)
        try await client.call(.put, path, body: .json(["count": 4])).ifMatch(current).void()
    }

    @Test("Remembered tags let one of two clients write, and the other after it has read again")
    func remembered() async throws {
        let (one, two) = (try client(), try client())
        let path = try await create(["count": 1], one)
        for client in [one, two] { try await client.call(.get, path).remembersETag().void() }
        try await one.call(.put, path, body: .json(["count": 2])).remembersETag(isRequired: true).void()
        try await one.call(.put, path, body: .json(["count": 3])).remembersETag(isRequired: true).void()
        let lost = try await #require(throws: NetworkError.self) {
            try await two.call(.put, path, body: .json(["count": 9])).remembersETag().void()
        }
        #expect(lost.preconditionError?.statusCode == 412)
        let seen: Counter = try await two.call(.get, path).remembersETag().decode()
        #expect(seen.count == 3)
        try await two.call(.delete, path).remembersETag().void()
        let gone = try await one.call(.get, path).status()
        #expect(gone.statusCode == 404)
    }

    @Test("Parallel updates of one document lose none", arguments: [UpdateMethod.put, .mergePatch, .jsonPatch])
    func updates(method: UpdateMethod) async throws {
        let client = try client()
        let path = try await create(["count": 0, "other": ["a": 1]], client)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    _ = try await client.update(path, as: Counter.self, by: method, attempts: 200) { $0.count += 1 }
                        .value()
                }
            }
            try await group.waitForAll()
        }
        let json = try await client.call(.get, path).json()
        #expect(json.count == 10)
        #expect(json.other == (method == .put ? .null : ["a": 1]))
    }

    @Test("Python's libraries apply random differences as Simorgh does", arguments: 1...8)
    func differences(seed: UInt64) async throws {
        var numbers = SeededNumbers(seed)
        let client = try client()
        for _ in 0..<10 {
            let (old, new) = (Self.document(&numbers), Self.document(&numbers))
            let path = try await create(old, client)
            for isMerge in [false, true] {
                let body: RequestBody =
                    isMerge
                    ? .mergePatch(try MergePatch(from: old, to: new)) : .jsonPatch(try JSONPatch(from: old, to: new))
                let result = try await client.call(.patch, path, body: body).ifExists().json()
                #expect(result == new, "seed \(seed): \(old) to \(new)")
                try await client.call(.put, path, body: .json(old)).ifExists().void()
            }
        }
    }

    /// Returns a random object without null members, which a merge patch cannot express.
    private static func document(_ numbers: inout SeededNumbers, depth: Int = 0) -> JSON {
        var members: [String: JSON] = [:]
        for name in ["a", "b/c", "d~e", "é", ""] where Bool.random(using: &numbers) {
            switch Int.random(in: 0..<(depth < 3 ? 6 : 4), using: &numbers) {
            case 0: members[name] = .number(JSON.Number(Int64.random(in: 0..<3, using: &numbers)))
            case 1: members[name] = .bool(Bool.random(using: &numbers))
            case 2: members[name] = "text"
            case 3:
                let count = Int.random(in: 0..<5, using: &numbers)
                members[name] = .array(
                    (0..<count).map { _ in .number(JSON.Number(Int64.random(in: 0..<3, using: &numbers))) })
            default: members[name] = document(&numbers, depth: depth + 1)
            }
        }
        return .object(members)
    }

    @Test("The server confirms digests in the header and in the trailer, and refuses a wrong one")
    func sentDigests() async throws {
        let client = try client()
        let data = Data(repeating: 7, count: 200_000)
        let file = FileManager.default.temporaryDirectory.appending(path: "digest-\(UUID())")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let both: Set<ContentDigest.Field> = [.content, .representation]
        for body in [RequestBody.bytes(data), try .file(file.path)] {
            for inTrailer in [false, true] {
                let call = client.call(.put, "echo", body: body).sendsDigest(
                    .sha512, fields: both, inTrailer: inTrailer)
                #expect(try await call.response().response.header("Digests-Checked") == "2")
            }
        }
        let wrong = ContentDigest(of: Data("x".utf8)).description
        let refused = try await client.call(.put, "echo", headers: ["Content-Digest": wrong], body: .bytes(data))
            .status()
        #expect(refused.statusCode == 400)
    }

    @Test("Digests of responses are verified, in the header and in the trailer, also of compressed ones")
    func receivedDigests() async throws {
        let client = try client()
        let path = try await create(["count": 1], client)
        #expect(try await client.call(.get, path).verifiesDigest(isRequired: true).json() == ["count": 1])
        #expect(
            try await client.call(.get, path, query: ["digest": "trailer"]).verifiesDigest(isRequired: true).json() == [
                "count": 1
            ])
        let compressed = client.call(.get, path, headers: ["Accept-Encoding": "gzip"]).verifiesDigest(isRequired: true)
        #expect(try await compressed.data().starts(with: [0x1F, 0x8B]))
        let wrong = try await #require(throws: NetworkError.self) {
            try await client.call(.get, path, query: ["digest": "wrong"]).verifiesDigest().json()
        }
        #expect((wrong.underlyingError as? ContentDigestError)?.reason == .mismatch)
    }
}
