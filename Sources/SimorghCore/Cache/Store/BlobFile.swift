// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The file of one blob, open for reading.
///
/// The methods block.
final class BlobFile: Sendable {
    let key: BlobKey
    let layout: BlobLayout
    let metadata: [UInt8]
    /// The recorded date of the last use when the file was opened, in nanoseconds since 1970.
    let modified: Int64
    private let file: FileHandleBytes
    private let seal: BlobSeal
    /// The recorded date of the last use, read from the file system now.
    var modifiedNow: Int64? { file.status?.modified }
    private let slotNumber: UInt64
    private let slotIndex: Int

    /// The reason why a blob cannot be opened.
    enum ReadError: Error {
        /// The file is missing, corrupt, or not a blob file.
        case invalid
        /// The file is encrypted with another key, or its encryption differs from that of the store.
        ///
        /// An encrypted file with corrupt metadata is indistinguishable from this.
        case sealed
        /// The process or the disk cannot read the file now, so its contents are unknown.
        case busy

        /// Creates a fault from an `errno` value.
        init(_ code: CInt) { self = FileCalls.isAboutFile(code) ? .invalid : .busy }
    }

    /// Opens a blob.
    init(_ path: String, key: BlobKey, seal: BlobSeal, isWritable: Bool = false) throws(ReadError) {
        guard let file = FileHandleBytes(path, flags: isWritable ? O_RDWR : O_RDONLY) else {
            throw ReadError(errno)
        }
        guard let status = file.status else { throw .invalid }
        let header = try file.read(at: 0, count: BlobLayout.headerSize)
        guard let layout = BlobLayout(header: header, key: key, seal: seal) else { throw .invalid }
        guard layout.seal.isEncrypted == seal.isEncrypted else { throw .sealed }
        guard layout.fileSize == status.size else { throw .invalid }
        // A slot that cannot be read now may be the newer one.
        var slots: [(index: Int, number: UInt64, metadata: [UInt8])] = []
        var isDamaged = false
        for index in [0, 1] {
            switch try Self.slot(of: file, layout: layout, seal: seal, index: index) {
            case .empty: continue
            case .damaged: isDamaged = true
            case .metadata(let number, let metadata): slots.append((index, number, metadata))
            }
        }
        guard let (index, number, metadata) = slots.max(by: { $0.number < $1.number }) else {
            throw seal.isEncrypted ? .sealed : .invalid
        }
        // It may be the newer one; with the older one a response would be considered fresh for too long.
        if isDamaged { throw .invalid }
        self.key = key
        self.layout = layout
        self.metadata = metadata
        self.file = file
        self.seal = seal
        modified = status.modified
        (slotIndex, slotNumber) = (index, number)
    }

    private enum Slot {
        /// The slot was never written.
        case empty
        /// The slot is corrupt or incomplete.
        case damaged
        case metadata(number: UInt64, [UInt8])
    }

