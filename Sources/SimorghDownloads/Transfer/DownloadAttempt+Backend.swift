// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension DownloadAttempt {
    /// Fetches the file with a backend and verifies it like any other.
    func fetchWithBackend(_ backend: any DownloadBackend) async throws -> Finished {
        if let finished = try await recoverNamedFile() { return finished }
        try await FileQueue.run { [target = folder.target(for: request)] () throws(DownloadError) in
            try DownloadFileSystem.makeFolder(target)
        }
        var machine = DownloadAttemptStateMachine()
        if let finished = try await finishFetchedFile(machine: &machine) { return finished }
        while true {
            if let finished = try await fetchOnceWithBackend(backend, machine: &machine) { return finished }
            try Task.checkCancellation()
        }
    }

    private func fetchOnceWithBackend(
        _ backend: any DownloadBackend, machine: inout DownloadAttemptStateMachine
    ) async throws -> Finished? {
        let config = dependencies.config
        var access = dependencies.client.configuration.access
        config.restrict(&access)
        var transfer = BackendTransfer(
            id: id, url: request.url, headers: headers(ResumeDecision.RangeRequest(), mode: .plain),
            allowsCellularAccess: access.allowsCellular, allowsExpensiveNetworkAccess: access.allowsExpensive,
            timeout: config.timeoutInterval > 0 ? config.timeoutInterval : 60)
        transfer.allowsConstrainedNetworkAccess = access.allowsConstrained
        transfer.priority = request.priority
        transfer.earliestBegin = dependencies.earliestBegin
        transfer.isRestored = dependencies.isRestored
        transfer.expectedBytes = request.size ?? journal.journal.entity?.total
        transfer.allowsSecretFields = config.allowsSecretFieldsInBackground
        transfer.tls = dependencies.client.configuration.tls
        transfer.route = dependencies.client.configuration.route
        let file: BackendFile
        do throws(TransportError) {
            file = try await backend.fetch(transfer) { [dependencies] received, total in
                dependencies.report(
                    Report(
                        received: received, total: total, speed: 0, eta: nil, connections: 1, hasGained: received > 0))
            }
        } catch {
            // The caller did not cancel: the system did, for example because the user closed the app.
            if error.code == .cancelled, !Task.isCancelled {
                throw DownloadAttemptError.paused(.transport(.cancelled, error.message))
            }
            if let cause = error.underlying as? DownloadError { throw DownloadAttemptError(cause) }
            throw DownloadAttemptError(NetworkError.urlError(error))
        }
        let outcome: Result<Finished?, any Error>
        do {
            outcome = .success(try await take(file, machine: &machine))
        } catch {
            outcome = .failure(error)
        }
        // Without space or time for it now, it is taken by the next run.
        let isKept: Bool =
            switch outcome {
            case .failure(let error): file.path == folder.fetched && Self.keepsFile(error)
            case .success: false
            }
        if !isKept { try? DownloadFileSystem.remove(file.path) }
        return try outcome.get()
    }

    private static func keepsFile(_ error: any Error) -> Bool {
        if Task.isCancelled { return true }
        if case .diskFull = DownloadAttemptError(error) { return true }
        return false
    }

    /// Verifies a fetched file and gives it its final name.
    ///
    /// - Returns: The file; `nil` if verification failed and the file has to be fetched again.
    private func take(
        _ file: BackendFile, machine: inout DownloadAttemptStateMachine
    ) async throws -> Finished? {
        dependencies.log(.response(url: file.url, status: file.status, headers: file.fields))
        guard let length = DownloadFileSystem.length(of: file.path) else {
            throw DownloadAttemptError.failed(.file("\(file.path) is gone"))
        }
        let entity = try entity(of: file)
        // A backend that decodes a content coding leaves the field in place; the length is then unknown.
        if entity.coding == nil, let total = entity.total, total != length {
            throw DownloadAttemptError.wrongBodyLength(length, expected: total)
        }
        let requested = journal.journal.beginning.request
        let name = Self.name(
            requested.fileName, isExact: requested.isNameExact, url: file.url,
            disposition: file.fields[.contentDisposition])
        if let existing = try await existingFile(name, entity: entity) { return existing }
        let writer = try await FileQueue.run { [journal, partial, time, digests] () throws(DownloadError) in
            try PartialFile(reading: file.path).sync()
            // Before the journal describes the new file: bytes of an older one must not count as its bytes.
            try DownloadFileSystem.remove(partial)
            try journal.append(.entity(entity), isSynced: true)
            try journal.append(.named(name))
            // A process that ends here finds the file either at the backend or as the partial file.
            try journal.append(.ranges([0, length]), isSynced: true)
            try DownloadFileSystem.take(file.path, as: partial)
            let partialFile = try PartialFile(partial)
            let algorithms = Set((digests + entity.digests).map(\.algorithm))
            return DownloadFileWriter(partialFile, journal: journal, hashing: algorithms, time: time)
        }
        return try await finish(writer, entity: entity, length: length, machine: &machine)
    }

    /// Finishes a file that an earlier process took from the backend and could not verify any more.
    ///
    /// - Returns: The file; `nil` if the partial file is not complete.
    private func finishFetchedFile(machine: inout DownloadAttemptStateMachine) async throws -> Finished? {
        guard let entity = journal.journal.entity, let total = entity.total, journal.journal.ranges.covers(total),
            DownloadFileSystem.length(of: partial) == total
        else { return nil }
        let writer = try await FileQueue.run { [journal, partial, time, digests] () throws(DownloadError) in
            let algorithms = Set((digests + entity.digests).map(\.algorithm))
            return DownloadFileWriter(
                try PartialFile(partial), journal: journal, hashing: algorithms, time: time)
        }
        return try await finish(writer, entity: entity, length: total, machine: &machine)
    }

    /// Returns the version of the fetched file; throws if the response is not a file.
    private func entity(of file: BackendFile) throws -> RemoteFileVersion {
        // The system may have resumed the transfer: then the last response was partial, but the file is complete.
        if file.status == 206, let content = file.fields[.contentRange].flatMap(ContentRange.init),
            let range = content.range, content.total != nil || range.lowerBound > 0
        {
            // If the length of the whole file is unknown, the file ends where the last range ends.
            return RemoteFileVersion(
                url: file.url, fields: file.fields, total: content.total ?? range.upperBound)
        }
        let decision = ResumeDecision(
            ResumeDecision.RangeRequest(), status: file.status, fields: file.fields, url: file.url, now: time.now,
            legacyDigests: dependencies.config.acceptsLegacyDigests)
        switch decision {
        case .restart(var entity):
            // The coding of an archive was decoded as well.
            entity.coding = RemoteFileVersion.coding(file.fields)
            if entity.coding != nil { (entity.total, entity.digests) = (nil, []) }
            return entity
        case .wait(let status, let delay): throw DownloadAttemptError.again(.httpStatus(status), after: delay)
        case .fail(let error): throw DownloadAttemptError.failed(error)
        case .again(let reason): throw DownloadAttemptError.failed(.entityChanged(reason))
        case .append, .complete, .requestHead: throw DownloadAttemptError.failed(.httpStatus(file.status))
        }
    }
}
