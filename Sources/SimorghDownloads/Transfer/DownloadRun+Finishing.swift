// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghMimeTypes
import SimorghSupport

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
        let (target, collision) = (folder.target(for: request), request.collision)
        guard collision != .uniquify else { return nil }
        let found = try await FileQueue.runUntilCancelled { [self] in
            try collision.skips
                ? findSame(name, in: target, entity)
                : refuse(target + "/" + name, unless: collision.replaces)
        }
        guard let (path, size) = found else { return nil }
        try await FileQueue.run { [journal, folder, time, partial] () throws(DownloadError) in
            try journal.append(
                .finished(file: folder.stored(path), size: size, date: time.now.timeIntervalSince1970), isSynced: true)
            try DownloadDisk.remove(partial)
        }
        return Finished(file: path, size: size, wasThere: true)
    }

    /// Throws if there is something of a name that may not be replaced.
    private func refuse(_ path: String, unless replaces: Bool) throws -> (path: String, size: Int64)? {
        let isFree = !DownloadDisk.exists(path) || replaces && DownloadDisk.length(of: path) != nil
        guard isFree else { throw DownloadStop.failed(.fileExists(path)) }
        return nil
    }

    /// A file that is the same, of this name or of one with a number, as an earlier run may have given it.
    private func findSame(
        _ name: String, in target: String, _ entity: DownloadEntity
    ) throws -> (path: String, size: Int64)? {
        let last = request.collision.replaces ? 0 : 999
        for number in 0...last {
            let path = target + "/" + (number == 0 ? name : DownloadFileName.numbered(name, number))
            guard DownloadDisk.exists(path) else { return nil }
            guard let length = DownloadDisk.length(of: path) else {
                if request.collision.replaces { throw DownloadStop.failed(.fileExists(path)) }
                continue
            }
            if try isSame(path, length, entity), around.places.take(path, for: asked) { return (path, length) }
        }
        return nil
    }

    /// The URL that was asked for, whichever mirror answers.
    private var asked: String { journal.journal.beginning.request.url }

    private func isSame(_ path: String, _ length: Int64, _ entity: DownloadEntity) throws -> Bool {
        let digest = request.digest ?? entity.digests.first
        guard entity.total == nil && digest != nil || length == entity.total else { return false }
        if let digest { return try DownloadDisk.digest(of: path, digest.algorithm) == digest }
        // A file of the same length that was changed on the server after it was written here is another one.
        guard let date = entity.modified.flatMap({ HTTPDate.parse($0, now: time.now) }) else { return true }
        return DownloadDisk.modified(path).map { $0 >= date.timeIntervalSince1970.rounded(.down) } ?? false
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
            if collision.replaces {
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
        let file = try await withTaskCancellationHandler {
            try await FileQueue.run(work)
        } onCancel: {
            isStopped.set()
        }
        around.places.take(file, for: asked)
        return file
    }
}
