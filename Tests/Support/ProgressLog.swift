// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCompatibility
package import SimorghCore
import Synchronization

/// The reported progress of an upload, in order.
package final class ProgressLog: UploadProgressDelegate {
    private let entries = Mutex<[UploadProgress]>([])

    package init() {}

    package var all: [UploadProgress] { entries.withLock { $0 } }
    package var fractions: [Double] { all.map(\.fraction) }

    package func uploadDidProgress(_ progress: UploadProgress) { entries.withLock { $0.append(progress) } }

    package func note(_ fraction: Double, _ sent: Int64 = 0, _ total: Int64? = nil) {
        uploadDidProgress(UploadProgress(sent: sent, total: total ?? Int64(fraction * 1000), isFinished: fraction == 1))
    }

    /// True if the progress never decreased and reached 1.0 exactly once, at the end.
    package var isMonotoneToTheEnd: Bool {
        let fractions = fractions
        return zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 } && fractions.last == 1
            && fractions.dropLast().allSatisfy { $0 < 1 }
    }
}
