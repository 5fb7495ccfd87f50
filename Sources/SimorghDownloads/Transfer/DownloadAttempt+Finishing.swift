// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghMimeTypes
import SimorghSupport

extension DownloadAttempt {
    /// Verifies the complete file and gives it its final name.
    ///
    /// - Returns: The file; `nil` if verification failed and the file has to be fetched again.
    func finish(
        _ writer: DownloadFileWriter, entity: RemoteFileVersion?, length: Int64,
        machine: inout DownloadAttemptStateMachine
    ) async throws -> Finished? {
        if let size = request.size, size != length {
            throw DownloadAttemptError.failed(.sizeMismatch(expected: size, found: length))
        }
        let wanted = digests + (entity?.digests ?? [])
        let found = try await writer.finish(length: length, hashing: Set(wanted.map(\.algorithm)))
        for expected in wanted {
            guard let digest = found.first(where: { $0.algorithm == expected.algorithm }), digest != expected else {
                continue
            }
            try await setAside(entity)
            try machine.digestMismatched(expected, found: digest)
            return nil
        }
        let file = try await moveToFinalName(entity: entity, length: length)
        try await FileQueue.run { [journal, folder, time] () throws(DownloadError) in
            // It may be from an earlier run.
            try? DownloadFileSystem.remove(folder.corrupt)
            try journal.append(
                .finished(file: folder.stored(file), size: length, date: time.now.timeIntervalSince1970), isSynced: true
            )
        }
        return Finished(file: file, size: length)
    }

    /// Returns the file if an earlier run gave it its name but could not record that.
    func recoverNamedFile() async throws -> Finished? {
        guard let placing = journal.journal.placing else { return nil }
        let file = folder.found(placing.file)
        return try await FileQueue.run { [journal, partial, target = folder.target(for: request), time] in
            guard DownloadFileSystem.inode(of: file) == placing.number,
                DownloadFileSystem.length(of: file) == placing.size
            else { return nil }
            // After a crash between two steps it may have both names.
            try DownloadFileSystem.remove(partial)
            DownloadFileSystem.syncFolder(target)
            try journal.append(
                .finished(file: placing.file, size: placing.size, date: time.now.timeIntervalSince1970), isSynced: true)
            return Finished(file: file, size: placing.size, isConfirmed: journal.journal.isConfirmed)
        }
    }

    /// Keeps a file that failed verification for inspection; the next attempt starts with an empty file.
    private func setAside(_ entity: RemoteFileVersion?) async throws {
        let (partial, journal, corrupt) = (partial, journal, folder.corrupt)
        try await FileQueue.run { () throws(DownloadError) in
            if let entity { try journal.append(.entity(entity), isSynced: true) }
            // If it cannot be kept, it is overwritten.
            guard (try? DownloadFileSystem.take(partial, as: corrupt)) != nil else { return }
            // Its old name will belong to another file, which the journal will refer to.
            DownloadFileSystem.syncFolder(of: partial)
        }
    }

    /// Returns an existing file of this name that makes the download unnecessary.
    func existingFile(_ name: String, entity: RemoteFileVersion) async throws -> Finished? {
        let (target, collision) = (folder.target(for: request), request.collision)
        guard collision != .uniquify else { return nil }
        let found = try await FileQueue.runUntilCancelled { [self] in
            if collision.skips { return try identicalFile(name, in: target, entity: entity) }
            try checkName(target + "/" + name, mayReplace: collision.replaces)
            return nil
        }
        guard let (path, size) = found else { return nil }
        try await FileQueue.run { [journal, folder, time, partial] () throws(DownloadError) in
            try journal.append(
                .finished(file: folder.stored(path), size: size, date: time.now.timeIntervalSince1970), isSynced: true)
            try DownloadFileSystem.remove(partial)
        }
        return Finished(file: path, size: size, alreadyExisted: true)
    }

    /// Throws an error if the name belongs to something that must not be replaced.
    private func checkName(_ path: String, mayReplace: Bool) throws {
        let isFree = !DownloadFileSystem.exists(path) || mayReplace && DownloadFileSystem.length(of: path) != nil
        guard isFree else { throw DownloadAttemptError.failed(.fileExists(path)) }
    }

