// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import SimorghSupport
import Synchronization

/// The folder of a store: which files it has, and that nobody else writes there.
///
/// Its calls block.
struct DiskFolder: Sendable {
    let path: String
    /// Held as long as the store is.
    private let lock: FileLock

    /// Opens the folder and makes it if it is not there.
    ///
    /// - Returns: `nil` where it cannot be used: another process has it, it may not be written, others may write there.
    init?(_ path: String, in root: StateFolder? = nil) {
        guard !path.isEmpty, !path.utf8.contains(0), root.map({ $0.refusal() == nil }) ?? true,
            FileCalls.makeFolder(path, mode: 0o700) == nil, Self.isOwn(path)
        else { return nil }
        guard let lock = try? FileLock(path + "/lock") else { return nil }
        self.path = path
        self.lock = lock
        guard mkdir(drafts, 0o700) == 0 || errno == EEXIST else { return nil }
        // What was being written when a process ended. The lock says that nobody writes it any more.
        for name in Self.names(in: drafts) where Self.isDraft(name) { unlink("\(drafts)/\(name)") }
    }

    var drafts: String { path + "/drafts" }

    /// Whether the folder is still this store's: who removes the name of the lock lets another process in.
    var isOurs: Bool { lock.isOurs }

    /// The folder that a blob's file is in.
    func shard(_ key: BlobKey) -> String { "\(path)/\(key.description.prefix(2))" }

    func file(_ key: BlobKey) -> String {
        let name = key.description
        return "\(path)/\(name.prefix(2))/\(name)"
    }

    func draft() -> String { "\(drafts)/\(BlobGroup.digits(.random(in: .min ... .max)))" }

    /// Whether a name is such a one: a folder that is none of ours may have drafts, too.
    private static func isDraft(_ name: String) -> Bool {
        name.utf8.count == 16
            && name.utf8.allSatisfy { $0.isASCIIDigit || (0x61...0x66).contains($0) }
    }

    /// The blobs that are there, those used longest ago first; files that are none of ours stay and are not counted.
    func blobs() -> [(key: BlobKey, size: Int64)] {
        let shards = Self.names(in: path).filter { $0.utf8.count == 2 }
        let all = Mutex<[(key: BlobKey, size: Int64, used: Int64)]>([])
        // On every processor, and by the bytes of the names, since this may be a hundred thousand of them.
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

    /// Gives a function the descriptor of a folder and the name of each thing in it.
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

    /// Whether nobody else can have put files there.
    private static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o022 == 0
    }
}
