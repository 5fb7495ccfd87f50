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

/// The folder of the process's files: the given one, or a temporary one that is removed at the end.
///
/// A process that is killed leaves its folder behind. The next one sees from the lock that it is unused, and removes
/// it.
final class WorkFolder: Sendable {
    let url: URL
    private let isTemporary: Bool
    /// The temporary folder, open and locked.
    private let descriptor: CInt?

    private static let prefix = "simorgh-playground-"

    /// Creates a temporary folder if none is given.
    ///
    /// - Parameter named: The given folder.
    /// - Throws: The system's error if the folder cannot be created.
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
        // Renamed after it is locked, so that another process does not take it for an unused one.
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

    /// Removes the folder if it is temporary.
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

    /// Opens and locks a folder of this user; returns `nil` if it belongs to another user, or a process has locked it.
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
