// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghDownloads
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResumableUploadProtocolTests {
    @Test(
        "A limit is parsed from Upload-Limit, with any other members; a malformed field has none",
        arguments: [
            (["max-size=5"], 5), (["min-size=1, max-size=7;x=1"], 7), (["min-size=0,max-size=0"], 0),
            (["max-size=5", "max-age=1, max-size=6"], 6), (["max-size=999999999999999"], 999_999_999_999_999),
            (["max-size=1000000000000000"], nil), (["max-size=-1"], nil), (["max-size=5.0"], nil),
            (["max-size=(5)"], nil),
            (["max-size=\"5\""], nil), (["max-size"], nil), (["max-size=5,"], nil), (["max-size= 9"], nil),
            (["="], nil),
            (["Max-Size=5"], nil), ([""], nil), ([], nil),
        ] as [([String], Int64?)])
    func limits(values: [String], expected: Int64?) {
        let fields = Self.fields("Upload-Limit", values)
        #expect(ResumableUploadProtocol(style: .draft).limit("max-size", in: fields) == expected)
        #expect(ResumableUploadProtocol(style: .tus).limit("max-size", in: fields) == nil)
    }

    private static func fields(_ name: String, _ values: [String]) -> HTTPFields {
        var fields = HTTPFields()
        for value in values { fields.append(HTTPField(name: .known(name), value: value)) }
        return fields
    }

    @Test(
        "An offset of the draft is a structured field, and that of tus is a number only",
        arguments: [
            (["5"], 5, 5), (["5;a=1"], 5, nil), (["-1"], -1, -1), (["1000000000000000"], nil, 1_000_000_000_000_000),
            (["99999999999999999999"], nil, nil), (["5.0"], nil, nil), (["\"5\""], nil, nil), (["x"], nil, nil),
            (["5", "5"], nil, nil), ([""], nil, nil), ([], nil, nil),
        ] as [([String], Int64?, Int64?)])
    func offsets(values: [String], draft: Int64?, tus: Int64?) {
        let fields = Self.fields("Upload-Offset", values)
        #expect(ResumableUploadProtocol(style: .draft).number("Upload-Offset", in: fields) == draft)
        #expect(ResumableUploadProtocol(style: .tus).number("Upload-Offset", in: fields) == tus)
    }

    @Test(
        "Upload-Complete is a boolean, with any parameters; a malformed field counts as missing",
        arguments: [
            (["?1"], true), (["?0"], false), (["?1;a=1"], true), (["1"], nil), (["true"], nil), (["?1, ?1"], nil),
            (["?1", "?0"], nil), ([], nil),
        ] as [([String], Bool?)])
    func completion(values: [String], expected: Bool?) {
        let fields = Self.fields("Upload-Complete", values)
        #expect(ResumableUploadProtocol(style: .draft).isComplete(fields) == expected)
        #expect(ResumableUploadProtocol(style: .tus).isComplete(fields) == nil)
    }

    private static let locations: [(bytes: [UInt8], expected: String?)] = [
        ([0x2F, 0x78], "/x"), ([0x2F, 0xE9], "/%E9"), ([0x2F, 0xC3, 0xA9], "/\u{E9}"), ([0x2F, 0xEF, 0xBF, 0xBD], nil),
    ]

    @Test("A Location that lost bytes is ignored", arguments: locations.indices)
    func location(index: Int) {
        let (bytes, expected) = Self.locations[index]
        var fields = HTTPFields()
        fields.append(HTTPField(name: .location, value: bytes))
        #expect(ResumableUploadProtocol.location(fields) == expected)
    }
}
