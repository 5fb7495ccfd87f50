// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ByteRangeTests {
    @Test(
        "ByteRange parses a Range header field according to RFC 9110",
        arguments: [
            ("bytes=0-0", 10, ByteRange.part(0..<1)), ("bytes=9-", 10, .part(9..<10)),
            ("bytes=10-", 10, .unsatisfiable),
            ("bytes=-1", 10, .part(9..<10)), ("bytes=-99", 10, .part(0..<10)), ("bytes=-0", 10, .unsatisfiable),
            ("bytes=-1", 0, .unsatisfiable), ("bytes=0-", 0, .unsatisfiable), ("BYTES=2-3", 10, .part(2..<4)),
            ("bytes=3-2", 10, .whole), ("bytes=-", 10, .whole), ("bytes=", 10, .whole), ("bytes=a-b", 10, .whole),
            ("bytes=1", 10, .whole), ("bytes=0-1,3-4", 10, .whole), ("lines=0-1", 10, .whole),
            ("bytes=+1-2", 10, .whole),
            ("bytes=0-99999999999999999999", 10, .part(0..<10)), ("bytes=99999999999999999999-", 10, .unsatisfiable),
            ("bytes=0-9223372036854775807", 10, .part(0..<10)),
        ])
    func ranges(field: String, length: Int, expected: ByteRange) {
        #expect(ByteRange(field, length: length) == expected)
    }
}