    private static func slot(
        of file: FileHandleBytes, layout: BlobLayout, seal: BlobSeal, index: Int
    ) throws(ReadError) -> Slot {
        let bytes = Array(try file.read(at: layout.slot(index), count: layout.slotSize))
        guard bytes.contains(where: { $0 != 0 }) else { return .empty }
        func number(_ offset: Int) -> UInt64 {
            bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let count = number(8)
        // The maximum number has no successor.
        guard number(0) > 0, number(0) < .max, count >= UInt64(seal.overhead),
            count <= UInt64(bytes.count - BlobLayout.slotHead),
            let opened = seal.opened(
                Data(bytes[BlobLayout.slotHead..<BlobLayout.slotHead + Int(count)]), of: layout.revision,
                at: BlobSlot.position(number(0)))
        else { return .damaged }
        let metadata = Array(opened)
        // The length is repeated within the metadata, where encryption protects it.
        guard metadata.count >= 8,
            metadata[..<8].reversed().reduce(UInt64(0), { $0 << 8 | UInt64($1) }) == UInt64(layout.length)
        else { return .damaged }
        return .metadata(number: number(0), Array(metadata[8...]))
    }

    /// Reads a range of the body.
    ///
    /// - Throws: A fault if a piece is corrupt, or the disk cannot read it now.
    func read(_ range: Range<Int64>) throws(ReadError) -> Data {
        guard range.lowerBound >= 0, range.upperBound <= layout.length, !range.isEmpty else { throw .invalid }
        let size = Int64(BlobLayout.pieceSize)
        let first = range.lowerBound / size
        let last = (range.upperBound - 1) / size
        if let data = readPlain(range, pieces: first...last) { return data }
        let start = layout.offset(of: first)
        let count = layout.offset(of: last) + Int64(layout.size(of: last)) - start
        let sealed = try file.read(at: start, count: Int(count))
        var data = Data(capacity: Int(range.count))
        for piece in first...last {
            let offset = sealed.startIndex + Int(layout.offset(of: piece) - start)
            guard
                let opened = seal.opened(
                    sealed[offset..<offset + layout.size(of: piece)], of: layout.revision, at: UInt64(piece))
            else { throw .invalid }
            let from = max(range.lowerBound - piece * size, 0)
            let to = min(range.upperBound - piece * size, Int64(opened.count))
            data.append(opened.dropFirst(Int(from)).prefix(Int(to - from)))
        }
        return data
    }

    /// Reads whole unencrypted pieces directly into the result; `nil` if that is not possible, or a piece is corrupt.
    private func readPlain(_ range: Range<Int64>, pieces: ClosedRange<Int64>) -> Data? {
        let size = BlobLayout.pieceSize
        guard !seal.isEncrypted, pieces.count <= Self.maximumPiecesAtOnce, range.lowerBound % Int64(size) == 0,
            range.upperBound == layout.length || range.upperBound % Int64(size) == 0,
            let memory = malloc(range.count)
        else { return nil }
        var sums = [UInt64](repeating: 0, count: pieces.count)
        let lengths = pieces.map { layout.size(of: $0) - seal.overhead }
        let isRead = sums.withUnsafeMutableBytes { sums in
            guard let base = sums.baseAddress else { return false }
            var parts: [iovec] = []
            for (index, length) in lengths.enumerated() {
                parts.append(iovec(iov_base: base + index * 8, iov_len: 8))
                parts.append(iovec(iov_base: memory + index * size, iov_len: length))
            }
            return FileCalls.fill(parts, from: file.descriptor, at: layout.offset(of: pieces.lowerBound))
        }
        let isIntact =
            isRead
            && lengths.enumerated().allSatisfy { index, length in
                let bytes = UnsafeRawBufferPointer(start: memory + index * size, count: length)
                let position = UInt64(pieces.lowerBound) + UInt64(index)
                return seal.isIntact(
                    bytes, checksum: UInt64(littleEndian: sums[index]), of: layout.revision, at: position)
            }
        guard isIntact else {
            free(memory)
            return nil
        }
        // Created last, since `Data` copies a small buffer at once.
        return Data(bytesNoCopy: memory, count: range.count, deallocator: .free)
    }

    /// One hour, in nanoseconds.
    private static let hour: Int64 = 3_600_000_000_000

    /// The maximum number of pieces to read without a copy.
    private static let maximumPiecesAtOnce = 64

    /// Verifies every piece of a range.
    ///
    /// - Throws: A fault if a piece is corrupt, or the disk cannot read it now.
    func check(_ part: Range<Int64>) throws(ReadError) {
        var offset = part.lowerBound
        while offset < part.upperBound {
            let end = min(offset + StoredBlob.writeSize, part.upperBound)
            _ = try read(offset..<end)
            offset = end
        }
    }

    /// Writes new metadata into the unused slot.
    ///
    /// - Returns: `false` if the metadata does not fit, or the file cannot be written.
    func update(_ metadata: [UInt8], isSynced: Bool) -> Bool {
        guard
            let slot = BlobSlot.bytes(metadata, number: slotNumber + 1, of: layout, seal: seal),
            slot.count <= layout.slotSize
        else { return false }
        return file.write(slot, at: layout.slot(1 - slotIndex)) && (!isSynced || file.synchronize())
    }

    /// Records the use of the blob, at most once an hour.
    ///
    /// A date in the future, from a wrong clock, is corrected: otherwise the blob would be the last to be evicted until
    /// then.
    ///
    /// - Returns: True if the date was written.
    func touch(now: Int64) -> Bool {
        guard !(-Self.hour...Self.hour).contains(now &- modified) else { return false }
        file.touch()
        return true
    }
}

/// The encoding of a metadata slot.
enum BlobSlot {
    /// Returns the position that the seal binds a slot to; pieces of the body count from zero.
    static func position(_ number: UInt64) -> UInt64 { .max - number }

    static func bytes(_ metadata: [UInt8], number: UInt64, of layout: BlobLayout, seal: BlobSeal) -> Data? {
        var content = Data()
        withUnsafeBytes(of: UInt64(layout.length).littleEndian) { content.append(contentsOf: $0) }
        content.append(contentsOf: metadata)
        guard let sealed = seal.sealed(content, of: layout.revision, at: position(number)) else { return nil }
        var slot = Data()
        for part in [number, UInt64(sealed.count)] {
            withUnsafeBytes(of: part.littleEndian) { slot.append(contentsOf: $0) }
        }
        slot.append(sealed)
        return slot
    }
}
