// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

/// Inspecting a file on a slow disk counts towards the call's timeout.
extension FileBodyTests {
    /// The end of a call that waits for an unresponsive disk.
    enum End: CaseIterable, Sendable { case time, task, client }

    @Test("An unresponsive disk delays a call only until its timeout or cancellation", arguments: End.allCases)
    func silent(end: End) async throws {
        let clock = TestClock()
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.timeouts.total = .seconds(5)
        }
        let (isReading, answer) = (Gate(), DispatchSemaphore(value: 0))
        defer { answer.signal() }
        let call = Call(client: client, decoding: .data) { _ in
            var description = CallDescription(method: .post, path: "x")
            description.deferredBody = {
                isReading.open()
                answer.wait()
                return .text("read")
            }
            return description
        }
        let running = Task { try await call.void() }
        try await isReading.wait()
        try await clock.sleeping(1)
        switch end {
        case .time: clock.advance(by: .seconds(5))
        case .task: running.cancel()
        case .client: client.cancelAllRequests()
        }
        let error = await #expect(throws: NetworkError.self) { try await running.value }
        if end == .time {
            guard case .urlError(let cause) = error else { throw error ?? .unknown }
            #expect(cause.code == .timedOut && cause.phase == .total && cause.limit == .seconds(5))
            #expect(!cause.requestMayHaveBeenSent)
        } else {
            #expect(error?.isCancelled == true)
        }
        #expect(transport.requestCount == 0)
    }

    @Test(
        "Time spent on the file is deducted from the total timeout; a stream without a total timeout keeps none",
        arguments: [false, true])
    func spent(isPlain: Bool) async throws {
        let clock = TestClock()
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            if !isPlain { $0.retry = RetryPolicy() }
        }
        func call(_ client: APIClient) -> Call<Data> {
            Call(client: client, decoding: .data) { _ in
                var description = CallDescription(method: .put, path: "x")
                description.deferredBody = {
                    clock.advance(by: .seconds(2))
                    return .text("read")
                }
                return description
            }
        }
        try await call(client).void()
        #expect(transport.requests.last?.options?.timeouts.total == .seconds(298))
        _ = try await call(client).stream()
        #expect(transport.requests.last?.options?.timeouts.total == nil)
        let held = client.with { $0.timeouts.total = .seconds(9) }
        _ = try await call(held).stream()
        #expect(transport.requests.last?.options?.timeouts.total == .seconds(7))
    }
}
