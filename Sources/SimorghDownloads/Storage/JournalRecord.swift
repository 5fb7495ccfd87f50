// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// One thing that happened to a download, as it is written down.
package enum JournalRecord: Sendable, Hashable, Codable {
    /// It was asked for: always the first.
    case begun(Beginning)
    /// A version of the file begins: what was there before does not count any more.
    case entity(DownloadEntity)
    /// Which bytes are on the disk for sure, as pairs of a beginning and an end.
    case ranges([Int64])
    /// Which bytes were written while the machine was up that is named: they outlive the process, and not the machine.
    case written([Int64], boot: String)
    /// What it is called.
    case named(String)
    /// What has become of it.
    case state(DownloadState, attempt: Int, message: String?)
    /// How soon its turn comes.
    case place(DownloadPriority, position: Double)
    /// What is asked for from now on.
    case asked(DownloadRequest)
    /// The length of the whole is known by now.
    case total(Int64)
    /// Hashes of the whole that came behind its last byte.
    case digests([DownloadDigest])
    /// The body had no length and no end, and nobody could say whether it is whole.
    case unconfirmed
    /// The file is whole, and is about to get this name; the number tells it from all others on its disk.
    case placing(file: String, size: Int64, number: UInt64)
    /// The file is whole, and has its name.
    case finished(file: String, size: Int64, date: Double)

    /// What was asked for, and when.
    package struct Beginning: Sendable, Hashable, Codable {
        package var id: UUID
        package var request: DownloadRequest
        /// Seconds since 1970.
        package var date: Double
        /// Its place among those of its priority.
        package var position: Double

        package init(id: UUID, request: DownloadRequest, date: Double, position: Double) {
            self.id = id
            self.request = request
            self.date = date
            self.position = position
        }
    }
}
