// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The URLs that one manager owns in a folder shared by several processes.
///
/// A URL belongs to one manager as long as that manager lives. Every manager keeps a locked file that lists the hashes
/// of its URLs. It writes and reads such files only while it holds the folder's own lock, which it does briefly. If a
/// process is killed, its lock is released, and the next manager removes its list.
package final class DownloadURLClaims: Sendable {
    /// The normalized URLs that were free and now belong to this manager.
    package let urls: Set<String>
    private let folder: String
    private let list: FileLock
    private let isReleased = Atomic(false)

    /// The longest wait for other processes that hold the folder's lock, before the folder counts as in use.
    private static let lockTimeout: Duration = .seconds(10)
    private static let prefix = ".run-"
    private static let suffix = ".lock"
    /// The longest list that is read, in bytes: hundreds of thousands of URLs.
    private static let maximumListBytes = 64 * 1024 * 1024

    /// Claims those URLs that no other manager owns; creates the folder if it does not exist.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - wanted: The normalized URLs.
    /// - Throws: ``DownloadError/directoryInUse(_:)`` if another manager owns the whole folder,
    ///   ``DownloadError/file(_:)``.
    package init(_ folder: String, wanting wanted: Set<String>) throws(DownloadError) {
        let lock = try Self.lock(folder, for: Self.lockTimeout)
        defer { lock.release() }
        let others = try Self.others(in: folder)
        if others.isEmpty { Self.sweep(folder) }
        let taken = Set(others.joined())
        let hashes = Dictionary(wanted.map { ($0, Self.hash(of: $0)) }) { first, _ in first }
        let free = hashes.filter { !taken.contains($0.value) }
        let path = "\(folder)/\(Self.prefix)\(UUID().uuidString.lowercased())\(Self.suffix)"
        let list: FileLock
        do throws(FileLock.LockError) {
            list = try FileLock(path)
        } catch {
            throw Self.failure(error, at: path)
        }
        do throws(DownloadError) {
            try Self.write(free.values.joined(separator: "\n"), to: path)
        } catch {
            list.release(removing: true)
            throw error
        }
        self.folder = folder
        self.list = list
        urls = Set(free.keys)
    }

    /// Releases the URLs for other managers; a second call does nothing.
    ///
    /// - Parameter removingFolder: True to remove the folder if it is empty.
    package func release(removingFolder: Bool) {
        // Locking a folder creates it, and it may have been removed since.
        guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
        guard let lock = try? Self.lock(folder, for: .seconds(1)) else {
            list.release(removing: true)
            return
        }
        list.release(removing: true)
        lock.release(removingFolder: removingFolder)
    }

    /// Waits for the folder's lock, which each process holds only briefly.
    private static func lock(_ folder: String, for timeout: Duration) throws(DownloadError) -> DownloadFolderLock {
        let deadline = ContinuousClock.now + timeout
        while true {
            do throws(DownloadError) {
                return try DownloadFolderLock(folder)
            } catch {
                guard case .directoryInUse = error, ContinuousClock.now < deadline else { throw error }
                usleep(10_000)
            }
        }
    }

    /// Returns the lists of the other live managers and removes those of dead ones.
    private static func others(in folder: String) throws(DownloadError) -> [[String]] {
        var lists: [[String]] = []
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            let path = "\(folder)/\(name)"
            do throws(FileLock.LockError) {
                try FileLock(path).release(removing: true)
            } catch {
                // The owner removed it in the meantime.
                if error == .replaced { continue }
                guard error == .held else { throw failure(error, at: path) }
                let length = DownloadFileSystem.length(of: path) ?? 0
                guard length <= maximumListBytes, let bytes = FileBytes.prefix(of: path, upTo: Int(length)) else {
                    throw .directoryInUse(folder)
                }
                lists.append(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
            }
        }
        return lists
    }

    private static func write(_ text: String, to path: String) throws(DownloadError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw DownloadFileSystem.failure("open", at: path) }
        defer { close(descriptor) }
        let code = Array(text.utf8).withUnsafeBytes { FileCalls.write($0, to: descriptor, at: 0) }
        guard code == 0 else {
            errno = code
            throw DownloadFileSystem.failure("write", at: path, needing: Int64(text.utf8.count))
        }
    }

    /// Removes the empty folders of downloads that a killed process left.
    private static func sweep(_ folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard UUID(uuidString: name) != nil else { continue }
            // Removes only an empty folder.
            DownloadFileSystem.removeFolder("\(folder)/\(name)")
        }
    }

    private static func hash(of url: String) -> String {
        var hasher = FileHasher([.sha256])
        Array(url.utf8).withUnsafeBytes { hasher.update($0) }
        return hasher.digests.first?.description ?? url
    }

    private static func failure(_ refusal: FileLock.LockError, at path: String) -> DownloadError {
        switch refusal {
        case .held: return .file("could not lock \(path): another owner, in this process or another, holds the lock")
        case .replaced: return .file("could not lock \(path): the file was deleted while it was being locked")
        case .openFailed(let code):
            errno = code
            return DownloadFileSystem.failure("open", at: path)
        case .lockFailed(let code):
            errno = code
            return DownloadFileSystem.failure("lock", at: path)
        }
    }
}
