// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DownloadRun {
    /// Checks the whole, and gives it its name.
    ///
    /// - Returns: The file; `nil` where it is not what it should be, and is to be fetched once more.
    func finish(
        _ lane: DownloadLane, _ entity: DownloadEntity?, _ length: Int64, _ mismatches: inout Int
    ) async throws -> Finished? {
        if let size = request.size, size != length {
            throw DownloadStop.failed(.sizeMismatch(expected: size, found: length))
        }
        let wanted = digests + (entity?.digests ?? [])
        let found = try await lane.finish(length: length, hashing: Set(wanted.map(\.algorithm)))
        for expected in wanted {
            guard let digest = found.first(where: { $0.algorithm == expected.algorithm }), digest != expected else {
                continue
            }
            mismatches += 1
            try await setAside(entity)
            guard mismatches < 2 else {
                throw DownloadStop.failed(.digestMismatch(expected: expected, found: digest))
            }
            return nil
        }
        let file = try await place(entity, length)
        try await FileQueue.run { [journal, folder, time] () throws(DownloadError) in
            // Perhaps of an earlier run's.
            try? DownloadDisk.remove(folder.corrupt)
            try journal.append(
                .finished(file: folder.stored(file), size: length, date: time.now.timeIntervalSince1970), isSynced: true
            )
        }
        return Finished(file: file, size: length)
    }

    /// The file, where an earlier run gave it its name and could not say so any more.
    func placed() async throws -> Finished? {
        guard let placing = journal.journal.placing else { return nil }
        let file = folder.found(placing.file)
        return try await FileQueue.run { [journal, partial, target = folder.target(for: request), time] in
            guard DownloadDisk.number(of: file) == placing.number, DownloadDisk.length(of: file) == placing.size else {
                return nil
            }
            // Between two steps it may have both names.
            try DownloadDisk.remove(partial)
            DownloadDisk.syncFolder(target)
            try journal.append(
                .finished(file: placing.file, size: placing.size, date: time.now.timeIntervalSince1970), isSynced: true)
            return Finished(file: file, size: placing.size, isConfirmed: journal.journal.isConfirmed)
        }
    }

    /// Keeps what is not what it should be for whoever wants to look at it; the next one begins with nothing.
    private func setAside(_ entity: DownloadEntity?) async throws {
        let (partial, journal, corrupt) = (partial, journal, folder.corrupt)
        try await FileQueue.run { () throws(DownloadError) in
            if let entity { try journal.append(.entity(entity), isSynced: true) }
            // What cannot be kept is written over.
            guard (try? DownloadDisk.take(partial, as: corrupt)) != nil else { return }
            // Its old name is another file's from now on, of which the journal will tell.
            DownloadDisk.syncFolder(of: partial)
        }
    }

    /// A file of this name that makes the download needless.
    func present(_ name: String, _ entity: DownloadEntity) async throws -> Finished? {
        let path = folder.target(for: request) + "/" + name
        let collision = request.collision
        guard collision != .uniquify else { return nil }
        let digest = request.digest ?? entity.digests.first
        let same: (isTaken: Bool, size: Int64?) = try await FileQueue.runUntilCancelled {
            guard DownloadDisk.exists(path) else { return (false, nil) }
            guard let length = DownloadDisk.length(of: path) else { return (collision != .skipIfSame, nil) }
            guard collision == .skipIfSame else { return (collision == .fail, nil) }
            guard entity.total == nil && digest != nil || length == entity.total else { return (false, nil) }
            guard let digest else { return (false, length) }
            return (false, try DownloadDisk.digest(of: path, digest.algorithm) == digest ? length : nil)
        }
        if same.isTaken { throw DownloadStop.failed(.fileExists(path)) }
        guard let size = same.size else { return nil }
        try await FileQueue.run { [journal, folder, time, partial] () throws(DownloadError) in
            try journal.append(
                .finished(file: folder.stored(path), size: size, date: time.now.timeIntervalSince1970), isSynced: true)
            try DownloadDisk.remove(partial)
        }
        return Finished(file: path, size: size)
    }

    /// Gives the file its name.
    private func place(_ entity: DownloadEntity?, _ length: Int64) async throws -> String {
        let (partial, target, collision) = (partial, folder.target(for: request), request.collision)
        let (log, url) = (around.log, entity?.url ?? request.url)
        let isStopped = DownloadCore.Flag()
        let work = { @Sendable [journal, folder] () throws(DownloadError) -> String in
            let (known, asked) = (journal.journal.name, journal.journal.beginning.request)
            let isExact = asked.isNameExact
            var name = known ?? Self.name(asked.fileName, isExact, url)
            let type = MimeTypeDetector.detectMimeType(fromFile: partial)
            if let type { log(.mime(url: url, type: type.mime)) }
            // README and LICENSE are names, and what is text without a name for it is no more readable with one.
            if !isExact, DownloadFileName.parts(of: name).ext.isEmpty, let type, type.ext != "bin", type.ext != "txt" {
                name = DownloadFileName.choose(given: name, url: url, detected: type.ext)
            }
            var path = target + "/" + name
            // So that a crash behind the next step does not fetch a whole file once more.
            func announce() throws(DownloadError) {
                let number = DownloadDisk.number(of: partial) ?? 0
                try journal.append(.placing(file: folder.stored(path), size: length, number: number), isSynced: true)
            }
            try announce()
            if collision == .overwrite {
                guard try DownloadDisk.replaceFile(partial, with: path) else { throw .fileExists(path) }
            } else {
                var number = 0
                while try !DownloadDisk.move(partial, toFree: path) {
                    guard collision != .fail else { throw .fileExists(path) }
                    // The name that the type gave is known only now.
                    if collision == .skipIfSame,
                        try DownloadDisk.isSame(partial, path, unless: { isStopped.isSet })
                    {
                        try DownloadDisk.remove(partial)
                        return path
                    }
                    number += 1
                    guard number < 10_000 else { throw .fileExists(path) }
                    path = target + "/" + DownloadFileName.numbered(name, number)
                    try announce()
                }
            }
            DownloadDisk.syncFolder(target)
            return path
        }
        return try await withTaskCancellationHandler {
            try await FileQueue.run(work)
        } onCancel: {
            isStopped.set()
        }
    }
}
