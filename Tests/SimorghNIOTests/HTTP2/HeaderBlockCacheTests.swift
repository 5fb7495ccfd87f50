// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOHPACK
import SimorghNIO
import TestSupport
import Testing

@Suite("HTTP/2: cached field blocks", .timeLimit(.minutes(10)))
struct HeaderBlockCacheTests {
    /// Returns a field in one of the literal forms that a server may use, whatever its table.
    static func literal(_ first: UInt8, _ name: String, _ value: String) -> [UInt8] {
        [first, UInt8(name.utf8.count)] + name.utf8 + [UInt8(value.utf8.count)] + value.utf8
    }

    @Test("Random repeated blocks decode as with a plain HPACK decoder", arguments: 1...20)
    func differential(seed: Int) throws {
        var random = SeededNumbers(UInt64(seed))
        var cache = HeaderBlockCache<[String]>()
        var alone = HPACKDecoder(allocator: ByteBufferAllocator())
        var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
        var taken = 0
        for _ in 0..<100 {
            var block = ByteBuffer()
            if Bool.random(using: &random) {
                // As a server with a dynamic table encodes it.
                var fields = HPACKHeaders()
                fields.add(name: ":status", value: "200")
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    fields.add(
                        name: "x-\(Int.random(in: 0...3, using: &random))",
                        value: String(repeating: "v", count: Int.random(in: 0...900, using: &random)),
                        indexing: Bool.random(using: &random) ? .indexable : .nonIndexable)
                }
                var one = ByteBuffer()
                try encoder.encode(headers: fields, to: &one)
                block = one
            } else {
                // As a server without a dynamic table: all fields are literal, and may still be added to our table.
                if Int.random(in: 0..<8, using: &random) == 0 {
                    // The table is shrunk, or grown to its maximum.
                    let sizes: [[UInt8]] = [[0x20], [0x30], [0x3F, 0x45], [0x3F, 0xE1, 0x1F]]
                    block.writeBytes(sizes.randomElement(using: &random) ?? [])
                }
                block.writeInteger(UInt8(0x88))
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let value = String(repeating: "w", count: Int.random(in: 0...100, using: &random))
                    block.writeBytes(Self.literal([0x40, 0, 0x10].randomElement(using: &random) ?? 0, "y", value))
                }
            }
            // The encoder above must stay in sync: a block with indices cannot be sent twice if it adds entries.
            let isSaidAgain = block.getInteger(at: 0, as: UInt8.self) == 0x88
            // Deferred table entries must exist when a later block refers to them.
            let looks = ByteBuffer(bytes: (62..<70).map { UInt8(0x80 + $0) })
            for turn in 0..<(isSaidAgain ? Int.random(in: 1...200, using: &random) : 1) {
                var copy = block
                let expected = try? alone.decodeHeaders(from: &copy).map { "\($0.name): \($0.value)" }
                if let known = cache.repetition(block) {
                    cache.usedRepetition()
                    taken += 1
                    #expect(known == expected, "turn \(turn)")
                } else {
                    let read = try? cache.decode(block).map { "\($0.name): \($0.value)" }
                    #expect(read == expected)
                    guard let read else { return }
                    cache.store(read, of: block)
                }
            }
            guard Bool.random(using: &random) else { continue }
            for index in looks.readableBytesView {
                var copy = ByteBuffer(bytes: [index])
                // A failed lookup leaves both tables unchanged.
                let expected = try? alone.decodeHeaders(from: &copy).map { "\($0.name): \($0.value)" }
                let read = try? cache.decode(ByteBuffer(bytes: [index])).map { "\($0.name): \($0.value)" }
                #expect(read == expected)
            }
        }
        #expect(taken > 100)
    }

    @Test("A block that both adds to the table and refers to it is decoded each time")
    func mixed() throws {
        var cache = HeaderBlockCache<Int>()
        let block = ByteBuffer(bytes: [0xBE] + Self.literal(0x40, "a", "b"))
        _ = try cache.decode(ByteBuffer(bytes: Self.literal(0x40, "c", "d")))
        _ = try cache.decode(block)
        cache.store(1, of: block)
        #expect(cache.repetition(block) == nil)
    }
}
