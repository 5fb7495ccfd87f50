// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// Decides the next step of a download attempt: the request to make, when the file is complete, and when to start over.
///
/// A value without I/O: ``DownloadAttempt`` carries out its steps and reports what happened.
package struct DownloadAttemptStateMachine: Sendable {
    /// The next step of an attempt.
    package enum Step: Sendable, Equatable {
        /// Request the missing bytes of a partial file; the whole file if `partial` is `nil`.
        case request(DownloadAttempt.RequestMode, partial: DownloadJournal?)
        /// Verify the file and give it its name: all bytes are on disk.
        case finish(RemoteFileVersion?, length: Int64, isConfirmed: Bool)
    }

    /// A response body that ended, and the state of the partial file after it.
    package struct EndedBody: Sendable {
        /// The file that the journal describes; `nil` if the journal holds none.
        package var entity: RemoteFileVersion?
        /// The byte ranges on disk.
        package var ranges: ByteRanges
        /// The number of bytes that the response added.
        package var gained: Int64
        /// True if the response was a range of the file, so that its end need not be the end of the file.
        package var isPart: Bool

        package init(entity: RemoteFileVersion?, ranges: ByteRanges, gained: Int64, isPart: Bool) {
            (self.entity, self.ranges, self.gained, self.isPart) = (entity, ranges, gained, isPart)
        }
    }

    /// The number of consecutive ranges under ``minimumRangeBytes`` after which the attempt starts over.
    package static let maximumTinyRanges = 100
    /// A range with fewer bytes counts as tiny.
    package static let minimumRangeBytes: Int64 = 1024
    /// The number of restarts for one reason at which the attempt fails: the first is forgiven, for each of
    /// ``restarts`` and ``mismatches`` separately.
    private static let maximumFailures = 2

    private var mode = DownloadAttempt.RequestMode.plain
    /// True if the partial file is not used for the next request.
    private var startsOver = false
    /// The finished file, until it is verified.
    private var complete: Step?
    /// The number of times that the file changed on the server, or that the server sent only tiny ranges.
    private var restarts = 0
    /// The number of times that the complete file had a wrong digest.
    private var mismatches = 0
    /// The number of consecutive tiny ranges.
    private var tinyRanges = 0

    package init() {}

    /// Returns the next step.
    ///
    /// - Parameter known: The partial file, as its journal describes it.
    /// - Returns: The step.
    package mutating func next(_ known: DownloadJournal) -> Step {
        if let step = complete.take() { return step }
        guard !startsOver else { return .request(mode, partial: nil) }
        if let entity = known.entity, let total = entity.total, known.ranges.covers(total) {
            return .finish(entity, length: total, isConfirmed: true)
        }
        return .request(mode, partial: known)
    }

    /// Records that the server insists on a content coding: the whole file is requested next, and decoded.
    package mutating func bodyIsEncoded() {
        mode = .decoded
        startsOver = true
    }

    /// Records that the server has no more bytes than the partial file holds.
    ///
    /// - Parameter known: The partial file, as its journal described it before the request.
    package mutating func nothingIsMissing(_ known: DownloadJournal) {
        complete = .finish(known.entity, length: known.entity?.total ?? known.ranges.prefix, isConfirmed: true)
    }

    /// Records that a response with the file, or a range of it, began: its bytes belong to the partial file.
    package mutating func bodyBegan() { startsOver = false }

    /// Records that a response body ended, and decides if the file is complete.
    ///
    /// - Parameter body: The body, and the partial file after it.
    /// - Returns: The length of the file if it is complete; `nil` if another request has to follow.
    /// - Throws: ``DownloadAttemptError`` if bytes are missing, or if the server sends only tiny ranges.
    package mutating func bodyEnded(_ body: EndedBody) throws(DownloadAttemptError) -> Int64? {
        guard let entity = body.entity else { return nil }
        // Without a total length, only a response without further bytes ends the file.
        if entity.total == nil, body.isPart {
            tinyRanges = body.gained < Self.minimumRangeBytes ? tinyRanges + 1 : 0
            guard tinyRanges < Self.maximumTinyRanges else { throw .tinyRanges }
            return nil
        }
        // A file of unknown length ends where its body ends.
        let length = entity.total ?? body.ranges.prefix
        guard body.ranges.covers(length) else { throw .bodyEndedEarly(received: body.ranges.count, of: length) }
        return length
    }

    /// Records that the file is complete, and that its length was compared with the server's if that was possible.
    package mutating func lengthChecked(_ entity: RemoteFileVersion?, length: Int64, isConfirmed: Bool) {
        complete = .finish(entity, length: length, isConfirmed: isConfirmed)
    }

    /// Records that the digest of the complete file is wrong: the file is fetched again, but only once.
    ///
    /// - Throws: ``DownloadAttemptError`` at the second mismatch.
    package mutating func digestMismatched(
        _ expected: DownloadDigest, found: DownloadDigest
    ) throws(DownloadAttemptError) {
        mismatches += 1
        guard mismatches < Self.maximumFailures else {
            throw .failed(.digestMismatch(expected: expected, found: found))
        }
        startsOver = true
    }

    /// Records that the file on the server is another version: the attempt starts over, but only once.
    ///
    /// - Throws: ``DownloadAttemptError`` at the second restart.
    package mutating func fileChanged(_ reason: String) throws(DownloadAttemptError) {
        try startOver(orFail: .entityChanged(reason))
    }

    /// Records that the server sent only tiny ranges: the attempt starts over, but only once.
    ///
    /// - Throws: ``DownloadAttemptError`` at the second restart.
    package mutating func rangesWereTiny() throws(DownloadAttemptError) { try startOver(orFail: .tinyRanges) }

    private mutating func startOver(orFail error: DownloadError) throws(DownloadAttemptError) {
        restarts += 1
        guard restarts < Self.maximumFailures else { throw .failed(error) }
        tinyRanges = 0
        startsOver = true
    }
}

extension DownloadAttemptError {
    /// Returns the error of a body that ended before the last byte of the file.
    ///
    /// - Parameters:
    ///   - count: The number of bytes on disk.
    ///   - length: The length of the file.
    /// - Returns: An error to be retried.
    package static func bodyEndedEarly(received count: Int64, of length: Int64) -> DownloadAttemptError {
        .again(
            .transport(.networkConnectionLost, "the body ended early: \(count) of \(length) bytes were received"),
            after: nil)
    }

    /// Returns the error of a whole body whose length is not that of the file.
    ///
    /// - Parameters:
    ///   - length: The length of the body.
    ///   - expected: The length of the file.
    /// - Returns: An error to be retried.
    package static func wrongBodyLength(_ length: Int64, expected: Int64) -> DownloadAttemptError {
        .again(.transport(.networkConnectionLost, "the body has \(length) bytes instead of \(expected)"), after: nil)
    }
}

extension DownloadError {
    /// The server sends many ranges that are too small for the download to finish in reasonable time.
    package static let tinyRanges = DownloadError.transport(
        .badServerResponse,
        "the server sent \(DownloadAttemptStateMachine.maximumTinyRanges) ranges smaller than 1 KiB in a row")
}
