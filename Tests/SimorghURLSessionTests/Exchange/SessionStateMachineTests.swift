// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghURLSession
import TestSupport
import Testing

@Suite("SessionStateMachine", .timeLimit(.minutes(5)))
struct SessionStateMachineTests {
    static func machine(
        _ delivery: TransportOptions.Delivery, _ capabilities: SessionCapabilities = .linux, bound: Int = 10,
        upload: Int64? = 0, errorBytes: Int? = nil, change: (inout TransportRequest) -> Void = { _ in }
    ) -> SessionStateMachine {
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: "a.example", path: "/"))
        request.options.delivery = delivery
        request.options.errorBodyBytes = errorBytes
        request.options.timeouts.head = .seconds(5)
        request.options.timeouts.idle = .seconds(3)
        request.options.timeouts.total = .seconds(20)
        change(&request)
        return SessionStateMachine(request, uploadLength: upload, bufferLimit: bound, capabilities: capabilities)
    }

    static var noTimeouts: Timeouts {
        var timeouts = Timeouts()
        (timeouts.head, timeouts.idle, timeouts.total) = (nil, nil, nil)
        return timeouts
    }

    /// Returns the actions as text.
    static func words(_ actions: [SessionStateMachine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .deliverResponse(let head, let body):
                "respond \(head.status.code) \(body.map { "\($0.count)" } ?? "-")"
            case .failResponse(let error): "fail \(error.code) \(error.phase)"
            case .deliverChunk(let chunk): "deliver \(chunk.map { "\($0.count)" } ?? "-")"
            case .failBody(let error): "fail body \(error.code) \(error.phase)"
            case .cancelTask: "cancel"
            case .pauseTask: "pause"
            case .resumeTask: "resume"
            }
        }
    }

    @Test("A failed TLS check is reported instead of the cancellation with which the session ends the task")
    func securityFailed() {
        var machine = Self.machine(.collected(upTo: 10))
        machine.securityFailed(
            TransportError(.serverCertificateUntrusted, phase: .tls, message: "no", requestMayHaveBeenSent: false))
        guard case .failResponse(let error)? = machine.completed(URLError(.cancelled)).first else {
            Issue.record("expected a failure")
            return
        }
        #expect(error.code == .serverCertificateUntrusted)
        #expect(!error.requestMayHaveBeenSent)
    }

    @Test("A collected body is delivered as a whole, at the end")
    func collected() {
        var machine = Self.machine(.collected(upTo: 10))
        #expect(machine.responded(HTTPResponse(status: .ok), length: nil, at: .zero).isEmpty)
        #expect(machine.received(Data(count: 4), at: .zero).isEmpty)
        #expect(machine.received(Data(count: 6), at: .zero).isEmpty)
        #expect(Self.words(machine.completed(nil)) == ["respond 200 10"])
        #expect(machine.isOver)
        #expect(machine.completed(nil).isEmpty)
    }

    @Test("A body above the limit ends the task, by its Content-Length or by its bytes", arguments: [true, false])
    func tooLarge(promised: Bool) {
        var machine = Self.machine(.collected(upTo: 3))
        let promise = Self.words(
            machine.responded(HTTPResponse(status: .ok), length: promised ? 4 : nil, at: .zero))
        let bytes = Self.words(machine.received(Data(count: 4), at: .zero))
        #expect(promise + bytes == ["fail dataLengthExceedsMaximum body", "cancel"])
    }

    @Test("Bytes that arrive before the head are kept")
    func early() {
        var machine = Self.machine(.collected(upTo: 10))
        #expect(machine.received(Data(count: 4), at: .zero).isEmpty)
        _ = machine.responded(HTTPResponse(status: .found), length: nil, at: .zero)
        #expect(Self.words(machine.completed(nil)) == ["respond 302 4"])
    }

    @Test("Collected calls receive an unsuccessful response at its head, with the body as a stream")
    func errorStreams() {
        for status in [302, 401, 404, 503] {
            var machine = Self.machine(.collected(upTo: 3), errorBytes: 10)
            #expect(machine.received(Data(count: 4), at: .zero).isEmpty)
            let head = HTTPResponse(status: .init(code: status))
            #expect(Self.words(machine.responded(head, length: 100, at: .zero)) == ["respond \(status) -"])
            #expect(Self.words(machine.chunkRequested()) == ["deliver 4"])
            #expect(machine.chunkRequested().isEmpty)
            #expect(Self.words(machine.received(Data(count: 7), at: .zero)) == ["deliver 7"])
            #expect(Self.words(machine.bodyReleased()) == ["cancel"])
        }
    }

    @Test("An unsuccessful response without a body is collected")
    func errorWithoutBody() {
        var machine = Self.machine(.collected(upTo: 3), errorBytes: 10)
        #expect(machine.responded(HTTPResponse(status: .notFound), length: 0, at: .zero).isEmpty)
        #expect(Self.words(machine.completed(nil)) == ["respond 404 0"])
    }

    @Test("A success keeps its limit, also for bytes that arrived before its head")
    func earlyTooLarge() {
        var machine = Self.machine(.collected(upTo: 3), errorBytes: 10)
        #expect(machine.received(Data(count: 4), at: .zero).isEmpty)
        #expect(
            Self.words(machine.responded(HTTPResponse(status: .ok), length: nil, at: .zero)) == [
                "fail dataLengthExceedsMaximum body", "cancel",
            ])
    }

    @Test("A reader receives the buffered bytes, then later bytes, then the end")
    func streamed() {
        var machine = Self.machine(.streamed)
        #expect(Self.words(machine.responded(HTTPResponse(status: .ok), length: 9, at: .zero)) == ["respond 200 -"])
        #expect(machine.received(Data(count: 2), at: .zero).isEmpty)
        #expect(Self.words(machine.chunkRequested()) == ["deliver 2"])
        #expect(machine.chunkRequested().isEmpty)
        #expect(Self.words(machine.received(Data(count: 7), at: .zero)) == ["deliver 7"])
        #expect(machine.chunkRequested().isEmpty)
        #expect(Self.words(machine.completed(nil)) == ["deliver -"])
        #expect(Self.words(machine.chunkRequested()) == ["deliver -"])
    }

    @Test("A session that can pause is paused above the limit, and resumed at a quarter of it")
    func paused() {
        var machine = Self.machine(.streamed, .apple, bound: 12)
        _ = machine.responded(HTTPResponse(status: .ok), length: nil, at: .zero)
        #expect(machine.received(Data(count: 6), at: .zero).isEmpty)
        #expect(Self.words(machine.received(Data(count: 7), at: .zero)) == ["pause"])
        #expect(machine.received(Data(count: 3), at: .zero).isEmpty)
        // While the task is paused, only the total timeout can pass.
        #expect(machine.timeAdvanced(.seconds(19)).actions.isEmpty)
        #expect(Self.words(machine.chunkRequested()) == ["deliver 6"])
        #expect(Self.words(machine.chunkRequested()) == ["deliver 7", "resume"])
        // The idle timeout runs again.
        #expect(Self.words(machine.timeAdvanced(.seconds(19)).actions) == ["cancel"])
    }

    @Test("A session that can pause is paused above 256 KiB, even if the caller's limit is larger")
    func pauseMarks() {
        var machine = Self.machine(.streamed, .apple, bound: URLSessionTransport.defaultMaximumBufferedBytes)
        _ = machine.responded(HTTPResponse(status: .ok), length: nil, at: .zero)
        #expect(machine.received(Data(count: 128 * 1024), at: .zero).isEmpty)
        #expect(machine.received(Data(count: 64 * 1024), at: .zero).isEmpty)
        #expect(machine.received(Data(count: 64 * 1024), at: .zero).isEmpty)
        #expect(Self.words(machine.received(Data(count: 1), at: .zero)) == ["pause"])
        #expect(Self.words(machine.chunkRequested()) == ["deliver 131072"])
        #expect(Self.words(machine.chunkRequested()) == ["deliver 65536"])
        #expect(Self.words(machine.chunkRequested()) == ["deliver 65536", "resume"])
    }

    @Test(
        "A session that cannot pause is ended above the limit; the reader receives the buffered bytes, then the error"
    )
    func overrun() {
        var machine = Self.machine(.streamed, bound: 10)
        _ = machine.responded(HTTPResponse(status: .ok), length: nil, at: .zero)
        #expect(Self.words(machine.received(Data(count: 11), at: .zero)) == ["cancel"])
        #expect(Self.words(machine.chunkRequested()) == ["deliver 11"])
        #expect(Self.words(machine.chunkRequested()) == ["fail body resourceUnavailable body"])
    }

    @Test("A cancellation in response to a challenge ends the response normally, and any other cancellation fails it")
    func challenge() {
        var machine = Self.machine(.collected(upTo: 10))
        _ = machine.responded(HTTPResponse(status: .unauthorized), length: nil, at: .zero)
        machine.challengeCancelled()
        #expect(Self.words(machine.completed(URLError(.cancelled))) == ["respond 401 0"])
        var other = Self.machine(.collected(upTo: 10))
        _ = other.responded(HTTPResponse(status: .unauthorized), length: nil, at: .zero)
        #expect(Self.words(other.completed(URLError(.cancelled))) == ["fail cancelled body", "cancel"])
    }

    @Test("Events after the end have no effect")
    func late() {
        var machine = Self.machine(.streamed)
        #expect(Self.words(machine.cancelled()) == ["fail cancelled head", "cancel"])
        #expect(machine.responded(HTTPResponse(status: .ok), length: nil, at: .zero).isEmpty)
        #expect(machine.received(Data(count: 4), at: .zero).isEmpty)
        #expect(machine.completed(nil).isEmpty)
        #expect(machine.cancelled().isEmpty)
        #expect(machine.bodyReleased().isEmpty)
    }

    @Test("A timeout before the head fails after the session has told that the request was not sent")
    func unsentTimeout() {
        var machine = Self.machine(.collected(upTo: 10), .apple)
        let (actions, wait) = machine.timeAdvanced(.seconds(5))
        #expect(Self.words(actions) == ["cancel"])
        #expect(wait == .seconds(1))
        var transaction = TransactionSnapshot()
        transaction.connectStart = 0
        machine.measured([transaction])
        #expect(machine.responded(HTTPResponse(status: .ok), length: nil, at: .seconds(5)).isEmpty)
        #expect(Self.words(machine.completed(URLError(.cancelled))) == ["fail timedOut connect", "cancel"])
        #expect(machine.error?.requestMayHaveBeenSent == false)
        #expect(machine.error?.limit == .seconds(5))
    }

    @Test("A timeout counts as sent if the session tells so, or nothing within a second", arguments: [true, false])
    func sentTimeout(isMeasured: Bool) {
        var machine = Self.machine(.collected(upTo: 10), .apple)
        _ = machine.timeAdvanced(.seconds(5))
        var transaction = TransactionSnapshot()
        transaction.requestStart = 0
        if isMeasured {
            machine.measured([transaction])
            #expect(Self.words(machine.completed(URLError(.cancelled))) == ["fail timedOut head", "cancel"])
        } else {
            #expect(machine.timeAdvanced(.seconds(5.5)).actions.isEmpty)
            #expect(Self.words(machine.timeAdvanced(.seconds(6)).actions) == ["fail timedOut head", "cancel"])
        }
        #expect(machine.error?.requestMayHaveBeenSent == true)
    }

    @Test("A cancellation does not wait for measurements")
    func cancelledAtOnce() {
        var machine = Self.machine(.collected(upTo: 10), .apple)
        #expect(Self.words(machine.cancelled()) == ["fail cancelled head", "cancel"])
        var expired = Self.machine(.collected(upTo: 10), .apple)
        _ = expired.timeAdvanced(.seconds(5))
        #expect(Self.words(expired.cancelled()) == ["fail timedOut head", "cancel"])
    }

    @Test("A request that may wait for the network waits as long as the offline queue allows, then fails as offline")
    func waiting() {
        let offline = TransportError(
            .notConnectedToInternet, phase: .queue, message: "waited", requestMayHaveBeenSent: false)
        func machine() -> SessionStateMachine {
            Self.machine(.collected(upTo: 10), .apple) {
                $0.options.connectivityWait = ConnectivityWait(limit: .seconds(15), timeoutError: offline) {
                    nil
                } onEnd: {
                }
            }
        }
        var waits = machine()
        #expect(waits.waitsForConnectivity(refusal: nil, at: .seconds(1)).isEmpty)
        // Longer than the timeout for the head.
        #expect(waits.timeAdvanced(.seconds(10)).actions.isEmpty)
        _ = waits.responded(HTTPResponse(status: .ok), length: nil, at: .seconds(12))
        #expect(Self.words(waits.completed(nil)) == ["respond 200 0"])
        var tooLong = machine()
        _ = tooLong.waitsForConnectivity(refusal: nil, at: .seconds(1))
        #expect(Self.words(tooLong.timeAdvanced(.seconds(16)).actions) == ["cancel"])
        tooLong.measured([TransactionSnapshot()])
        #expect(Self.words(tooLong.completed(URLError(.cancelled))) == ["fail notConnectedToInternet queue", "cancel"])
        #expect(tooLong.error?.requestMayHaveBeenSent == false)
        var refused = machine()
        #expect(
            Self.words(refused.waitsForConnectivity(refusal: offline, at: .zero)) == [
                "fail notConnectedToInternet queue", "cancel",
            ])
        var cancelled = machine()
        _ = cancelled.waitsForConnectivity(refusal: nil, at: .zero)
        #expect(Self.words(cancelled.cancelled()) == ["fail cancelled connect", "cancel"])
    }

    @Test("While the caller's own session waits for the network, only the total timeout runs")
    func waitingSession() {
        var machine = Self.machine(.collected(upTo: 10), upload: 4)
        #expect(machine.waitsForConnectivity(refusal: nil, at: .zero).isEmpty)
        #expect(machine.timeAdvanced(.seconds(6)).actions.isEmpty)
        var sending = machine
        #expect(machine.timeAdvanced(.seconds(19)).actions.isEmpty)
        #expect(Self.words(machine.timeAdvanced(.seconds(20)).actions) == ["fail timedOut total", "cancel"])
        // Progress ends the wait.
        sending.sent(4, at: .seconds(7))
        #expect(sending.timeAdvanced(.seconds(11)).actions.isEmpty)
        #expect(Self.words(sending.timeAdvanced(.seconds(12)).actions) == ["fail timedOut head", "cancel"])
    }

    @Test("The idle timeout does not apply while the source of a streamed body produces a chunk")
    func slowSource() {
        var machine = Self.machine(.collected(upTo: 10), upload: nil)
        #expect(machine.uploadChanged(.sourceIsAwaited(true), at: .zero).isEmpty)
        #expect(machine.timeAdvanced(.seconds(9)).actions.isEmpty)
        _ = machine.uploadChanged(.sourceIsAwaited(false), at: .seconds(9))
        #expect(machine.timeAdvanced(.seconds(11)).actions.isEmpty)
        machine.sent(5, at: .seconds(11))
        _ = machine.uploadChanged(.ended(5), at: .seconds(11))
        // The whole body is sent: the timeout for the head applies.
        #expect(machine.timeAdvanced(.seconds(15)).actions.isEmpty)
        #expect(Self.words(machine.timeAdvanced(.seconds(16)).actions) == ["fail timedOut head", "cancel"])
    }

    @Test("The session gets a second stream of the body only if the body can be sent again", arguments: [true, false])
    func secondStream(isReplayable: Bool) {
        var machine = Self.machine(.collected(upTo: 10), .apple, upload: nil) {
            let chunks = AsyncThrowingStream<Data, any Error> { $0.finish() }
            $0.body = isReplayable ? .stream { chunks } : .once(chunks)
        }
        #expect(machine.bodyStreamRequested().isAllowed)
        let (isAllowed, actions) = machine.bodyStreamRequested()
        #expect(isAllowed == isReplayable)
        #expect(Self.words(actions) == (isReplayable ? [] : ["fail requestBodyStreamExhausted request", "cancel"]))
    }

    @Test("A body with a coding that the session leaves fails the response, unless it has no body")
    func undecodable() {
        var machine = Self.machine(.collected(upTo: 10))
        #expect(
            Self.words(machine.responded(HTTPResponse(status: .ok), length: 4, decoding: .failed("zstd"), at: .zero))
                == ["fail cannotDecodeContentData head", "cancel"])
        var empty = Self.machine(.collected(upTo: 10))
        #expect(empty.responded(HTTPResponse(status: .ok), length: 0, decoding: .failed("zstd"), at: .zero).isEmpty)
    }

    @Test(
        "Events in any order deliver at most one response or error, and nothing after the end",
        arguments: UInt64(0)..<200)
    func anyOrder(seed: UInt64) {
        var numbers = SeededNumbers(seed)
        var machine = Self.machine(
            numbers.next() % 2 == 0 ? .streamed : .collected(upTo: 8), numbers.next() % 2 == 0 ? .apple : .linux,
            upload: numbers.next() % 2 == 0 ? nil : 4)
        var (results, ends, time) = (0, 0, Duration.zero)
        for _ in 0..<40 {
            time += .milliseconds(Int(numbers.next() % 900))
            let wasOver = machine.isOver
            let actions: [SessionStateMachine.Action]
            let isReading = numbers.next() % 13 == 0
            switch isReading ? 0 : numbers.next() % 9 {
            case 0: actions = machine.error == nil && results > 0 ? machine.chunkRequested() : []
            case 1: actions = machine.responded(HTTPResponse(status: .ok), length: nil, at: time)
            case 2: actions = machine.received(Data(count: Int(numbers.next() % 6)), at: time)
            case 3: actions = machine.completed(numbers.next() % 2 == 0 ? nil : URLError(.timedOut))
            case 4: actions = machine.timeAdvanced(time).actions
            case 5: actions = machine.waitsForConnectivity(refusal: nil, at: time)
            case 6: actions = machine.bodyStreamRequested().actions
            case 7: actions = machine.uploadChanged(.ended(4), at: time)
            default:
                machine.measured([TransactionSnapshot()])
                actions = []
            }
            for word in Self.words(actions) {
                if word.hasPrefix("respond") || word.hasPrefix("fail") && !word.hasPrefix("fail body") { results += 1 }
                if word.hasPrefix("cancel"), wasOver { ends += 1 }
            }
        }
        #expect(results <= 1)
        #expect(ends == 0)
    }

    @Test(
        "SetCookieValues splits joined cookies",
        arguments: [
            ("a=b", ["a=b"]), ("a=b, c=d", ["a=b", "c=d"]), ("a=b,c=d", ["a=b", "c=d"]),
            (
                "a=b; Expires=Wed, 21 Oct 2065 07:28:00 GMT, c=d; Path=/",
                ["a=b; Expires=Wed, 21 Oct 2065 07:28:00 GMT", "c=d; Path=/"]
            ),
            ("a=b, c", ["a=b, c"]), ("", [""]), (",", [","]), ("a=1, =2", ["a=1, =2"]),
        ])
    func cookies(joined: String, values: [String]) {
        #expect(SetCookieValues.split(joined) == values)
    }
}
