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
    /// - Returns: `nil` if another process uses it, it is not writable, or other users can write to it.
    init?(_ path: String, in root: StateFolder? = nil) {
        guard !path.isEmpty, !path.utf8.contains(0), root.map({ $0.refusal() == nil }) ?? true,
            FileCalls.makeFolder(path, mode: 0o700) == nil, Self.isOwn(path)
        else { return nil }
        guard let lock = try? FileLock(path + "/lock") else { return nil }
        self.path = path
        self.lock = lock
        guard mkdir(drafts, 0o700) == 0 || errno == EEXIST else { return nil }
        // Removes the drafts of a process that ended while writing. The lock guarantees that no process uses them.
        for name in Self.names(in: drafts) where Self.isDraft(name) { unlink("\(drafts)/\(name)") }
    }

    var drafts: String { path + "/drafts" }

    /// True if the store still owns the folder: if the lock file was deleted, another process may have taken it over.
    var isOurs: Bool { lock.isHeld }

    /// Returns the folder of a blob's file.
    func shard(_ key: BlobKey) -> String { "\(path)/\(key.description.prefix(2))" }

    func file(_ key: BlobKey) -> String {
        let name = key.description
        return "\(path)/\(name.prefix(2))/\(name)"
    }

    func draft() -> String { "\(drafts)/\(BlobGroup.digits(.random(in: .min ... .max)))" }

    /// Returns true for the name of a draft, since a folder of other origin may have a subfolder of this name, too.
    private static func isDraft(_ name: String) -> Bool {
        name.utf8.count == 16
            && name.utf8.allSatisfy { $0.isASCIIDigit || (0x61...0x66).contains($0) }
    }

    /// Returns the stored blobs, the least recently used first; files of other origin are ignored.
    func blobs() -> [(key: BlobKey, size: Int64)] {
        let shards = Self.names(in: path).filter { $0.utf8.count == 2 }
        let all = Mutex<[(key: BlobKey, size: Int64, used: Int64)]>([])
        // In parallel, and with names as bytes, since there may be a hundred thousand files.
        DispatchQueue.concurrentPerform(iterations: shards.count) { index in
            let shard = shards[index]
            var found: [(key: BlobKey, size: Int64, used: Int64)] = []
            Self.each(in: "\(path)/\(shard)") { descriptor, name in
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
        each(in: folder) { _, name in
            let name = String(cString: name)
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Calls a function with the descriptor of a folder and the name of each of its entries.
    private static func each(in folder: String, _ body: (CInt, UnsafePointer<CChar>) -> Void) {
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

    /// Returns true if no other user can have put files there.
    private static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o022 == 0
    }
}
