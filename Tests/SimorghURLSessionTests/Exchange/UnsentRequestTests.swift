// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import SimorghURLSession
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport that runs the state machine of a session with the events of an Apple platform.
private final class ScriptedSession: Transport {
    private let attempts = Mutex(0)
    private let isRequestStarted: Bool

    init(isRequestStarted: Bool) { self.isRequestStarted = isRequestStarted }

    var count: Int { attempts.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let number = attempts.withLock { count in
            count += 1
            return count
        }
        var machine = SessionStateMachine(request, uploadLength: 1, bufferLimit: 100, capabilities: .apple)
        if number == 1 {
            var snapshot = TransactionSnapshot()
            snapshot.connectStart = 1
            if isRequestStarted { snapshot.requestStart = 2 }
            machine.measured([snapshot])
            _ = machine.completed(URLError(.networkConnectionLost))
            throw machine.error ?? .cancelled(phase: .queue)
        }
        _ = machine.responded(HTTPResponse(status: .ok), length: 0, at: .zero)
        _ = machine.completed(nil)
        return TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(Data()))
    }
}

@Suite("URLSession: requests that were not sent", .timeLimit(.minutes(5)))
struct UnsentRequestTests {
    @Test(
        "A POST whose connection failed before it was sent is retried; one that was sent is not",
        arguments: [false, true])
    func post(isRequestStarted: Bool) async throws {
        let session = ScriptedSession(isRequestStarted: isRequestStarted)
        let client = APIClient.scripted(session) {
            $0.retry = RetryPolicy(maximumRetries: 1)
            $0.retry?.baseDelay = .milliseconds(1)
        }
        let result = await client.call(.post, "orders", body: .text("a")).result()
        switch result {
        case .success: #expect(!isRequestStarted)
        case .failure(let error):
            #expect(isRequestStarted)
            guard case .urlError(let cause) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(cause.code == .networkConnectionLost)
        }
        #expect(session.count == (isRequestStarted ? 1 : 2))
    }
}
