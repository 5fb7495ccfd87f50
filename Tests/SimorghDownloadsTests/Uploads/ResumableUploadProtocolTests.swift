// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghDownloads
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResumableUploadProtocolTests {
    @Test(
        "A limit is parsed from Upload-Limit, with any other members",
        arguments: [
            ("max-size=5", 5), ("min-size=1, max-size=7;x=1", 7), ("max-size= 9", 9), ("=5,;,=,;x=1,max-size=3", 3),
            ("=", nil), (";", nil), (",", nil), ("max-size", nil), ("max-size=", nil), ("max-size=x", nil), ("", nil),
            ("max-size=99999999999999999999", nil),
        ])
    func limits(list: String, expected: Int64?) {
        #expect(ResumableUploadProtocol.limit("max-size", in: list) == expected)
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
