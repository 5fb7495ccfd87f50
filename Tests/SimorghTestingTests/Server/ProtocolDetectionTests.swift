// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ProtocolDetectionTests {
    @Test(
        "The version is known as soon as the bytes decide it",
        arguments: [
            ("PRI * HTTP/2.0\r\n", true, 14), ("GET / HTTP/1.1\r\n", false, 1), ("PRI / HTTP/1.1\r\n", false, 5),
            ("PRI * HTTP/1.1\r\n", false, 12),
        ])
    func decides(text: String, isHTTP2: Bool, count: Int) {
        var detection = ProtocolDetection()
        for (index, byte) in text.utf8.prefix(count).enumerated() {
            let action = detection.receive(ByteBuffer(bytes: [byte]))
            #expect(action == (index + 1 == count ? .start(isHTTP2: isHTTP2) : .wait))
        }
        #expect(detection.started() == ByteBuffer(string: String(text.prefix(count))))
    }

    @Test("Bytes that arrive while the handlers are added neither start them again nor overtake the first ones")
    func whileStarting() {
        var detection = ProtocolDetection()
        #expect(detection.receive(ByteBuffer(string: "PRI * HTTP/2.0\r\n")) == .start(isHTTP2: true))
        #expect(detection.receive(ByteBuffer(string: "\r\nSM\r\n\r\n")) == .wait)
        #expect(detection.receive(ByteBuffer(string: "PRI * HTTP/2.0")) == .wait)
        #expect(detection.started() == ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nPRI * HTTP/2.0"))
        #expect(detection.receive(ByteBuffer(string: "more")) == .forward(ByteBuffer(string: "more")))
        #expect(detection.started() == ByteBuffer())
    }
}
