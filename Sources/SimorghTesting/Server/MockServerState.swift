// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import Synchronization

/// The state that the connections of a mock server share: the responses and the recorded requests.
package final class MockServerState: Sendable {
    package let registry = StubRegistry(.first)
    package let recorder: RequestRecorder
    package let unmatchedRecorder: RequestRecorder
    package let running = RunningExchanges()
    package let log = ConnectionLog()
    package let configuration: MockServer.Configuration
    private let queue = Mutex(Queue())
    private let connectionFaults = Mutex(Deque<MockServer.ConnectionFault>())
    /// Responds to requests without a rule or a queued response.
    private let routes = Mutex<Router?>(nil)
    private let takenCount = Mutex(0)

    /// A queued response, and the number of responses enqueued before it.
    fileprivate struct Queued: Sendable {
        let number: Int
        let answer: StubResponse
    }

    private struct Queue {
        var answers = Deque<Queued>()
        /// The responses that were reserved but not sent, latest first.
        ///
        /// They come before the others.
        var returned: [Queued] = []
        var count = 0

        mutating func append(_ answer: StubResponse) {
            answers.append(Queued(number: count, answer: answer))
            count += 1
        }

        mutating func popFirst() -> Queued? { returned.popLast() ?? answers.popFirst() }

        /// Returns a response to its position, before those that were enqueued after it.
        mutating func requeue(_ queued: Queued) {
            let index = returned.firstIndex { $0.number < queued.number } ?? returned.endIndex
            returned.insert(queued, at: index)
        }
    }

    package init(_ configuration: MockServer.Configuration) {
        self.configuration = configuration
        recorder = RequestRecorder(capacity: configuration.maximumRecordedRequests)
        unmatchedRecorder = RequestRecorder(capacity: configuration.maximumRecordedRequests)
    }

    package var queued: Int { queue.withLock { $0.answers.count + $0.returned.count } }

    package func enqueue(_ answers: [StubResponse]) {
        queue.withLock { queue in
            for answer in answers { queue.append(answer) }
        }
    }

    fileprivate func requeue(_ queued: Queued) { queue.withLock { $0.requeue(queued) } }

    package func addRoutes(_ router: Router) { routes.withLock { $0 = router } }

    /// Adds faults for the next connections, one for each.
    package func enqueueFaults(_ faults: [MockServer.ConnectionFault]) {
        connectionFaults.withLock { queue in
            for fault in faults { queue.append(fault) }
        }
    }

    package func nextConnectionFault() -> MockServer.ConnectionFault? { connectionFaults.withLock { $0.popFirst() } }

    /// Returns the index of the next request for `takeRequest()`, and increments it.
    package func takeIndex() -> Int {
        takenCount.withLock { takenCount in
            defer { takenCount += 1 }
            return takenCount
        }
    }

    /// Reserves the response of a request, if its head determines it.
    ///
    /// A queued response then belongs to this request.
    package func reserve(_ head: RecordedRequest) -> ReservedResponse {
        if registry.canAnswer(head) {
            return ReservedResponse(self, expectedResponse: registry.expectedResponse(to: head), queuedResponse: nil)
        }
        let queuedResponse = queue.withLock { $0.popFirst() }
        let expectedResponse = queuedResponse?.answer ?? routes.withLock(\.self)?.earlyAnswer(to: head)
        return ReservedResponse(self, expectedResponse: expectedResponse, queuedResponse: queuedResponse)
    }

    /// Returns the response to a request; there always is one.
    ///
    /// - Parameters:
    ///   - request: The request, as far as it has arrived.
    ///   - reservation: The reservation that was made when its head had arrived.
    /// - Returns: The response.
    package func answer(to request: RecordedRequest, reservation: ReservedResponse) async -> StubResponse {
        do {
            let answer = try await registry.answer(to: request)
            reservation.release()
            return answer
        } catch let unmatched as UnmatchedRequestError {
            if let next = reservation.take() ?? queue.withLock({ $0.popFirst()?.answer }) { return next }
            if let routes = routes.withLock(\.self) { return routes.answer(to: request) }
            _ = unmatchedRecorder.record { _ in request }
            return .text("\(unmatched)", status: .internalServerError)
        } catch let error as TransportError {
            return .failure(error)
        } catch {
            return .text("the handler of the mock server failed: \(error)", status: .internalServerError)
        }
    }
}

/// A queued response that is reserved for one request.
///
/// If it is not used, it returns to its original position in the queue.
package final class ReservedResponse: Sendable {
    /// The response that the request will get, from the queue or a rule; `nil` if that is not known yet.
    package let expectedResponse: StubResponse?
    private let state: MockServerState
    private let queuedResponse: Mutex<MockServerState.Queued?>

    fileprivate init(_ state: MockServerState, expectedResponse: StubResponse?, queuedResponse: MockServerState.Queued?)
    {
        self.state = state
        self.expectedResponse = expectedResponse
        self.queuedResponse = Mutex(queuedResponse)
    }

    deinit { release() }

    package func take() -> StubResponse? { queuedResponse.withLock { $0.take() }?.answer }

    package func release() {
        if let queued = queuedResponse.withLock({ $0.take() }) { state.requeue(queued) }
    }
}
