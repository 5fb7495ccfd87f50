// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghREST
import Testing

@Suite("JSONPointer", .timeLimit(.minutes(5)))
struct JSONPointerTests {
    /// The document of RFC 6901, section 5.
    private static let document: JSON = [
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
    ]

    @Test(
        "The examples of RFC 6901, section 5",
        arguments: [
            ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4),
            ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
        ] as [(String, JSON)])
    func examples(text: String, value: JSON) throws {
        let pointer = try JSONPointer(parsing: text)
        #expect(Self.document[at: pointer] == value)
        #expect(pointer.description == text)
    }

    @Test("The empty pointer is the whole document")
    func root() throws {
        #expect(try JSONPointer(parsing: "") == .root)
        #expect(Self.document[at: .root] == Self.document)
    }

    @Test("Escapes are undone once: ~01 is ~1, not a slash")
    func escapes() throws {
        #expect(try JSONPointer(parsing: "/~01").tokens == ["~1"])
        #expect(JSONPointer(tokens: ["~1", "a/b", "~0"]).description == "/~01/a~1b/~00")
        #expect(try JSONPointer(parsing: "/\u{301}a/~1\u{301}").tokens == ["\u{301}a", "/\u{301}"])
    }

    @Test("Text that is no pointer is refused", arguments: ["a", "a/b", "/~", "/a~2", "/~/b", " /a"])
    func malformed(text: String) {
        #expect(throws: JSONPointerError.self) { try JSONPointer(parsing: text) }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([JSONPointer].self, from: JSONEncoder().encode([text]))
        }
    }

    @Test(
        "Tokens that are no index of an array lead nowhere",
        arguments: [
            "/foo/2", "/foo/00", "/foo/01", "/foo/-", "/foo/-1", "/foo/+1", "/foo/1e0", "/foo/٠", "/foo/", "/x/y",
        ])
    func nowhere(text: String) throws {
        #expect(Self.document[at: try JSONPointer(parsing: text)] == nil)
    }

    @Test("A member that is null differs from a missing one")
    func null() {
        let json: JSON = ["a": nil]
        #expect(json[at: "/a"] == .some(.null))
        #expect(json[at: "/b"] == nil)
    }

    @Test("A literal may lack the first slash")
    func literal() {
        #expect(("a/b" as JSONPointer).tokens == ["a", "b"])
        #expect(("" as JSONPointer) == .root)
        #expect(("/a~" as JSONPointer).tokens == ["/a~"])
    }
}
