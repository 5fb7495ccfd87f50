// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The layout of a blob file.
///
/// A header of fixed size is followed by two slots for the metadata, and by the body in separately sealed pieces. The
/// metadata can change without the body (after a 304): the unused slot is written, and the slot with the higher number
/// is valid. A slot that is neither complete nor empty invalidates the whole file, since it may be the newer one.
package struct BlobLayout: Sendable, Equatable {
    package static let headerSize = 64
    /// The size of a piece of the body, in bytes.
    package static let pieceSize = 64 * 1024
    /// The size of the number and the length at the beginning of a slot, in bytes.
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

    /// Creates the layout of a new file; its slots have room for somewhat longer metadata.
    package init(revision: UInt64, metadata: Int, seal: BlobSeal) {
        self.revision = revision
        slotSize = (Self.slotHead + metadata + metadata / 4 + seal.overhead + 255 + 256) / 256 * 256
        length = 0
        self.seal = (seal.isEncrypted, seal.overhead)
    }

    /// Creates the layout from a header; `nil` for an unknown or corrupt header.
    ///
    /// The header says whether the file is encrypted. The offsets are valid only if the seal agrees with that.
    package init?(header: Data, key: BlobKey, seal: BlobSeal) {
        let bytes = Array(header)
        guard bytes.count == Self.headerSize, Array(bytes[..<8]) == Self.magic else { return nil }
        func number(_ offset: Int) -> UInt64 {
            bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        revision = number(8)
        guard number(56) == Self.checksum(of: bytes[..<56], key: key) else { return nil }
        guard let slotSize = Int(exactly: number(16)), (Self.slotHead..<(1 << 30)).contains(slotSize),
            let length = Int64(exactly: number(24)), (0..<(1 << 50)).contains(length),
            number(32) <= 1
        else { return nil }
        self.slotSize = slotSize
        self.length = length
        self.seal = (number(32) == 1, seal.overhead)
    }

    /// Returns the header.
    package func header(_ key: BlobKey) -> Data {
        var bytes = Self.magic
        for number in [revision, UInt64(slotSize), UInt64(length), seal.isEncrypted ? 1 : 0, 0, 0] {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        withUnsafeBytes(of: Self.checksum(of: bytes[...], key: key).littleEndian) { bytes.append(contentsOf: $0) }
        return Data(bytes)
    }

    /// Returns the checksum of a header; it includes the key, so that a renamed file is invalid.
    private static func checksum(of bytes: ArraySlice<UInt8>, key: BlobKey) -> UInt64 {
        bytes.withUnsafeBytes { XXH64.of($0, seed: key.group.high ^ key.group.low ^ key.variant) }
    }

    /// Returns the offset of a slot.
    package func slot(_ index: Int) -> Int64 { Int64(Self.headerSize + index * slotSize) }
    /// The offset of the body.
    package var start: Int64 { Int64(Self.headerSize + 2 * slotSize) }
    /// The number of pieces of the body.
    package var pieces: Int64 { (length + Int64(Self.pieceSize) - 1) / Int64(Self.pieceSize) }
    /// The size of the whole file, in bytes.
    package var fileSize: Int64 { start + length + pieces * Int64(seal.overhead) }
    /// Returns the offset of a piece.
    package func offset(of piece: Int64) -> Int64 { start + piece * Int64(Self.pieceSize + seal.overhead) }
    /// Returns the size of a piece in the file, in bytes.
    package func size(of piece: Int64) -> Int {
        let rest = length - piece * Int64(Self.pieceSize)
        return Int(min(Int64(Self.pieceSize), rest)) + seal.overhead
    }
}
