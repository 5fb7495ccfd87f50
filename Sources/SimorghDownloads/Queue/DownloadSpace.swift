// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

/// The room on the disk that running downloads still need and have not taken yet.
package final class DownloadSpace: Sendable {
    private struct Need {
        var bytes: Int64
        /// Which disk it is on; each is counted by itself.
        var disk: UInt64?
    }

    private let needs = Mutex<[UUID: Need]>([:])

    package init() {}

    /// Why there is no room for a download; `nil` where there is.
    ///
    /// - Parameters:
    ///   - id: The download, whose own need is then counted.
    ///   - bytes: How much it still needs.
    ///   - path: Where it will be.
    ///   - reserve: How many bytes stay free.
    /// - Returns: The reason.
    package func refusal(for id: UUID, _ bytes: Int64, at path: String, reserve: Int64) -> DownloadError? {
        guard let available = DownloadDisk.available(at: path) else { return nil }
        let disk = DownloadDisk.disk(of: path)
        return needs.withLock { needs in
            let others = needs.reduce(Int64(0)) { sum, other in
                other.key == id || other.value.disk != disk ? sum : Self.sum(sum, other.value.bytes)
            }
            let required = Self.sum(Self.sum(max(0, bytes), others), max(0, reserve))
            guard available >= required else {
                return .insufficientDiskSpace(required: required, available: available)
            }
            if bytes > 0 { needs[id] = Need(bytes: bytes, disk: disk) }
            return nil
        }
    }

    /// Takes note of how much a download still needs; nothing when it does not run.
    package func needs(_ id: UUID, _ bytes: Int64) {
        needs.withLock { needs in
            if bytes > 0 { needs[id]?.bytes = bytes } else { needs[id] = nil }
        }
    }

    private static func sum(_ first: Int64, _ second: Int64) -> Int64 {
        let (sum, overflows) = first.addingReportingOverflow(second)
        return overflows ? .max : sum
    }
}
