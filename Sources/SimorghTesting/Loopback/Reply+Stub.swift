// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore

extension Reply {
    /// The answer of a user's route.
    ///
    /// Its framing is ours to choose, unless it promises a length.
    package init(_ stub: StubResponse) {
        guard stub.wire.interim.isEmpty, stub.wire.trailers.isEmpty, !stub.wire.isEarly else {
            self = .error(
                500, "a loopback server sends no interim responses, trailers or early answers: use a MockServer")
            return
        }
        if case .webSocket = stub.content {
            self = .error(426, "this path speaks WebSocket", [("Upgrade", "websocket")])
            return
        }
        var delay = Duration.zero
        var head: HTTPResponse?
        var steps: [Step] = []
        var whole: ByteBuffer? = ByteBuffer()
        // The gate before the head has been waited for.
        for step in WirePlan(stub, method: .get).steps {
            switch step {
            case .wait(let duration) where head == nil: delay = duration
            case .gate where head == nil: continue
            case .head(let response, _): head = response
            case .bytes(let data):
                let bytes = ByteBuffer(bytes: data)
                whole?.writeImmutableBuffer(bytes)
                steps.append(.bytes(bytes))
            case .wait(let duration): (whole, steps) = (nil, steps + [.wait(duration)])
            case .gate(let gate): (whole, steps) = (nil, steps + [.gate(gate)])
            case .fail: (whole, steps) = (nil, steps + [.close])
            case .fault(let fault): (whole, steps) = (nil, steps + Self.steps(of: fault))
            case .interim, .end, .webSocket: continue
            }
        }
        guard let head else {
            self = .wire(Steps((delay > .zero ? [.wait(delay)] : []) + steps))
            return
        }
        let promised = head.headerFields[.contentLength].flatMap { Int($0) }
        let fields = head.headerFields.filter { $0.name != .contentLength }.map {
            (name: $0.name.rawName, value: $0.value)
        }
        let body: Body =
            if let whole, promised == nil || promised == whole.readableBytes {
                .bytes(whole)
            } else {
                .steps(length: promised, Steps(steps))
            }
        var message = Message(head.status.code, fields, body)
        message.delay = delay
        // Fewer or more bytes than promised leave a connection that nobody can read on.
        message.closes = whole != nil && promised != nil && promised != whole?.readableBytes
        self = .message(message)
    }

    /// A fault as far as HTTP/1.1 has it.
    private static func steps(of fault: WireFault) -> [Step] {
        switch fault {
        case .reset, .resetStream: [.reset]
        case .stall: [.stall]
        case .garbage: [.bytes(ByteBuffer(bytes: SeededBytes(seed: 7, count: 256).chunk(at: 0, upTo: 256))), .close]
        case .close, .truncate, .goAway: [.close]
        case .slow: []
        }
    }
}
