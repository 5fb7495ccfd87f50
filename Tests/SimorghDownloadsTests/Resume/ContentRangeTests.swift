// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ContentRangeTests {
    private static let valuesTable: [(String, Range<Int64>, Int64?)] = [
        ("bytes 0-99/100", 0..<100, 100), ("Bytes 5-5/*", 5..<6, nil),
        ("bytes  1-2/3", 1..<3, 3),
        ("bytes 1152921504606846975-1152921504606846976/*", 1_152_921_504_606_846_975..<1_152_921_504_606_846_977, nil),
    ]

    @Test("A range and a total are parsed", arguments: valuesTable)
    func ranges(value: String, range: Range<Int64>, total: Int64?) {
        let content = ContentRange(value)
        #expect(content?.range == range)
        #expect(content?.total == total)
    }

    @Test("An unsatisfied range has a total")
    func unsatisfied() {
        #expect(ContentRange("bytes */42")?.range == nil)
        #expect(ContentRange("bytes */42")?.total == 42)
    }

    @Test(
        "An invalid Content-Range is nil",
        arguments: [
            "", "bytes", "bytes 0-9", "0-9/10", "items 0-9/10", "bytes 9-0/10", "bytes 0-10/10", "bytes */*",
            "bytes -5/10",
            "bytes 0-/10", "bytes 0-9/10/11", "bytes +0-9/10", "bytes 0-9/ten", "bytes 0-9223372036854775807/*",
            "bytes 0-99999999999999999999/*", "bytes 0 - 9/10", "bytes=0-9/10",
        ])
    func nonsense(value: String) { #expect(ContentRange(value) == nil) }

    @Test("A requested range includes its last byte")
    func requests() {
        #expect(ContentRange.request(from: 5, to: nil) == "bytes=5-")
        #expect(ContentRange.request(from: 5, to: 10) == "bytes=5-9")
    }
}
