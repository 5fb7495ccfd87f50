// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

/// The disk space that running downloads still need but have not allocated yet.
package final class DiskSpaceReservations: Sendable {
    private struct Need {
        var bytes: Int64
        /// The disk; each disk is accounted separately.
        var disk: UInt64?
    }

    private let needs = Mutex<[UUID: Need]>([:])

    package init() {}

    /// Reserves disk space for a download.
    ///
    /// - Parameters:
    ///   - id: The download; the space replaces its earlier reservation.
    ///   - bytes: The number of bytes that it still needs.
    ///   - path: The location of its file.
    ///   - reserve: The number of bytes to keep free.
    /// - Returns: The error if there is not enough space; `nil` if there is.
    package func refusal(for id: UUID, bytes: Int64, at path: String, reserve: Int64) -> DownloadError? {
        guard let available = DownloadFileSystem.available(at: path) else { return nil }
        let disk = DownloadFileSystem.disk(of: path)
        return needs.withLock { needs in
            let others = needs.reduce(Int64(0)) { sum, other in
                other.key == id || other.value.disk != disk ? sum : Self.sum(of: sum, and: other.value.bytes)
            }
            let required = Self.sum(of: Self.sum(of: max(0, bytes), and: others), and: max(0, reserve))
            guard available >= required else {
                return .insufficientDiskSpace(required: required, available: available)
            }
            if bytes > 0 { needs[id] = Need(bytes: bytes, disk: disk) }
            return nil
        }
    }

    /// Updates the space that a download still needs; ignored if the download does not run.
    package func updateNeed(of id: UUID, to bytes: Int64) {
        needs.withLock { needs in
            if bytes > 0 { needs[id]?.bytes = bytes } else { needs[id] = nil }
        }
    }

    private static func sum(of first: Int64, and second: Int64) -> Int64 {
        let (sum, overflows) = first.addingReportingOverflow(second)
        return overflows ? .max : sum
    }
}
