// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// A journal record: one change of a download.
package enum JournalRecord: Sendable, Hashable, Codable {
    /// The download was enqueued; always the first record.
    case begun(Beginning)
    /// A new version of the file starts; bytes of the old one no longer count.
    case entity(RemoteFileVersion)
    /// The byte ranges that were fsynced, as pairs of a start and an end.
    case ranges([Int64])
    /// The byte ranges that were written during this boot of the machine; they survive the process but not the machine.
    case written([Int64], boot: String)
    /// The file name was determined.
    case named(String)
    /// The state changed.
    case state(DownloadState, attempt: Int, message: String?)
    /// The priority or the position in the queue changed.
    case reordered(DownloadPriority, position: Double)
    /// The request was replaced.
    case revised(DownloadRequest)
    /// The length of the whole file became known.
    case total(Int64)
    /// Digests of the whole file arrived in a trailer.
    case digests([DownloadDigest])
    /// The body had neither a length nor a marked end, so the file may be incomplete.
    case unconfirmed
    /// The complete file is about to get this name; `number` is its inode number.
    case placing(file: String, size: Int64, number: UInt64)
    /// The complete file has its final name.
    case finished(file: String, size: Int64, date: Double)

    /// The names of the records in the file.
    private enum CodingKeys: String, CodingKey {
        case begun, entity, ranges, written, named, state
        case reordered = "place"
        case revised = "asked"
        case total, digests, unconfirmed, placing, finished
    }

    /// The initial request and its time.
    package struct Beginning: Sendable, Hashable, Codable {
        package var id: UUID
        package var request: DownloadRequest
        /// The time of the request, in seconds since 1970.
        package var date: Double
        /// The position among downloads of the same priority.
        package var position: Double

        package init(id: UUID, request: DownloadRequest, date: Double, position: Double) {
            self.id = id
            self.request = request
            self.date = date
            self.position = position
        }
    }
}
