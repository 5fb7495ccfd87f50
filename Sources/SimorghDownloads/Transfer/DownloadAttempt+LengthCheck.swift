// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension DownloadAttempt {
    /// Records the digests of the whole file that arrived in a trailer.
    ///
    /// - Parameter stream: The response, read to its end; nothing is recorded if its content was decoded, which
    ///   changes the hash.
    /// - Throws: ``DownloadError``.
    func noteTrailers(of stream: Stream) async throws(DownloadError) {
        guard stream.entity.coding == nil else { return }
        let trailers = stream.response.trailers
        guard !trailers.isEmpty else { return }
        let legacy = dependencies.config.acceptsLegacyDigests
        var found = DownloadDigest.ofWhole(trailers, legacy: legacy)
        if !stream.isPart { found += DownloadDigest.ofContent(trailers, legacy: legacy) }
        guard !found.isEmpty else { return }
        try await FileQueue.run { [journal, found] () throws(DownloadError) in try journal.append(.digests(found)) }
    }

    /// Returns true if the body ended with the connection, so that it may have been cut off.
    private func isUnframed(_ stream: Stream) -> Bool {
        stream.response.connection?.applicationProtocol == "http/1.1"
            && !stream.response.headers.contains(.contentLength) && !stream.response.headers.contains(.transferEncoding)
    }

    /// Requests the length of a file whose body ended with its connection.
    ///
    /// - Parameters:
    ///   - stream: The response, read to its end.
    ///   - length: The number of bytes received.
    ///   - mode: The kind of request.
    /// - Returns: True if the length is known to be right; false if the server does not send it.
    /// - Throws: ``DownloadAttemptError`` if the length is wrong.
    func confirm(_ stream: Stream, length: Int64, mode: RequestMode) async throws -> Bool {
        guard let entity = journal.journal.entity, entity.total == nil, isUnframed(stream) else { return true }
        // A hash proves more, and so does a body that was decoded without an error.
        guard mode == .plain, digests.isEmpty, entity.digests.isEmpty, request.size == nil else { return true }
        guard let head = try? await head(), head.statusCode == 200,
            let total = head.headers[.contentLength].flatMap({ ContentRange.number($0[...].utf8) }),
            total > 0 || length == 0
        else {
            try Task.checkCancellation()
            try await FileQueue.run { [journal] () throws(DownloadError) in try journal.append(.unconfirmed) }
            return false
        }
        let now = RemoteFileVersion(url: head.url, fields: head.headers, total: total)
        if let reason = entity.contradiction(to: now) { throw DownloadAttemptError.changed(reason) }
        guard total == length else { throw DownloadAttemptError.wrongBodyLength(length, expected: total) }
        return true
    }
}
