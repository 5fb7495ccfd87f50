// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DecodableKeyPathTests {
    private static let document = Data(
        #"{"data":{"address":{"city":"Paris"},"items":[{"id":1},{"id":2}],"at":0,"none":null,"a.b":{"c":3},"0":"zero"}}"#
            .utf8)

    private struct Item: Decodable, Equatable { var id: Int }

    @Test("A string is split at dots and slashes; an array is taken element by element")
    func components() {
        #expect(DecodableKeyPath("data.address.city").components == ["data", "address", "city"])
        #expect(("a/b/c" as DecodableKeyPath).components == ["a", "b", "c"])
        #expect((["a.b", "c"] as DecodableKeyPath).components == ["a.b", "c"])
        #expect(DecodableKeyPath("/a//b.").components == ["a", "b"])
    }

    @Test(
        "SMA13: a nested value decodes",
        arguments: ["data.address.city", "data/address/city", ["data", "address", "city"]] as [DecodableKeyPath])
    func nested(path: DecodableKeyPath) throws {
        #expect(try JSONDecoder().decode(String.self, from: Self.document, at: path) == "Paris")
    }

    @Test("A number is an index of an array, or a key of an object")
    func places() throws {
        let decoder = JSONDecoder()
        #expect(try decoder.decode(Item.self, from: Self.document, at: "data.items.1") == Item(id: 2))
        #expect(try decoder.decode(Int.self, from: Self.document, at: "data.items.0.id") == 1)
        #expect(try decoder.decode([Item].self, from: Self.document, at: "data.items").count == 2)
        #expect(try decoder.decode(String.self, from: Self.document, at: "data.0") == "zero")
        #expect(try decoder.decode(Int.self, from: Self.document, at: ["data", "a.b", "c"]) == 3)
        #expect(try decoder.decode(Item.self, from: Data("[{\"id\":5}]".utf8), at: "0") == Item(id: 5))
    }

    @Test("An empty key path is the whole document")
    func whole() throws {
        #expect(try JSONDecoder().decode(Item.self, from: Data(#"{"id":9}"#.utf8), at: []) == Item(id: 9))
    }

    @Test("The decoder's strategies apply at the end of the key path too")
    func strategies() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try decoder.decode(Date.self, from: Self.document, at: "data.at") == Date(timeIntervalSince1970: 0))
        let snake = Data(#"{"user_data":{"first_name":"Ada"}}"#.utf8)
        struct Name: Decodable { var firstName: String }
        #expect(try decoder.decode(Name.self, from: snake, at: "user_data").firstName == "Ada")
        #expect(try decoder.decode(String.self, from: snake, at: "userData.firstName") == "Ada")
    }

    @Test("A null at the end of the key path is nil")
    func null() throws {
        #expect(try JSONDecoder().decode(Int?.self, from: Self.document, at: "data.none") == nil)
    }

    @Test(
        "SMA13: a broken key path reports the component where it breaks",
        arguments: [
            ("data.adress.city", 1), ("data.items.2", 2), ("data.items.-1", 2), ("data.items.x", 2), ("nothing", 0),
            ("data.address.city.x", 3), ("data.none.x", 2), ("data.items.99999999999999999999", 2),
        ] as [(DecodableKeyPath, Int)])
    func broken(path: DecodableKeyPath, found: Int) throws {
        let error = try #require(throws: InvalidKeyPathError.self) {
            try JSONDecoder().decode(Int.self, from: Self.document, at: path)
        }
        #expect(error.keyPath == path && error.foundComponents == found)
        #expect(error.description.contains(path.components[found]))
    }

    @Test("A value of the wrong type, or invalid JSON, is a decoding error with its path")
    func misfit() throws {
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode(Int.self, from: Self.document, at: "data.address.city")
        }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["data", "address", "city"])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Int.self, from: Data("{".utf8), at: "a") }
    }

    @Test("One decoder serves concurrent decodes, each with its own key path")
    func shared() async throws {
        let decoder = JSONDecoder()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    if number.isMultiple(of: 2) {
                        return try decoder.decode(Int.self, from: Self.document, at: "data.items.1.id") == 2
                    }
                    return try decoder.decode(String.self, from: Self.document, at: "data.address.city") == "Paris"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
