// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct WirePlanTests {
    private static func plan(_ answer: StubResponse, _ method: HTTPRequest.Method = .get) -> String {
        WirePlan(answer, method: method).steps.map { step in
            switch step {
            case .wait(let duration): "wait \(duration / .milliseconds(1))"
            case .gate: "gate"
            case .interim(let response): "\(response.status.code)"
            case .head(let response, let length): "head \(response.status.code) \(length.map { "\($0)" } ?? "open")"
            case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
            case .end(let fields): fields.isEmpty ? "end" : "end with \(fields.count)"
            case .fault(let fault): "\(fault)"
            case .fail: "fail"
            case .webSocket: "webSocket"
            }
        }.joined(separator: ", ")
    }

    private static let text = StubResponse.text("abcdef")
    private static let slow = WireFault.slow(bytesPerSecond: 2)

    @Test(
        "A stubbed response becomes a sequence of steps",
        arguments: [
            (text, "head 200 6, abcdef, end"),
            (.status(.noContent), "head 204 open, end"),
            (.status(.ok), "head 200 0, end"),
            (
                text.delayed(head: .seconds(1), body: .seconds(2), end: .seconds(3)),
                "wait 1000.0, head 200 open, wait 2000.0, abcdef, wait 3000.0, end"
            ),
            (text.throttled(to: 4, every: .milliseconds(10)), "head 200 6, abcd, wait 10.0, ef, end"),
            (
                text.throttled(to: 2, every: .milliseconds(10)).fault(.goAway(0), at: .responseBody),
                "head 200 6, ab, wait 10.0, c, goAway(0), wait 10.0, de, wait 10.0, f, end"
            ),
            (
                text.header(.contentLength, value: "6").delayed(end: .seconds(3)),
                "head 200 6, abcdef, wait 3000.0, end"
            ),
            (text.interim(.earlyHints).interim(102), "103, 102, head 200 6, abcdef, end"),
            (text.trailers([.eTag: "x"]), "head 200 open, abcdef, end with 1"),
            (text.header(.contentLength, value: "9"), "head 200 9, abcdef, end"),
            (text.held(by: Gate()), "gate, head 200 6, abcdef, end"),
            (
                .chunks([.bytes(Data("a".utf8)), .wait(Gate()), .bytes(Data("b".utf8))]),
                "head 200 open, a, gate, b, end"
            ),
            (.chunks([.bytes(Data("a".utf8)), .fail(.cancelled(phase: .body))]), "head 200 open, a, fail"),
            (.failure(.cancelled(phase: .head)), "fail"),
            (text.fault(.close), "close"),
            (text.fault(.reset, at: .requestHead), "reset"),
            (text.fault(.stall, at: .responseBody), "head 200 6, abc, stall"),
            (text.fault(.garbage, at: .responseEnd), "head 200 6, abcdef, end, garbage"),
            (StubResponse.status(.ok).fault(.truncate, at: .responseBody), "head 200 0, truncate"),
            (text.fault(.goAway(0), at: .responseBody), "head 200 6, abc, goAway(0), def, end"),
            (text.trailers([.eTag: "x"]).delayed(end: .seconds(3)), "head 200 open, abcdef, wait 3000.0, end with 1"),
            (text.fault(slow, at: .requestHead), "head 200 6, abcdef, end"),
            (text.fault(slow, at: .requestBody), "head 200 6, abcdef, end"),
            (
                StubResponse(body: Data("abc".utf8)).fault(slow),
                "wait 9500.0, head 200 3, a, wait 500.0, b, wait 500.0, c, end"
            ),
            (
                text.fault(slow, at: .responseBody),
                "head 200 6, abc, wait 500.0, d, wait 500.0, e, wait 500.0, f, end"
            ),
            // "ETag: x" and CRLF.
            (
                text.trailers([.eTag: "x"]).fault(slow, at: .responseEnd),
                "head 200 open, abcdef, wait 4500.0, end with 1"
            ),
            (text.fault(slow, at: .responseEnd), "head 200 6, abcdef, end"),
            (StubResponse.status(.ok).fault(slow, at: .responseBody), "head 200 0, end"),
            (
                text.fault(.slow(bytesPerSecond: 30), at: .responseBody),
                "head 200 6, abc, wait 100.0, def, end"
            ),
            (.webSocket { _ in }, "webSocket"),
        ])
    func plans(answer: StubResponse, plan: String) { #expect(Self.plan(answer) == plan) }

    @Test("A body with too many pieces is sent in larger pieces, at the same rate")
    func largerPieces() {
        let answer = StubResponse(body: Data(count: 250_000)).throttled(to: 1)
        var (pieces, time) = (0, Duration.zero)
        for step in WirePlan(answer, method: .get).steps {
            switch step {
            case .bytes: pieces += 1
            case .wait(let duration): time += duration
            default: break
            }
        }
        #expect(pieces <= WirePlan.maximumPieces)
        // There is no wait after the last piece.
        #expect(time == .seconds(249_999))
    }

    @Test("A response to HEAD has a length and no body")
    func head() { #expect(Self.plan(Self.text, .head) == "head 200 6, end") }

    @Test("ServerSentEvent data is split only at line ends of the event stream format")
    func eventLines() {
        let event = ServerSentEvent(data: "a\r\nb\rc\u{2028}d\u{85}e")
        #expect(StubResponse.text(of: event) == "data: a\ndata: b\ndata: c\u{2028}d\u{85}e\n\n")
    }

    @Test("In memory a fault is the error of a real transport, and a stall lasts until the call is cancelled")
    func memory() async throws {
        for (fault, point, code) in [
            (WireFault.close, WireFault.Point.responseHead, TransportError.Code.networkConnectionLost),
            (.reset, .responseBody, .networkConnectionLost), (.garbage, .responseHead, .badServerResponse),
            (.truncate, .responseBody, .networkConnectionLost),
            (.resetStream(7), .responseHead, .networkConnectionLost),
        ] {
            let transport = StubServer(precedence: .first)
            transport.on(.get, path: "/", response: Self.text.fault(fault, at: point))
            let error = await wireFailure { try await transport.ask(.get, "http://api.test/") }
            #expect(error?.code == code, "\(fault) at \(point)")
            #expect(error?.phase == (point == .responseBody ? .body : .head))
            #expect(error?.requestMayHaveBeenSent == (fault != .resetStream(7)))
            #expect(transport.leftovers.isEmpty)
        }
        let transport = StubServer(precedence: .first)
        transport.on(.get, path: "/", response: Self.text.fault(.stall))
        let call = Task { try await transport.ask(.get, "http://api.test/") }
        _ = try await transport.request(at: 0)
        #expect(transport.leftovers == ["exchange 1: GET http://api.test/"])
        call.cancel()
        #expect(await wireFailure { try await call.value }?.code == .cancelled)
        #expect(transport.leftovers.isEmpty)
    }
}
