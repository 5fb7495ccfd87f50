// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Where things stand in the file of a blob.
///
/// First a header of fixed size, then two slots for the metadata, then the body in pieces, each sealed by itself. The
/// metadata changes by itself (after a 304), without the body: the slot that is not in use is written, and the one with the
/// higher number counts. A slot that is neither whole nor empty makes the whole file useless: it may be the newer one.
package struct BlobLayout: Sendable, Equatable {
    package static let headerSize = 64
    /// So many bytes of the body are one piece.
    package static let pieceSize = 64 * 1024
    /// The number and the length before what a slot holds.
    package static let slotHead = 16
    private static let magic: [UInt8] = Array("SMRGHBL2".utf8)

    package var revision: UInt64
    package var slotSize: Int
    package var length: Int64
    package var seal: (isEncrypted: Bool, overhead: Int)

    package static func == (one: BlobLayout, other: BlobLayout) -> Bool {
        one.revision == other.revision && one.slotSize == other.slotSize && one.length == other.length
            && one.seal == other.seal
    }

    /// The layout of a new file: its slots have room for somewhat longer metadata.
    package init(revision: UInt64, metadata: Int, seal: BlobSeal) {
        self.revision = revision
        slotSize = (Self.slotHead + metadata + metadata / 4 + seal.overhead + 255 + 256) / 256 * 256
        length = 0
        self.seal = (seal.isEncrypted, seal.overhead)
    }

    /// The layout that a header tells; `nil` for a header that is not one of ours, or damaged.
    ///
    /// Whether the file is encrypted, the header says: only where the seal is, too, the places are right.
    package init?(header: Data, key: BlobKey, seal: BlobSeal) {
        let bytes = Array(header)
        guard bytes.count == Self.headerSize, Array(bytes[..<8]) == Self.magic else { return nil }
        func number(_ place: Int) -> UInt64 { bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        revision = number(8)
        guard number(56) == Self.checksum(bytes[..<56], key) else { return nil }
        guard let slotSize = Int(exactly: number(16)), (Self.slotHead..<(1 << 30)).contains(slotSize),
            let length = Int64(exactly: number(24)), (0..<(1 << 50)).contains(length),
            number(32) <= 1
        else { return nil }
        self.slotSize = slotSize
        self.length = length
        self.seal = (number(32) == 1, seal.overhead)
    }

    /// The header.
    package func header(_ key: BlobKey) -> Data {
        var bytes = Self.magic
        for number in [revision, UInt64(slotSize), UInt64(length), seal.isEncrypted ? 1 : 0, 0, 0] {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        withUnsafeBytes(of: Self.checksum(bytes[...], key).littleEndian) { bytes.append(contentsOf: $0) }
        return Data(bytes)
    }

    /// Bound to the key, so that a file under another name is none.
    private static func checksum(_ bytes: ArraySlice<UInt8>, _ key: BlobKey) -> UInt64 {
        bytes.withUnsafeBytes { XXH64.of($0, seed: key.group.high ^ key.group.low ^ key.variant) }
    }

    /// Where a slot begins.
    package func slot(_ index: Int) -> Int64 { Int64(Self.headerSize + index * slotSize) }
    /// Where the body begins.
    package var start: Int64 { Int64(Self.headerSize + 2 * slotSize) }
    /// How many pieces the body has.
    package var pieces: Int64 { (length + Int64(Self.pieceSize) - 1) / Int64(Self.pieceSize) }
    /// How long the whole file is.
    package var fileSize: Int64 { start + length + pieces * Int64(seal.overhead) }
    /// Where a piece begins.
    package func place(of piece: Int64) -> Int64 { start + piece * Int64(Self.pieceSize + seal.overhead) }
    /// How long a piece is in the file.
    package func size(of piece: Int64) -> Int {
        let rest = length - piece * Int64(Self.pieceSize)
        return Int(min(Int64(Self.pieceSize), rest)) + seal.overhead
    }
}