    /// Returns an identical existing file, of this name or of one with a number that an earlier run may have added.
    private func identicalFile(
        _ name: String, in target: String, entity: RemoteFileVersion
    ) throws -> (path: String, size: Int64)? {
        let last = request.collision.replaces ? 0 : 999
        for number in 0...last {
            let path = target + "/" + (number == 0 ? name : DownloadFileName.numbered(name, with: number))
            guard DownloadFileSystem.exists(path) else { return nil }
            guard let length = DownloadFileSystem.length(of: path) else {
                if request.collision.replaces { throw DownloadAttemptError.failed(.fileExists(path)) }
                continue
            }
            if try isSame(path, length: length, entity: entity), dependencies.fileOwners.take(path, for: requestedURL) {
                return (path, length)
            }
        }
        return nil
    }

    /// The requested URL, regardless of the mirror that responded.
    private var requestedURL: String { journal.journal.beginning.request.url }

    private func isSame(_ path: String, length: Int64, entity: RemoteFileVersion) throws -> Bool {
        let digest = request.digest ?? entity.digests.first
        guard entity.total == nil && digest != nil || length == entity.total else { return false }
        if let digest { return try DownloadFileSystem.digest(of: path, using: digest.algorithm) == digest }
        // A file of the same length that was modified on the server after the local file was written is a different
        // one.
        guard let date = entity.modified.flatMap({ HTTPDate.parse($0, now: time.now) }) else { return true }
        return DownloadFileSystem.modified(path).map { $0 >= date.timeIntervalSince1970.rounded(.down) } ?? false
    }

    /// Gives the file its final name.
    private func moveToFinalName(entity: RemoteFileVersion?, length: Int64) async throws -> String {
        let (partial, target, collision) = (partial, folder.target(for: request), request.collision)
        let (log, url) = (dependencies.log, entity?.url ?? request.url)
        let isStopped = AtomicFlag()
        let work = { @Sendable [journal, folder] () throws(DownloadError) -> String in
            let (known, requested) = (journal.journal.name, journal.journal.beginning.request)
            let isExact = requested.isNameExact
            var name = known ?? Self.name(requested.fileName, isExact: isExact, url: url)
            let type = MimeTypeDetector.detectMimeType(fromFile: partial)
            if let type { log(.mime(url: url, type: type.mime)) }
            // README and LICENSE are complete names, and an extension would not make plain text more readable.
            if !isExact, DownloadFileName.parts(of: name).ext.isEmpty, let type, type.ext != "bin", type.ext != "txt" {
                name = DownloadFileName.choose(given: name, url: url, detected: type.ext)
            }
            var path = target + "/" + name
            // Recorded first, so that after a crash the complete file is not fetched again.
            func recordRename() throws(DownloadError) {
                let number = DownloadFileSystem.inode(of: partial) ?? 0
                try journal.append(.placing(file: folder.stored(path), size: length, number: number), isSynced: true)
            }
            try recordRename()
            if collision.replaces {
                guard try DownloadFileSystem.replaceFile(partial, with: path) else { throw .fileExists(path) }
            } else {
                var number = 0
                while try !DownloadFileSystem.move(partial, toFree: path) {
                    guard collision != .fail else { throw .fileExists(path) }
                    // The name with the detected extension is known only now.
                    if collision == .skipIfSame,
                        try DownloadFileSystem.isSame(partial, as: path, unless: { isStopped.isSet })
                    {
                        try DownloadFileSystem.remove(partial)
                        return path
                    }
                    number += 1
                    guard number < 10_000 else { throw .fileExists(path) }
                    path = target + "/" + DownloadFileName.numbered(name, with: number)
                    try recordRename()
                }
            }
            DownloadFileSystem.syncFolder(target)
            return path
        }
        let file = try await withTaskCancellationHandler {
            try await FileQueue.run(work)
        } onCancel: {
            isStopped.set()
        }
        dependencies.fileOwners.take(file, for: requestedURL)
        return file
    }
}
