// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghNIO
import Testing

@Suite("HTTP/2: forms that a client must accept", .timeLimit(.minutes(5)))
struct HTTP2LenientTests {
    @Test(
        "Equal Content-Lengths are accepted, and a control character other than CR, LF and NUL stays in its field",
        arguments: [("fields/length-twice", "content-length: 2"), ("fields/control-kept", "x-odd: a\u{1B}\u{7F}b")])
    func lenient(path: String, field: String) async throws {
        let response = try await NIOTransport.patient().send(try Peer.faultsInTheClear.request(.get, "/" + path))
        #expect(response.text == "ok")
        #expect(
            response.head.headerFields.map { "\($0.name.canonicalName): \($0.value)" }.filter {
                $0.hasPrefix("x") || $0.hasPrefix("content-l")
            } == [field])
    }
}
