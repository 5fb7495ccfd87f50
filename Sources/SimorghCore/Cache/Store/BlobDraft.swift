// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The temporary file of a blob that is being written.
///
/// The methods block.
final class BlobDraft: Sendable {
    let path: String
    private let file: FileHandleBytes
    private let seal: BlobSeal

    /// Creates the file; returns `nil` if that fails.
    init?(_ path: String, seal: BlobSeal) {
        guard let file = FileHandleBytes(path, flags: O_RDWR | O_CREAT | O_EXCL) else { return nil }
        self.path = path
        self.file = file
        self.seal = seal
    }

    /// Writes one piece, which has the full size unless it is the last.
    func write(_ piece: Data, number: Int64, layout: BlobLayout) -> Bool {
        guard let sealed = seal.sealed(piece, of: layout.revision, at: UInt64(number)) else { return false }
        return file.write(sealed, at: layout.offset(of: number))
    }

    /// Writes the header and the metadata.
    ///
    /// - Returns: True if the file is complete.
    func complete(key: BlobKey, metadata: [UInt8], layout: BlobLayout, isSynced: Bool) -> Bool {
        guard let slot = BlobSlot.bytes(metadata, number: 1, of: layout, seal: seal), slot.count <= layout.slotSize
        else {
            return false
        }
        return file.extend(to: layout.fileSize) && file.write(slot, at: layout.slot(0))
            && file.write(layout.header(key), at: 0) && (!isSynced || file.synchronize())
    }

    /// Renames the file to its final path.
    ///
    /// - Returns: True if the blob is now in place.
    func move(to path: String) -> Bool {
        guard let folder = path.before(last: "/") else { return false }
        if rename(self.path, path) != 0 {
            // The shard folder does not exist yet.
            guard errno == ENOENT else { return false }
            mkdir(String(folder), 0o700)
            guard rename(self.path, path) == 0 else { return false }
        }
        return true
    }

    /// The date of the last modification, in nanoseconds since 1970.
    var modified: Int64? { file.status?.modified }

    /// Deletes the temporary file; does nothing after it has been moved.
    func discard() { unlink(path) }
}
