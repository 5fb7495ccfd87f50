// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import Synchronization

/// The state that the connections of a mock server share: the answers, and the requests that came.
package final class MockHub: Sendable {
    package let book = AnswerBook(.first)
    package let recorder: RequestRecorder
    package let strangers: RequestRecorder
    package let running = RunningExchanges()
    package let log = ConnectionLog()
    package let configuration: MockServer.Configuration
    private let queue = Mutex(Queue())
    private let connectionFaults = Mutex(Deque<MockServer.ConnectionFault>())
    /// Answers requests that no rule and no queued answer is for.
    private let routes = Mutex<Router?>(nil)
    private let taken = Mutex(0)

    /// An answer, and how many were enqueued before it.
    fileprivate struct Queued: Sendable {
        let number: Int
        let answer: StubResponse
    }

    private struct Queue {
        var answers = Deque<Queued>()
        /// Those that were taken and not given, the last first; they come before the others.
        var returned: [Queued] = []
        var count = 0

        mutating func append(_ answer: StubResponse) {
            answers.append(Queued(number: count, answer: answer))
            count += 1
        }

        mutating func popFirst() -> Queued? { returned.popLast() ?? answers.popFirst() }

        /// Puts an answer back in its place: before those that were enqueued after it, whoever gave theirs back first.
        mutating func giveBack(_ queued: Queued) {
            let place = returned.firstIndex { $0.number < queued.number } ?? returned.endIndex
            returned.insert(queued, at: place)
        }
    }

    package init(_ configuration: MockServer.Configuration) {
        self.configuration = configuration
        recorder = RequestRecorder(capacity: configuration.maximumRecordedRequests)
        strangers = RequestRecorder(capacity: configuration.maximumRecordedRequests)
    }

    package var queued: Int { queue.withLock { $0.answers.count + $0.returned.count } }

    package func enqueue(_ answers: [StubResponse]) {
        queue.withLock { queue in
            for answer in answers { queue.append(answer) }
        }
    }

    fileprivate func giveBack(_ queued: Queued) { queue.withLock { $0.giveBack(queued) } }

    package func addRoutes(_ router: Router) { routes.withLock { $0 = router } }

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

    /// The answer that a request is going to get, where that is known from its head; one of the queue is its own from then on.
    package func reserve(_ head: RecordedRequest) -> MockReservation {
        if book.isMeant(head) { return MockReservation(self, foreseen: book.foresee(head), own: nil) }
        let own = queue.withLock { $0.popFirst() }
        let foreseen = own?.answer ?? routes.withLock(\.self)?.earlyAnswer(to: head)
        return MockReservation(self, foreseen: foreseen, own: own)
    }

    /// The answer to a request; there always is one.
    ///
    /// - Parameters:
    ///   - request: The request, as far as it came.
    ///   - reservation: What was foreseen when its head had come.
    /// - Returns: The answer.
    package func answer(to request: RecordedRequest, _ reservation: MockReservation) async -> StubResponse {
        do {
            let answer = try await book.answer(to: request)
            reservation.giveBack()
            return answer
        } catch let unmatched as UnscriptedRequest {
            if let next = reservation.take() ?? queue.withLock({ $0.popFirst()?.answer }) { return next }
            if let routes = routes.withLock(\.self) { return routes.answer(to: request) }
            _ = strangers.record { _ in request }
            return .text("\(unmatched)", status: .internalServerError)
        } catch let error as TransportError {
            return .failure(error)
        } catch {
            return .text("the handler of the mock server failed: \(error)", status: .internalServerError)
        }
    }
}

/// An answer of the queue that one request has from its head on; where it is not given, it is in the queue's front again.
package final class MockReservation: Sendable {
    /// The answer that the request is going to get, of the queue or of a rule; `nil` where that is not known yet.
    package let foreseen: StubResponse?
    private let hub: MockHub
    private let own: Mutex<MockHub.Queued?>

    fileprivate init(_ hub: MockHub, foreseen: StubResponse?, own: MockHub.Queued?) {
        self.hub = hub
        self.foreseen = foreseen
        self.own = Mutex(own)
    }

    deinit { giveBack() }

    package func take() -> StubResponse? { own.withLock { $0.take() }?.answer }

    package func giveBack() {
        if let queued = own.withLock({ $0.take() }) { hub.giveBack(queued) }
    }
}
