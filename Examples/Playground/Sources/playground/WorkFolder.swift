// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where the process keeps its files: a folder that somebody named, or one that goes with the process.
///
/// A process that is killed leaves its folder behind. The next sees by the lock that nobody has it any more, and removes it.
final class WorkFolder: Sendable {
    let url: URL
    private let isTemporary: Bool
    /// The temporary folder, open and locked.
    private let descriptor: CInt?

    private static let prefix = "simorgh-playground-"

    /// Makes a temporary folder, where none is named.
    ///
    /// - Parameter named: The folder that somebody named.
    /// - Throws: What the system says where it cannot be made.
    init(_ named: URL?) throws {
        if let named {
            url = named
            isTemporary = false
            descriptor = nil
            return
        }
        let manager = FileManager.default
        let parent = manager.temporaryDirectory
        Self.removeLeft(in: parent)
        let name = UUID().uuidString
        // It gets its name when it is locked, so that nobody takes it for one that was left.
        let unnamed = parent.appendingPathComponent("simorgh-\(name)", isDirectory: true)
        try manager.createDirectory(
            at: unnamed, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        url = parent.appendingPathComponent(Self.prefix + name, isDirectory: true)
        isTemporary = true
        descriptor = Self.locked(unnamed)
        try manager.moveItem(at: unnamed, to: url)
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// Removes the folder, where it goes with the process.
    func leave() {
        if isTemporary { try? FileManager.default.removeItem(at: url) }
    }

    private static func removeLeft(in parent: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let folder = parent.appendingPathComponent(name, isDirectory: true)
            guard let descriptor = locked(folder) else { continue }
            try? FileManager.default.removeItem(at: folder)
            close(descriptor)
        }
    }

    /// Opens a folder of this user, and locks it; `nil` where it is another's, or a process has it.
    private static func locked(_ folder: URL) -> CInt? {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
