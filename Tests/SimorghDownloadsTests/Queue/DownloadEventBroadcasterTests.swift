// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import SimorghCore
import SimorghDownloads
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadEventBroadcasterTests {
    @Test("An observer that is released before the first event is removed")
    func leaves() async {
        let hub = DownloadEventBroadcaster()
        let gate = DispatchSemaphore(value: 0)
        hub.later { gate.wait() }
        let present = DownloadProgress(taskId: UUID(), state: .downloading, downloadedBytes: 1, totalBytes: 2)
        do { _ = hub.progress(present) {} }
        let stays = hub.progress(present) {}
        gate.signal()
        await withCheckedContinuation { continuation in hub.later { continuation.resume() } }
        #expect(hub.observers == 1)
        var iterator = stays.makeAsyncIterator()
        #expect(await iterator.next() == present)
    }
}
