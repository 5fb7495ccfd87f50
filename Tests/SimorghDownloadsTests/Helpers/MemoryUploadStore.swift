// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import Synchronization

/// An upload store in memory.
final class MemoryUploadStore: UploadStore {
    private let records = Mutex<[String: UploadRecord]>([:])

    var all: [UploadRecord] { records.withLock { Array($0.values) } }

    func change(_ change: (inout UploadRecord) -> Void) {
        records.withLock { records in
            for key in records.keys {
                records[key].map { record in
                    var record = record
                    change(&record)
                    records[key] = record
                }
            }
        }
    }

    func record(for key: String) async throws -> UploadRecord? { records.withLock { $0[key] } }
    func save(_ record: UploadRecord, for key: String) async throws { records.withLock { $0[key] = record } }
    func remove(_ key: String) async throws { records.withLock { $0[key] = nil } }
}
