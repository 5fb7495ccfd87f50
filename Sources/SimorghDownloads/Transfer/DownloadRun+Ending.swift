// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension DownloadRun {
    /// Takes note of the hashes of the whole that came behind a body.
    ///
    /// - Parameter stream: The answer, read to its end; what was decoded on the way has another hash.
    /// - Throws: ``DownloadError``.
    func noteTrailers(of stream: Stream) async throws(DownloadError) {
        guard stream.entity.coding == nil else { return }
        let trailers = stream.answer.trailers
        guard !trailers.isEmpty else { return }
        let legacy = around.config.acceptsLegacyDigests
        var found = DownloadDigest.ofWhole(trailers, legacy: legacy)
        if !stream.isPart { found += DownloadDigest.ofContent(trailers, legacy: legacy) }
        guard !found.isEmpty else { return }
        try await FileQueue.run { [journal, found] () throws(DownloadError) in try journal.append(.digests(found)) }
    }

    /// Whether the end of the connection was the end of the body, so that nobody knows whether it was cut off.
    private func isUnframed(_ stream: Stream) -> Bool {
        stream.answer.connection?.applicationProtocol == "http/1.1"
            && !stream.answer.headers.has(.contentLength) && !stream.answer.headers.has(.transferEncoding)
    }

    /// Asks the server for the length of a file whose body ended with its connection.
    ///
    /// - Parameters:
    ///   - stream: The answer, read to its end.
    ///   - length: How many bytes there are.
    ///   - manner: How it was asked for.
    /// - Returns: Whether the length is known to be right; where the server does not tell, nobody knows.
    /// - Throws: ``DownloadStop`` where it is not.
    func confirm(_ stream: Stream, _ length: Int64, _ manner: Manner) async throws -> Bool {
        guard let entity = journal.journal.entity, entity.total == nil, isUnframed(stream) else { return true }
        // A hash tells more, and so does what decodes without a fault.
        guard manner == .plain, digests.isEmpty, entity.digests.isEmpty, request.size == nil else { return true }
        guard let head = try? await head(), head.statusCode == 200,
            let told = head.headers[.contentLength].flatMap({ ContentRange.number($0[...].utf8) }),
            told > 0 || length == 0
        else {
            try Task.checkCancellation()
            try await FileQueue.run { [journal] () throws(DownloadError) in try journal.append(.unconfirmed) }
            return false
        }
        let now = DownloadEntity(url: head.url, fields: head.headers, total: told)
        if let reason = entity.contradiction(to: now) { throw DownloadStop.changed(reason) }
        guard told == length else {
            throw DownloadStop.again(.transport(.networkConnectionLost, "the body ended early"), after: nil)
        }
        return true
    }
}
