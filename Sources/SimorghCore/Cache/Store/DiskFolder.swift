// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import SimorghSupport
import Synchronization

/// The folder of a store, with a lock that keeps other stores out.
///
/// The methods block.
struct DiskFolder: Sendable {
    let path: String
    /// Held for the lifetime of the store.
    private let lock: FileLock

    /// Opens the folder, and creates it if necessary.
    ///
    /// - Returns: `nil` if another store of this or another process uses it, it is not writable, or other users can
    ///   write to it.
    init?(_ path: String, in root: StateFolder? = nil) {
        guard !path.isEmpty, !path.utf8.contains(0), root.map({ $0.refusal() == nil }) ?? true,
            FileCalls.makeFolder(path, mode: 0o700) == nil, Self.isWritableOnlyByOwner(path)
        else { return nil }
        guard let lock = try? FileLock(path + "/lock") else { return nil }
        self.path = path
        self.lock = lock
        guard mkdir(drafts, 0o700) == 0 || errno == EEXIST else { return nil }
        // Removes the drafts of a process that ended while writing. The lock guarantees that no process uses them.
        for name in Self.names(in: drafts) where Self.isDraft(name) { unlink("\(drafts)/\(name)") }
    }

    /// The folder of files that are being written.
    var drafts: String { path + "/drafts" }

    /// True if the store still holds the lock: if the lock file was deleted, another store may have acquired it.
    var isLocked: Bool { lock.isHeld }

    /// Returns the folder of a blob's file: it is named by the first two digits of the key.
    func shard(_ key: BlobKey) -> String { "\(path)/\(key.description.prefix(2))" }

    /// Returns the path of a blob's file.
    func file(_ key: BlobKey) -> String {
        let name = key.description
        return "\(path)/\(name.prefix(2))/\(name)"
    }

    /// Returns the path of a new draft.
    func draft() -> String { "\(drafts)/\(BlobGroup.digits(.random(in: .min ... .max)))" }

    /// Returns true for a name that ``draft()`` creates.
    ///
    /// Only such files are deleted: the user may have chosen a folder that has a subfolder `drafts` of other origin.
    private static func isDraft(_ name: String) -> Bool {
        name.utf8.count == 16
            && name.utf8.allSatisfy { $0.isASCIIDigit || (0x61...0x66).contains($0) }
    }

    /// Returns the stored blobs, the least recently used first; files of other origin are ignored.
    func blobs() -> [(key: BlobKey, size: Int64)] {
        let shards = Self.names(in: path).filter { $0.utf8.count == 2 }
        let all = Mutex<[(key: BlobKey, size: Int64, used: Int64)]>([])
        // There may be a hundred thousand files: shards are read in parallel, and names are not converted to strings.
        DispatchQueue.concurrentPerform(iterations: shards.count) { index in
            let shard = shards[index]
            var found: [(key: BlobKey, size: Int64, used: Int64)] = []
            Self.forEachEntry(in: "\(path)/\(shard)") { descriptor, name in
                var status = stat()
                guard let key = BlobKey(fileName: UnsafeRawBufferPointer(start: name, count: strlen(name))),
                    shard.utf8.elementsEqual(UnsafeRawBufferPointer(start: name, count: 2)),
                    fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG
                else { return }
                found.append((key, Int64(status.st_size), FileTime.modified(status)))
            }
            all.withLock { [found] in $0 += found }
        }
        return all.withLock { $0 }.sorted { $0.used < $1.used }.map { ($0.key, $0.size) }
    }

    private static func names(in folder: String) -> [String] {
        var names: [String] = []
        forEachEntry(in: folder) { _, name in
            let name = String(cString: name)
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Calls a function with the descriptor of a folder and the name of each of its entries.
    private static func forEachEntry(in folder: String, _ body: (CInt, UnsafePointer<CChar>) -> Void) {
        guard let directory = opendir(folder) else { return }
        defer { closedir(directory) }
        let descriptor = dirfd(directory)
        while let entry = readdir(directory) {
            withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    body(descriptor, $0)
                }
            }
        }
    }

    /// Returns true if the path is a folder of this user, and no other user can create files in it.
    private static func isWritableOnlyByOwner(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o022 == 0
    }
}
