// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import SimorghURLSession
import Synchronization
import Testing

/// The driver over a scripted system with real files.
@Suite(.timeLimit(.minutes(5)))
struct BackgroundTransfersTests {
    private func body(_ outcome: BackgroundProcess.Outcome) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: outcome.get().path))
    }

    @Test("A file is moved to the folder of its download before the callback returns, with its head")
    func whole() async throws {
        let fixture = BackgroundFixture()
        let process = fixture.process()
        let order = process.order()
        let progress = Mutex<[Int64?]>([])
        let call = await process.call(order) { count, total in progress.withLock { $0 += [count, total] } }
        let known = BackgroundSessionTask(number: 1, id: order.id, url: order.url)
        fixture.system.add(.progress(known, count: 3, expected: -1))
        fixture.system.complete(1)
        fixture.system.deliverAll()
        let outcome = await call.value
        #expect(try body(outcome) == ScriptedSystem.body(order.url))
        #expect(try outcome.get().status == 200 && outcome.get().fields[.server] == "x")
        #expect(progress.withLock { $0 } == [3, nil])
        #expect(process.files(of: order.id) == [".fetched", ".fetched.json"])
        process.transfers.settle(order.id)
        process.transfers.flush()
        #expect(process.files(of: order.id).isEmpty && fixture.system.files.isEmpty && process.transfers.isIdle)
    }

    @Test("The bytes that a task had before its call are reported at once", arguments: [true, false])
    func bytesSoFar(isListedLate: Bool) async throws {
        let fixture = BackgroundFixture()
        let first = fixture.process()
        let order = first.order()
        let number = fixture.system.add(order, state: .running, count: 7)
        fixture.system.kill()
        fixture.system.holdsLists.withLock { $0 = isListedLate }
        let process = fixture.process()
        let progress = Mutex<[Int64?]>([])
        let call = await process.call(order) { count, total in progress.withLock { $0 += [count, total] } }
        if isListedLate {
            #expect(progress.withLock { $0.isEmpty })
            fixture.system.answerList()
            process.transfers.flush()
        }
        #expect(progress.withLock { $0 } == [7, nil])
        fixture.system.complete(number)
        fixture.system.deliverAll()
        #expect(try body(await call.value) == ScriptedSystem.body(order.url))
        #expect(progress.withLock { $0 } == [7, nil] && fixture.system.started.isEmpty)
        process.transfers.settle(order.id)
        process.transfers.flush()
        #expect(process.transfers.isIdle)
    }

    @Test("A process that dies after the callbacks and before any call finds the file at the next start")
    func deathBeforeCall() async throws {
        let fixture = BackgroundFixture()
        let first = fixture.process()
        let order = first.order()
        let lost = await first.call(order)
        first.system.kill()
        lost.cancel()
        #expect(await lost.value == .failure(.cancelled))
        fixture.system.complete(1)
        let second = fixture.process()
        fixture.system.deliverAll()
        fixture.system.kill()
        let third = fixture.process()
        let outcome = await third.call(order).value
        #expect(try body(outcome) == ScriptedSystem.body(order.url))
        #expect(fixture.system.started == [1])
        withExtendedLifetime(second) {}
    }

    @Test("A running task of an earlier process is joined; a suspended one is resumed; a completed one is awaited")
    func joined() async throws {
        for state in [BackgroundSessionTask.State.running, .suspended, .completed] {
            let fixture = BackgroundFixture()
            let order = BackgroundOrder(id: UUID(), url: "https://a.test/file")
            let number = fixture.system.add(order, state: state)
            let process = fixture.process()
            _ = process.order(id: order.id)
            let call = await process.call(order)
            #expect(fixture.system.started.isEmpty)
            #expect(fixture.system.resumed == (state == .suspended ? [number] : []))
            if state == .completed {
                // The callback of the earlier task is still to come.
                let path = fixture.system.folder.appendingPathComponent("file").path
                try Data("late".utf8).write(to: URL(fileURLWithPath: path))
                let known = BackgroundSessionTask(number: number, id: order.id, url: order.url)
                fixture.system.add(
                    .file(known, BackgroundResponse(url: order.url, status: 200, fields: [:]), path: path))
                fixture.system.add(.ended(known, nil, nil))
            } else {
                fixture.system.complete(number)
            }
            fixture.system.deliverAll()
            _ = try await call.value.get()
        }
    }

    @Test("A completed task whose callback stays away is replaced after a while")
    func awaitedInVain() async throws {
        let fixture = BackgroundFixture()
        let order = BackgroundOrder(id: UUID(), url: "https://a.test/file")
        _ = fixture.system.add(order, state: .completed)
        let process = fixture.process()
        _ = process.order(id: order.id)
        let call = await process.call(order)
        #expect(fixture.system.started.isEmpty)
        process.fireTimers()
        #expect(fixture.system.started == [2])
        fixture.system.complete(2)
        fixture.system.deliverAll()
        _ = try await call.value.get()
    }

    @Test(
        "Resume right after pause waits for the resume data, in either order of the callbacks",
        arguments: [true, false])
    func pauseAndResume(isCallbackFirst: Bool) async throws {
        let fixture = BackgroundFixture()
        let process = fixture.process()
        let order = process.order()
        let first = await process.call(order)
        first.cancel()
        #expect(await first.value == .failure(.cancelled))
        let second = await process.call(order)
        #expect(fixture.system.started == [1])
        fixture.system.finishStopping(1, isCallbackFirst: isCallbackFirst)
        process.transfers.flush()
        #expect(fixture.system.started == [1, 2] && fixture.system.task(2)?.isResumed == true)
        #expect(process.files(of: order.id).isEmpty)
        fixture.system.complete(2)
        fixture.system.deliverAll()
        _ = try await second.value.get()
    }

    @Test("Resume data survive the process; changed rules and header fields drop them")
    func resumeData() async throws {
        let changes: [(Bool, @Sendable (inout BackgroundOrder) -> Void)] = [
            (true, { _ in }),
            (true, { $0.headers["Authorization"] = nil }),
            (false, { $0.headers["Authorization"] = "Bearer new" }),
            (false, { $0.headers["Accept"] = "text/plain" }),
            (false, { $0.allowsCellularAccess = false }),
            (false, { $0.url = "https://a.test/other" }),
        ]
        for (isUsed, change) in changes {
            let fixture = BackgroundFixture()
            let first = fixture.process()
            var order = first.order()
            order.headers = ["Authorization": "Bearer old", "Accept": "*/*"]
            let call = await first.call(order)
            call.cancel()
            _ = await call.value
            // The call ends before its task is stopped.
            first.transfers.flush()
            fixture.system.finishStopping(1)
            first.transfers.flush()
            #expect(first.files(of: order.id) == [".resume"])
            fixture.system.kill()
            let second = fixture.process()
            change(&order)
            let next = await second.call(order)
            #expect(fixture.system.task(2)?.isResumed == isUsed)
            #expect(second.files(of: order.id).isEmpty)
            next.cancel()
            _ = await next.value
        }
    }

    @Test("A running task with other network rules is replaced, and its late file is not used")
    func replaced() async throws {
        let fixture = BackgroundFixture()
        var order = BackgroundOrder(id: UUID(), url: "https://a.test/file")
        let old = fixture.system.add(order, state: .running)
        let process = fixture.process()
        _ = process.order(id: order.id)
        fixture.system.complete(old)
        order.allowsExpensiveNetworkAccess = false
        let call = await process.call(order)
        #expect(fixture.system.started == [2])
        fixture.system.deliverAll()
        #expect(process.files(of: order.id).isEmpty && fixture.system.files.isEmpty)
        fixture.system.complete(2)
        fixture.system.deliverAll()
        _ = try await call.value.get()
    }

    @Test("A force quit pauses the next call of a restored transfer, once")
    func forceQuit() async throws {
        let fixture = BackgroundFixture()
        var order = BackgroundOrder(id: UUID(), url: "https://a.test/file")
        order.isRestored = true
        let number = fixture.system.add(order, state: .running)
        fixture.system.fail(number, code: -999, cancellation: 0, resumeData: Data([1]))
        let process = fixture.process()
        _ = process.order(id: order.id)
        fixture.system.deliverAll()
        #expect(await process.call(order).value == .failure(.closedByUser))
        let next = await process.call(order)
        #expect(fixture.system.task(2)?.isResumed == true)
        next.cancel()
        _ = await next.value
    }

    @Test("After a force quit, one request of the user continues the transfer", arguments: [true, false])
    func resumedAfterForceQuit(isDeliveredFirst: Bool) async throws {
        let fixture = BackgroundFixture()
        let order = BackgroundOrder(id: UUID(), url: "https://a.test/file")
        let number = fixture.system.add(order, state: .running)
        fixture.system.fail(number, code: -999, cancellation: 0, resumeData: Data([1]))
        let process = fixture.process()
        _ = process.order(id: order.id)
        if isDeliveredFirst { fixture.system.deliverAll() }
        let call = await process.call(order)
        fixture.system.deliverAll()
        process.transfers.flush()
        #expect(fixture.system.task(2)?.isResumed == true)
        fixture.system.complete(2)
        fixture.system.deliverAll()
        _ = try await call.value.get()
    }

    @Test("Callbacks without a response end the call: no HTTP response, no file, an invalid session")
    func endings() async throws {
        let fixture = BackgroundFixture()
        let process = fixture.process()
        let order = process.order()
        let first = await process.call(order)
        fixture.system.complete(1, isHTTP: false)
        fixture.system.deliverAll()
        #expect(await first.value == .failure(.notHTTP))
        let second = await process.call(order)
        fixture.system.complete(2, sendsFile: false)
        fixture.system.deliverAll()
        #expect(await second.value == .failure(.noResponse))
        let third = await process.call(order)
        fixture.system.fail(3, code: -1005)
        fixture.system.deliverAll()
        #expect(await third.value == .failure(.system(code: -1005, message: "failed")))
        let fourth = await process.call(order)
        fixture.system.add(.invalidated)
        fixture.system.deliverAll()
        #expect(await fourth.value == .failure(.invalidated))
        #expect(await process.call(order).value == .failure(.invalidated))
        #expect(process.transfers.isInvalid)
    }

    @Test("A second user of an identifier shares the session and takes over the calls")
    func shared() async throws {
        let fixture = BackgroundFixture()
        let name = UUID().uuidString
        let system = fixture.system
        func named(_ tls: TLSOptions = TLSOptions()) throws(TransportError) -> BackgroundTransfers {
            try BackgroundTransfers.named(name, tls: tls) { system.session($1, $2) }
        }
        let first = try named()
        #expect(try first === named())
        var other = TLSOptions()
        other.maximumVersion = .tls12
        let refused = other
        let error = #expect(throws: TransportError.self) { try named(refused).check(refused) }
        #expect(try first === named(refused))
        #expect((error?.underlying as? UnsupportedByURLSessionError)?.option == "tls")
        #expect(error?.message.contains(name) == true)
        first.flush()
        fixture.system.add(.invalidated)
        fixture.system.deliverAll()
        let next = try named(refused)
        #expect(next !== first && next.trust.options == refused)
        let process = fixture.process()
        let order = process.order()
        let old = await process.call(order)
        let new = Task { try await process.transfers.transfer(order) { _, _ in } }
        #expect(await old.value == .failure(.cancelled))
        fixture.system.complete(1)
        fixture.system.deliverAll()
        _ = try await new.value
        #expect(fixture.system.started == [1])
    }

    @Test("No session is made with TLS options of which a file cannot be read")
    func unreadable() {
        var options = TLSOptions()
        options.trust = .only([.file("/nowhere")])
        let unreadable = options
        #expect(throws: TransportError.self) {
            _ = try BackgroundTransfers.named(UUID().uuidString, tls: unreadable) { trust, queue, events in
                Issue.record("a session was made")
                return BackgroundFixture().system.session(queue, events)
            }
        }
    }

    @Test("A delivery is told once, after its files are settled, or after a while")
    func delivery() async throws {
        let fixture = BackgroundFixture()
        let process = fixture.process()
        let order = process.order()
        let call = await process.call(order)
        fixture.system.complete(1)
        fixture.system.add(.delivered)
        fixture.system.deliverAll()
        _ = try await call.value.get()
        #expect(process.told.withLock { $0 } == 0)
        process.transfers.settle(order.id)
        process.transfers.flush()
        #expect(process.told.withLock { $0 } == 1)
        process.fireTimers()
        #expect(process.told.withLock { $0 } == 1)
        fixture.system.add(.delivered)
        fixture.system.deliverAll()
        #expect(process.told.withLock { $0 } == 2)
        _ = await process.call(order)
        fixture.system.complete(2)
        fixture.system.add(.delivered)
        fixture.system.deliverAll()
        process.fireTimers()
        #expect(process.told.withLock { $0 } == 3)
    }

    @Test("A discarded transfer leaves no file and no task")
    func discarded() async throws {
        let fixture = BackgroundFixture()
        let order = BackgroundOrder(id: UUID(), url: "https://a.test/file")
        _ = fixture.system.add(order, state: .running)
        let process = fixture.process()
        _ = process.order(id: order.id)
        fixture.system.complete(1)
        process.transfers.discard(order.id)
        process.transfers.flush()
        fixture.system.deliverAll()
        #expect(process.files(of: order.id).isEmpty && fixture.system.files.isEmpty)
        #expect(process.transfers.isIdle && fixture.system.all.isEmpty)
    }

    @Test("Errors of the system get the codes of the transport")
    func codes() {
        func code(_ number: Int, cancellation: Int? = nil) -> TransportError.Code {
            BackgroundTransferError(
                BackgroundSessionFailure(code: number, cancellation: cancellation, message: "x")
            ).transportError.code
        }
        #expect(code(-995) == .resourceUnavailable && code(-996) == .resourceUnavailable)
        #expect(code(-997) == .networkConnectionLost)
        #expect(code(-1018) == .notConnectedToInternet && code(-1020) == .notConnectedToInternet)
        #expect(code(-999) == .cancelled && code(-999, cancellation: 0) == .cancelled)
        #expect(code(-999, cancellation: 1) == .networkConnectionLost)
        #expect(code(-1001) == .timedOut && code(-4711) == .networkConnectionLost)
    }
}
