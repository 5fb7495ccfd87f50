// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghURLSession
import Testing

@Suite("SessionStateMachine", .timeLimit(.minutes(5)))
struct SessionStateMachineTests {
    private static func machine(
        _ delivery: TransportOptions.Delivery, canPause: Bool = false, bound: Int = 10, upload: Int64 = 0,
        errorBytes: Int? = nil
    ) -> SessionStateMachine {
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: "a.example", path: "/"))
        request.options.delivery = delivery
        request.options.errorBodyBytes = errorBytes
        request.options.timeouts.head = .seconds(5)
        request.options.timeouts.idle = .seconds(3)
        request.options.timeouts.total = .seconds(20)
        return SessionStateMachine(request, uploadLength: upload, bufferLimit: bound, canPause: canPause)
    }

    /// Returns the actions as text.
    private static func words(_ actions: [SessionStateMachine.Action]) -> [String] {
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

    @Test("A session that can pause is paused above the limit, and resumed at half of it")
    func paused() {
        var machine = Self.machine(.streamed, canPause: true, bound: 10)
        _ = machine.responded(HTTPResponse(status: .ok), length: nil, at: .zero)
        #expect(machine.received(Data(count: 6), at: .zero).isEmpty)
        #expect(Self.words(machine.received(Data(count: 6), at: .zero)) == ["pause"])
        #expect(machine.received(Data(count: 3), at: .zero).isEmpty)
        // While the task is paused, only the total timeout can pass.
        #expect(machine.timeAdvanced(.seconds(19)).actions.isEmpty)
        #expect(Self.words(machine.chunkRequested()) == ["deliver 6"])
        #expect(Self.words(machine.chunkRequested()) == ["deliver 6", "resume"])
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

    @Test("Each phase has a timeout that restarts with progress")
    func limits() {
        var machine = Self.machine(.collected(upTo: 100), upload: 10)
        #expect(machine.timeAdvanced(.seconds(2)).actions.isEmpty)
        machine.sent(5, at: .seconds(2))
        #expect(machine.timeAdvanced(.seconds(4)).actions.isEmpty)
        machine.sent(10, at: .seconds(4))
        #expect(machine.timeAdvanced(.seconds(8)).actions.isEmpty)
        _ = machine.responded(HTTPResponse(status: .ok), length: nil, at: .seconds(8))
        #expect(machine.timeAdvanced(.seconds(10)).actions.isEmpty)
        #expect(Self.words(machine.timeAdvanced(.seconds(11)).actions) == ["fail timedOut body", "cancel"])
        #expect(machine.timeAdvanced(.seconds(12)).wait == nil)
    }

    @Test("The total timeout applies to the whole exchange")
    func total() {
        var machine = Self.machine(.streamed)
        _ = machine.responded(HTTPResponse(status: .ok), length: nil, at: .seconds(1))
        for second in 2..<20 { _ = machine.received(Data(count: 0), at: .seconds(second)) }
        _ = machine.chunkRequested()
        _ = machine.received(Data(count: 1), at: .seconds(19))
        _ = machine.chunkRequested()
        #expect(Self.words(machine.timeAdvanced(.seconds(20)).actions) == ["fail body timedOut total", "cancel"])
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
