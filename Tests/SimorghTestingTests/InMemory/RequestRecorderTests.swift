// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RequestRecorderTests {
    private func record(_ bytes: Int, in recorder: RequestRecorder) {
        let head = HTTPRequest(method: .post, scheme: "https", authority: "a.test", path: "/")
        _ = recorder.record(TransportRequest(head: head), body: Data(count: bytes))
    }

    @Test("The first requests are recorded, up to the capacity and byteCapacity; later ones are only counted")
    func bounds() async throws {
        let recorder = RequestRecorder(capacity: 3, byteCapacity: 10)
        for bytes in [4, 4, 4, 1] { record(bytes, in: recorder) }
        #expect(recorder.requests.map(\.body.count) == [4, 4])
        #expect(recorder.count == 4)
        await #expect(throws: RequestRecorder.NotRecordedError.self) { try await recorder.request(at: 2) }
    }

    @Test("Waiting for a request that is not recorded fails with NotRecordedError")
    func waiting() async throws {
        let recorder = RequestRecorder(capacity: 3, byteCapacity: 10)
        let waiter = Task { try await recorder.request(at: 2) }
        for bytes in [4, 11] { record(bytes, in: recorder) }
        await #expect(throws: RequestRecorder.NotRecordedError.self) { try await waiter.value }
    }
}
