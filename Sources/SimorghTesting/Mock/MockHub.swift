// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Synchronization

/// What the connections of a mock server share: what is answered, and what was seen.
package final class MockHub: Sendable {
    package let book = AnswerBook(.first)
    package let recorder = RequestRecorder()
    package let strangers = RequestRecorder()
    package let running = RunningExchanges()
    package let log: ServerLog
    package let configuration: MockServer.Configuration
    private let queue = Mutex(ItemQueue<StubResponse>())
    private let connectionFaults = Mutex(ItemQueue<MockServer.ConnectionFault>())
    private let taken = Mutex(0)

    package init(_ configuration: MockServer.Configuration) {
        self.configuration = configuration
        log = ServerLog(capacity: 1)
    }

    package var queued: Int { queue.withLock { $0.count } }

    package func enqueue(_ answers: [StubResponse]) {
        queue.withLock { queue in
            for answer in answers { queue.append(answer) }
        }
    }

    package func fail(_ faults: [MockServer.ConnectionFault]) {
        connectionFaults.withLock { queue in
            for fault in faults { queue.append(fault) }
        }
    }

    package func nextConnectionFault() -> MockServer.ConnectionFault? { connectionFaults.withLock { $0.popFirst() } }

    /// How many requests were taken one by one so far, this one with it.
    package func takeIndex() -> Int {
        taken.withLock { taken in
            defer { taken += 1 }
            return taken
        }
    }

    /// The answer that a request is going to get, where that is known from its head; nothing is taken.
    package func foresee(_ head: RecordedRequest) -> StubResponse? {
        if book.isMeant(head) { return book.foresee(head) }
        return queue.withLock { $0.first }
    }

    /// The answer to a request; there always is one.
    package func answer(to request: RecordedRequest) async -> StubResponse {
        do {
            return try await book.answer(to: request)
        } catch let unmatched as UnscriptedRequest {
            if let next = queue.withLock({ $0.popFirst() }) { return next }
            _ = strangers.record { _ in request }
            return .text("\(unmatched)", status: .internalServerError)
        } catch let error as TransportError {
            return .failure(error)
        } catch {
            return .text("the handler of the mock server failed: \(error)", status: .internalServerError)
        }
    }
}
