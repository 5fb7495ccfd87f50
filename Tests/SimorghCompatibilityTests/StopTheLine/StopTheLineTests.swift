// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct StopTheLineTests {
    struct Broken: Error {}

    /// The time at which the responses of the other requests arrive that were in flight when the line was stopped.
    enum Timing: CaseIterable, Sendable { case together, whileActing, afterActing }

    @Test("SMA5: `retry` repeats a request until its response is accepted", arguments: [0, 1, 4, 10])
    func retries(bad: Int) async throws {
        let answers = Counter()
        let transport = StubServer { _ in answers.next() > bad ? .text("good") : .text("bad") }
        let client = APIClient.scripted(transport) {
            $0.stopTheLine = Line {
                $0.body.collectedBytes == Data("good".utf8) ? .passOver : .retry
            } act: { _, _ in
                .useOriginal
            }
        }
        #expect(try await client.call(.get, "x").data() == Data("good".utf8))
        #expect(transport.requestCount == bad + 1)
    }

    @Test("SMA5: `retry` ends at maximumStopTheLineRepeats with StopTheLineExhaustedError", arguments: [0, 3])
    func cap(limit: Int) async throws {
        let transport = StubServer { _ in .text("bad") }
        let client = APIClient.scripted(transport) {
            $0.maximumStopTheLineRepeats = limit
            $0.stopTheLine = Line { _ in
                .retry
            } act: { _, _ in
                .retry
            }
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(
            error?.underlyingError as? StopTheLineExhaustedError
                == StopTheLineExhaustedError(repeats: limit, statusCode: 200))
        #expect(transport.requestCount == limit + 1)
    }

    @Test("An action that always returns `retry` ends at the limit as well")
    func actionCap() async throws {
        let actions = Counter()
        let transport = StubServer { _ in .status(.unauthorized) }
        let client = APIClient.scripted(transport) {
            $0.stopTheLine = Line { _, _ in
                actions.next()
                return .retry
            }
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(transport.requestCount == 11)
        #expect(actions.count == 11)
    }

    @Test("SMA6: passOver returns the new response, useOriginal the old one, and retry sends the request again")
    func results() async throws {
        func answer(_ result: StopTheLineResult) async throws -> (String, Int) {
            let transport = StubServer(inOrder: [.text("old", status: .unauthorized), .text("again")])
            let client = APIClient.scripted(transport) {
                $0.validation.statusCodes = StatusCodeSet(200..<500)
                $0.stopTheLine = Line { _, _ in result }
                $0.time = TestClock(movesItself: true).timeSource
                $0.timeouts.total = nil
            }
            let data = try await client.call(.get, "x").data()
            return (String(decoding: data, as: UTF8.self), transport.requestCount)
        }
        let new = TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(Data("new".utf8)))
        #expect(try await answer(.passOver(new)) == ("new", 1))
        #expect(try await answer(.useOriginal) == ("old", 1))
        #expect(try await answer(.retry) == ("again", 2))
        for delay in [0, 2.5, -1, .nan, .infinity] {
            #expect(try await answer(.retryWithDelay(delay)) == ("again", 2))
        }
    }

    @Test("A retry delay beyond the call's deadline fails at once")
    func longDelay() async throws {
        let transport = StubServer { _ in .status(.unauthorized) }
        let client = APIClient.scripted(transport) {
            $0.time = TestClock().timeSource
            $0.timeouts.total = .seconds(10)
            $0.stopTheLine = Line { _, _ in .retryWithDelay(11) }
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        guard case .urlError(let failure) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(failure.code == .timedOut)
        #expect(transport.requestCount == 1)
    }

    @Test("SMA7: a call with shouldIgnoreStopTheLine is neither evaluated nor held back")
    func ignoring() async throws {
        let acting = Gate()
        let mended = Gate()
        let judged = Counter()
        let transport = StubServer { request in .status(request.path == "/free" ? .forbidden : .unauthorized) }
        let client = APIClient.scripted(transport) {
            $0.stopTheLine = Line { response in
                judged.next()
                return response.head.status == .unauthorized ? .stopTheLine : .passOver
            } act: { _, _ in
                acting.open()
                try await mended.wait()
                return .useOriginal
            }
        }
        let held = Task { try? await client.call(.get, "held").data() }
        try await acting.wait()
        let error = await #expect(throws: NetworkError.self) {
            try await client.call(.get, "free").with { $0.shouldIgnoreStopTheLine = true }.data()
        }
        #expect(error?.statusCode == 403)
        #expect(judged.count == 1)
        mended.open()
        _ = await held.value
    }

    @Test(
        "SMA8: of 20 calls refused at once or one after the other one runs the action, and each is resent once",
        arguments: Timing.allCases)
    func singleFlight(timing: Timing) async throws {
        let count = 20
        let repair = RepairableFault()
        let actions = Counter()
        let (arrived, acting) = (Gate(), Gate())
        let late = Gate()
        let arrivals = Counter()
        let transport = StubServer { request in
            guard !repair.isDone else { return .text(request.path) }
            if arrivals.next() == count { arrived.open() }
            // The first is answered at once; the others together with it, while the action runs, or after the action.
            try await (request.path == "/0" || timing == .together ? arrived : late).wait()
            return .status(.unauthorized)
        }
        let client = APIClient.scripted(transport) {
            $0.stopTheLine = Line { _, _ in
                actions.next()
                acting.open()
                if timing != .afterActing { try await late.wait() }
                repair.repair()
                return .retry
            }
        }
        let calls = (0..<count).map { index in Task { try await client.call(.get, "\(index)").data() } }
        try await acting.wait()
        if timing == .afterActing { _ = try await calls[0].value }
        late.open()
        for (index, call) in calls.enumerated() {
            #expect(try await call.value == Data("/\(index)".utf8))
        }
        #expect(actions.count == 1)
        #expect(transport.requestCount == 2 * count)
        for index in 0..<count { #expect(transport.requests.count { $0.path == "/\(index)" } == 2) }
    }

    @Test("SMA9: while the line is stopped other calls wait unsent, and complete after it reopens")
    func waiting() async throws {
        let (acting, mended) = (Gate(), Gate())
        let repair = RepairableFault()
        let transport = StubServer { _ in repair.isDone ? .status(.ok) : .status(.unauthorized) }
        let clock = TestClock()
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.stopTheLine = Line { _, _ in
                acting.open()
                try await mended.wait()
                repair.repair()
                return .retry
            }
        }
        let first = Task { try await client.call(.get, "first").void() }
        try await acting.wait()
        let others = (0..<10).map { index in Task { try await client.call(.get, "other/\(index)").void() } }
        // Each call waits with a timer for its deadline.
        try await clock.sleeping(11)
        #expect(transport.requestCount == 1)
        mended.open()
        try await first.value
        for other in others { try await other.value }
        #expect(transport.requestCount == 12)
    }

    @Test("A call that waits for the line times out at its own deadline, and the action continues")
    func deadline() async throws {
        let (acting, mended) = (Gate(), Gate())
        let repair = RepairableFault()
        let transport = StubServer { _ in repair.isDone ? .status(.ok) : .status(.unauthorized) }
        let clock = TestClock()
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.timeouts.total = .seconds(60)
            $0.stopTheLine = Line { _, _ in
                acting.open()
                try await mended.wait()
                repair.repair()
                return .retry
            }
        }
        let first = Task { try await client.call(.get, "first").void() }
        try await acting.wait()
        let hasty = Task {
            await #expect(throws: NetworkError.self) {
                try await client.call(.get, "hasty").with { $0.timeouts.total = .seconds(5) }.void()
            }
        }
        try await clock.sleeping(2)
        clock.advance(by: .seconds(6))
        guard case .urlError(let error) = try #require(await hasty.value) else {
            Issue.record("no timeout")
            return
        }
        #expect(error.code == .timedOut)
        #expect(error.phase == .total)
        #expect(transport.requestCount == 1)
        mended.open()
        try await first.value
    }

    @Test("Cancelling the call that started the action leaves the action running for the others")
    func cancelledStarter() async throws {
        let (acting, mended) = (Gate(), Gate())
        let repair = RepairableFault()
        let actions = Counter()
        let clock = TestClock()
        let transport = StubServer { _ in repair.isDone ? .status(.ok) : .status(.unauthorized) }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.stopTheLine = Line { _, _ in
                actions.next()
                acting.open()
                try await mended.wait()
                repair.repair()
                return .retry
            }
        }
        let starter = Task { await #expect(throws: NetworkError.self) { try await client.call(.get, "1").void() } }
        try await acting.wait()
        let other = Task { try await client.call(.get, "2").void() }
        try await clock.sleeping(2)
        starter.cancel()
        #expect(try #require(await starter.value).isCancelled)
        mended.open()
        try await other.value
        #expect(actions.count == 1)
    }

    @Test("An action without waiting calls is cancelled, and the next refused response starts another")
    func abandoned() async throws {
        let (acting, cancelled) = (Gate(), Gate())
        let actions = Counter()
        let transport = StubServer { _ in .status(.unauthorized) }
        let client = APIClient.scripted(transport) {
            $0.validation.statusCodes = StatusCodeSet(200..<500)
            $0.stopTheLine = Line { _, _ in
                guard actions.next() == 1 else { return .useOriginal }
                acting.open()
                do { try await Gate().wait() } catch { cancelled.open() }
                return .useOriginal
            }
        }
        let only = Task { await #expect(throws: NetworkError.self) { try await client.call(.get, "1").void() } }
        try await acting.wait()
        only.cancel()
        _ = await only.value
        try await cancelled.wait()
        try await client.call(.get, "2").void()
        #expect(actions.count == 2)
    }

    @Test("The action's own calls bypass the line, with the given client and with the original one")
    func ownCalls() async throws {
        let transport = StubServer { request in
            request.path == "/sign-in" || request.header(.cookie) == "in" ? .text("in") : .status(.unauthorized)
        }
        let gate = Gate()
        let clients = AsyncStream<APIClient>.makeStream()
        let client = APIClient.scripted(transport) {
            $0.stopTheLine = Line { given, _ in
                _ = try await given.call(.get, "sign-in").data()
                for await own in clients.stream { _ = try await own.call(.get, "sign-in").data() }
                gate.open()
                return .useOriginal
            }
            $0.validation.statusCodes = StatusCodeSet(200..<500)
        }
        clients.continuation.yield(client)
        clients.continuation.finish()
        try await client.call(.get, "x").void()
        #expect(gate.isOpen)
        #expect(transport.requestCount == 3)
    }

    @Test("An error thrown by the action is thrown by every refused call; calls that only waited continue")
    func failure() async throws {
        let (acting, failing) = (Gate(), Gate())
        let clock = TestClock()
        let transport = StubServer { request in
            request.path == "/waiting" ? .status(.ok) : .status(.unauthorized)
        }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.stopTheLine = Line { _, _ in
                acting.open()
                try await failing.wait()
                throw Broken()
            }
        }
        let refused = Task { await #expect(throws: NetworkError.self) { try await client.call(.get, "1").void() } }
        try await acting.wait()
        let waiting = Task { try await client.call(.get, "waiting").void() }
        try await clock.sleeping(2)
        failing.open()
        #expect(await refused.value?.underlyingError is Broken)
        try await waiting.value
    }
}
