// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghREST
import Testing

@Suite("EntityTag", .timeLimit(.minutes(5)))
struct EntityTagTests {
    @Test(
        "A field with a tag is read and written the same",
        arguments: [
            ("\"v1\"", "v1", false), ("W/\"v1\"", "v1", true), ("\"\"", "", false), ("\"a,b'!é\"", "a,b'!é", false),
        ])
    func tags(field: String, opaque: String, isWeak: Bool) throws {
        let tag = try #require(EntityTag(field))
        #expect(tag.opaque == opaque)
        #expect(tag.isWeak == isWeak)
        #expect(tag.description == field)
        #expect(EntityTag(" \(field)\t") == tag)
    }

    @Test(
        "Other fields are no tags",
        arguments: [
            "", "v1", "\"", "w/\"v1\"", "\"a\"b\"", "\"a b\"", "\"a\", \"b\"", "*", "W/", "\"a\u{7F}\"", "\"\n\"",
        ])
    func malformed(field: String) {
        #expect(EntityTag(field) == nil)
    }
}
