// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SeededBytesTests {
    @Test("Any chunk equals the same range of the whole, blocks differ from each other, and seeds give different bytes")
    func parts() {
        let whole = Array(MockServer.bytes(200_000, seed: 5))
        let source = SeededBytes(seed: 5)
        for offset in [0, 1, 5, 8, 9, 65_535, 65_536, 65_540, 131_079, 199_999] {
            let chunk = source.chunk(at: offset, upTo: 200_000)
            #expect(chunk == Array(whole[offset..<offset + chunk.count]))
        }
        #expect(whole[0..<65_536] != whole[65_536..<131_072])
        #expect(MockServer.bytes(100, seed: 6) != MockServer.bytes(100, seed: 5))
        #expect(source.chunk(at: 10, upTo: 10).isEmpty)
        #expect(SeededBytes(seed: 5, count: 100).chunk(at: 0, upTo: 100) == Array(whole[..<100]))
    }
}
