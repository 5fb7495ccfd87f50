// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import RawStructuredFieldValues
import SimorghSupport
import TestSupport
import Testing

@Suite("StructuredField", .timeLimit(.minutes(5)))
struct StructuredFieldTests {
    enum Kind: CaseIterable { case dictionary, list, item }

    /// Returns a parsed field in its canonical form; `nil` if it is malformed.
    private static func canonical(_ kind: Kind, _ values: [String]) throws -> String? {
        var serializer = StructuredFieldValueSerializer()
        let bytes: [UInt8]? =
            switch kind {
            case .dictionary:
                try StructuredField.dictionary(values).map { try serializer.writeDictionaryFieldValue($0) }
            case .list: try StructuredField.list(values).map { try serializer.writeListFieldValue($0) }
            case .item: try StructuredField.item(values).map { try serializer.writeItemFieldValue($0) }
            }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    private static let cases: [(kind: Kind, values: [String], expected: String?)] = [
        // RFC 9651, section 3.
        (.list, ["sugar, tea, rum"], "sugar, tea, rum"),
        (.list, ["sugar, tea", "rum"], "sugar, tea, rum"),
        (.list, [#"("foo" "bar"), ("baz"), ("bat" "one"), ()"#], #"("foo" "bar"), ("baz"), ("bat" "one"), ()"#),
        (
            .list, [#"("foo"; a=1;b=2);lvl=5, ("bar" "baz");lvl=1"#], #"("foo";a=1;b=2);lvl=5, ("bar" "baz");lvl=1"#
        ),
        (
            .list, [#"abc;a=1;b=2; cde_456, (ghi;jk=4 l);q="9";r=w"#], #"abc;a=1;b=2;cde_456, (ghi;jk=4 l);q="9";r=w"#
        ),
        (.item, ["1; a; b=?0"], "1;a;b=?0"),
        (.dictionary, [#"en="Applepie", da=:w4ZibGV0w6ZydGU=:"#], #"en="Applepie", da=:w4ZibGV0w6ZydGU=:"#),
        (.dictionary, ["a=?0, b, c; foo=bar"], "a=?0, b, c;foo=bar"),
        (.dictionary, ["rating=1.5, feelings=(joy sadness)"], "rating=1.5, feelings=(joy sadness)"),
        (.dictionary, ["a=(1 2), b=3, c=4;aa=bb, d=(5 6);valid"], "a=(1 2), b=3, c=4;aa=bb, d=(5 6);valid"),
        (.dictionary, ["foo=1", "bar=2"], "foo=1, bar=2"),
        (.item, ["5; foo=bar"], "5;foo=bar"), (.item, ["4.5"], "4.5"), (.item, [#""hello world""#], #""hello world""#),
        (.item, ["foo123/456"], "foo123/456"), (.item, ["@1659578233"], "@1659578233"),
        (
            .item, [":cHJldGVuZCB0aGlzIGlzIGJpbmFyeSBjb250ZW50Lg==:"],
            ":cHJldGVuZCB0aGlzIGlzIGJpbmFyeSBjb250ZW50Lg==:"
        ),
        // RFC 9218, sections 4 and 5.
        (.dictionary, ["u=5, i"], "u=5, i"), (.dictionary, ["u=0"], "u=0"), (.dictionary, ["u=7, i=?0"], "u=7, i=?0"),
        // RFC 9211, section 4.
        (.list, ["ExampleCache; hit; ttl=376"], "ExampleCache;hit;ttl=376"),
        (
            .list, ["OriginCache; hit; ttl=1100", #""CDN Company Here"; hit"#],
            #"OriginCache;hit;ttl=1100, "CDN Company Here";hit"#
        ),
        (
            .list, ["Simorgh; fwd=stale; fwd-status=304; stored; ttl=-1; detail=x"],
            "Simorgh;fwd=stale;fwd-status=304;stored;ttl=-1;detail=x"
        ),
        // RFC 9530, sections 2 and 4.
        (
            .dictionary, ["sha-256=:d435Qo+nKZ+gLcUHn7GQtQ72hiBVAgqoLsZnZPiTGPk=:", "unixsum=:AAAA:"],
            "sha-256=:d435Qo+nKZ+gLcUHn7GQtQ72hiBVAgqoLsZnZPiTGPk=:, unixsum=:AAAA:"
        ),
        (.dictionary, ["sha-512=3, sha-256=10, unixsum=0"], "sha-512=3, sha-256=10, unixsum=0"),
        // The last one of several members or parameters with the same key counts, in the place of the first.
        (.dictionary, ["a=1, b=2", "a=3"], "a=3, b=2"), (.item, ["x;a=1;b=2;a=3"], "x;a=3;b=2"),
        (.dictionary, [" a=1 ,\tb=2  "], "a=1, b=2"), (.dictionary, [""], ""), (.list, ["  "], ""),
        (.item, ["-999999999999999"], "-999999999999999"),
        // Malformed.
        (.dictionary, [], nil), (.list, [], nil), (.item, [], nil), (.item, [""], nil), (.item, ["1", "1"], nil),
        (.item, ["1000000000000000"], nil), (.item, ["0.1234"], nil), (.item, ["1 2"], nil), (.item, ["--1"], nil),
        (.dictionary, ["a=1,"], nil), (.dictionary, ["a=1", ""], nil), (.dictionary, ["A=1"], nil),
        (.dictionary, ["a=1 b=2"], nil), (.dictionary, ["a = 1"], nil), (.dictionary, ["a=1;, b"], nil),
        (.list, ["((a))"], nil), (.list, ["(a"], nil), (.list, [#""a"#], nil), (.list, [#""\a""#], nil),
        (.list, [":AA"], nil), (.list, ["é"], nil), (.list, ["a\u{0}"], nil), (.item, ["?2"], nil),
        (.list, [#"%"%ff""#], nil), (.list, ["@1.5"], nil),
    ]

    @Test("The examples of RFC 9651, 9218, 9211 and 9530, and malformed fields", arguments: cases.indices)
    func examples(index: Int) throws {
        let (kind, values, expected) = Self.cases[index]
        #expect(try Self.canonical(kind, values) == expected, "\(kind) \(values)")
    }

    @Test(
        "A value of 8 KiB is parsed, with the separators between its fields, and a longer one is not",
        arguments: Kind.allCases)
    func length(kind: Kind) throws {
        let text = String(repeating: "a", count: StructuredField.maximumLength)
        #expect(try Self.canonical(kind, [text]) == text)
        #expect(try Self.canonical(kind, [text + "a"]) == nil)
        let field = String(repeating: "a", count: 7)
        let fields = Array(repeating: field, count: StructuredField.maximumLength / 9)
        #expect(try (Self.canonical(kind, fields) != nil) == (kind != .item))
        #expect(try Self.canonical(kind, fields + [field]) == nil)
    }

    @Test("Deep nesting is malformed, at any depth", arguments: [2, 100, 8000])
    func nesting(depth: Int) throws {
        let value = String(repeating: "(", count: depth)
        #expect(StructuredField.list([value]) == nil)
        #expect(StructuredField.dictionary(["a=" + value]) == nil)
    }

    @Test("Byte sequences: padding is optional, other base64 and other types have no bytes")
    func byteSequences() throws {
        let found = try #require(
            StructuredField.byteSequences(["a=:YWI=:, b=:YWI:;p=1, c=::, d=:A:", "e=1, f=(:YWI=:), g, h=:Y=I=:"]))
        #expect(found.map(\.key) == ["a", "b", "c", "d", "e", "f", "g", "h"])
        #expect(found.map(\.bytes) == [[0x61, 0x62], [0x61, 0x62], [], nil, nil, nil, nil, nil])
        #expect(StructuredField.byteSequences(["a=:YWI=:, b=:"]) == nil)
        #expect(StructuredField.byteSequences([]) == nil)
    }

    @Test("The canonical form of a random field has the same meaning", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) throws {
        var numbers = SeededNumbers(seed)
        let pieces = [
            "a", "b", "*", "=", "=", ";", ";", ",", ", ", " ", "\t", "(", ")", "\"", "\\\"", "\\", ":", "YWI=", "?1",
            "?0", "1",
            "-", ".", "5", "999999999999999", "@", "%\"", "%c3%a9", "%", "é", "\u{0}", "A/b",
        ]
        var parsed = 0
        for _ in 0..<20_000 {
            let values = (0..<Int.random(in: 1...2, using: &numbers)).map { _ in
                (0..<Int.random(in: 1...8, using: &numbers)).map { _ in pieces.randomElement(using: &numbers) ?? "" }
                    .joined()
            }
            for kind in Kind.allCases {
                guard let text = try Self.canonical(kind, values) else { continue }
                parsed += 1
                #expect(try Self.canonical(kind, [text]) == text, "seed \(seed): \(values)")
            }
        }
        #expect(parsed > 1000)
    }
}
