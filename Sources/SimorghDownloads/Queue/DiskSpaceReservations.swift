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

    private let free: @Sendable (String) -> Int64?
    private let reclaimable: @Sendable (String) -> Int64?

    /// Creates reservations of no space.
    ///
    /// - Parameters:
    ///   - free: Returns the free bytes on the disk of a path.
    ///   - reclaimable: Returns the bytes that would be free if the system deleted data that it can fetch again; `nil`
    ///     or fewer if it does not report them. Called only if the free bytes are not enough.
    package init(
        free: @escaping @Sendable (String) -> Int64? = { DownloadFileSystem.available(at: $0) },
        reclaimable: @escaping @Sendable (String) -> Int64? = { DownloadFileSystem.availableAfterReclaiming(at: $0) }
    ) {
        self.free = free
        self.reclaimable = reclaimable
    }

    /// Reserves disk space for a download.
    ///
    /// - Parameters:
    ///   - id: The download; the space replaces its earlier reservation.
    ///   - bytes: The number of bytes that it still needs.
    ///   - path: The location of its file.
    ///   - reserve: The number of bytes to keep free.
    /// - Returns: The error if there is not enough space; `nil` if there is.
    package func refusal(for id: UUID, bytes: Int64, at path: String, reserve: Int64) -> DownloadError? {
        guard let available = free(path) else { return nil }
        let disk = DownloadFileSystem.disk(of: path)
        let need = Need(bytes: bytes, disk: disk)
        guard let refusal = refusal(for: id, need: need, available: available, reserve: reserve) else { return nil }
        guard let more = reclaimable(path), more > available else { return refusal }
        return self.refusal(for: id, need: need, available: more, reserve: reserve)
    }

    private func refusal(for id: UUID, need: Need, available: Int64, reserve: Int64) -> DownloadError? {
        needs.withLock { needs in
            let others = needs.reduce(Int64(0)) { sum, other in
                other.key == id || other.value.disk != need.disk ? sum : Self.sum(of: sum, and: other.value.bytes)
            }
            let required = Self.sum(of: Self.sum(of: max(0, need.bytes), and: others), and: max(0, reserve))
            guard available >= required else {
                return .insufficientDiskSpace(required: required, available: available)
            }
            if need.bytes > 0 { needs[id] = need }
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
