// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

/// Compares our request writer with NIO's: the same on well-formed input, and never more lenient on the rest.
///
/// 100 requests for each seed by default; 5,000 with `SIMORGH_THOROUGH=1` in the environment.
@Suite("Request writer: random requests compared with NIO", .timeLimit(.minutes(60)))
struct RequestWriterRandomTests {
    private static let requests = Thoroughness.isThorough ? 5_000 : 100

    @Test("A well-formed request is written, and means the same to a server as NIO's version", arguments: 0..<20)
    func wellFormed(seed: Int) throws {
        var random = SeededNumbers(UInt64(seed))
        var memory = RequestHeadBuffer()
        for number in 0..<Self.requests {
            let sample = try RandomRequest(.wellFormed, &random)
            let plan: RequestPlan
            do {
                plan = try RequestPlan(sample.request)
            } catch {
                Issue.record("seed \(seed), request \(number): refused, \(error.message)\n\(sample.request.head)")
                return
            }
            guard Self.holds(sample, plan, &memory, "seed \(seed), request \(number)") else { return }
        }
    }

    @Test("A malformed request is refused, or is one request that NIO would write as well", arguments: 0..<20)
    func odd(seed: Int) throws {
        var random = SeededNumbers(1_000 + UInt64(seed))
        var memory = RequestHeadBuffer()
        var (taken, refused) = (0, 0)
        for number in 0..<Self.requests {
            let sample = try RandomRequest(.odd, &random)
            guard let plan = try? RequestPlan(sample.request) else {
                refused += 1
                continue
            }
            taken += 1
            guard Self.holds(sample, plan, &memory, "seed \(seed), request \(number)") else { return }
        }
        #expect(taken > 10 && refused > 10, "seed \(seed)")
    }

    @Test("A connection writes the same bytes, with the body", arguments: 0..<5)
    func connection(seed: Int) async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let transport = NIOTransport.patient()
        var random = SeededNumbers(2_000 + UInt64(seed))
        for number in 0..<60 {
            var sample = try RandomRequest(.direct, &random)
            sample.address(server)
            _ = try await transport.send(sample.request)
            let requests = server.requests
            #expect(requests.count == number + 1, "seed \(seed)")
            let bytes = (requests.last?.text ?? "").unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            guard Self.report(sample.fault(in: bytes), bytes, "seed \(seed), request \(number)") else { return }
        }
    }

    /// Returns true if a request is written as expected, into a buffer that other requests were written into before.
    private static func holds(
        _ sample: RandomRequest, _ plan: RequestPlan, _ memory: inout RequestHeadBuffer, _ place: String
    ) -> Bool {
        let head = memory.write(plan)
        let bytes = Array(head.readableBytesView) + sample.rest
        let isSame = head == plan.writeHead()
        memory.wipe()
        return report(isSame ? sample.fault(in: bytes) : "differs from the head in a new buffer", bytes, place)
    }

    /// Records the first fault of a round; more would only hide it.
    private static func report(_ fault: String?, _ bytes: [UInt8], _ place: String) -> Bool {
        guard let fault else { return true }
        let text = String(reflecting: String(decoding: bytes.prefix(2048), as: UTF8.self))
        Issue.record("\(place): \(fault)\n\(text)")
        return false
    }
}
