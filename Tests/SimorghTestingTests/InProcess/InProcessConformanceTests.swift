// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

/// Runs the requirements for every transport: the responder passes each request on to the servers of the cases.
@Suite("InProcessTransport: conformance of a Transport", .timeLimit(.minutes(5)))
struct InProcessConformanceTests {
    private static let engine = NIOTransport()

    private static let transport = InProcessTransport { request in
        var head = request.head
        head.headerFields[.contentLength] = nil
        let body: RequestBody =
            request.body.isEmpty ? .empty : .once(request.body, length: request.body.length, contentType: nil)
        var outgoing = TransportRequest(head: head, body: body)
        outgoing.options.delivery = .streamed
        let response = try await engine.send(outgoing)
        return InProcessResponse(head: response.head) { writer in
            for try await chunk in response.body { try await writer.write(chunk) }
            writer.finish(response.trailers)
        }
    }

    @Test("InProcessTransport conforms", arguments: TransportCase.all)
    func conforms(_ example: TransportCase) async throws { try await example.run(Self.transport) }
}
