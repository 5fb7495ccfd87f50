// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

/// Our writer beside NIO's: the same on what is well formed, and never laxer on what is not.
///
/// 100 requests for each seed by default; 5,000 with `SIMORGH_THOROUGH=1` in the environment.
@Suite("Random requests as another writes and reads them", .timeLimit(.minutes(60)))
struct RequestWriterRandomTests {
    private static let requests = Thoroughness.isThorough ? 5_000 : 100

    @Test("What is well formed is written, and means the same to a server as what NIO writes of it", arguments: 0..<20)
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

    @Test("What is not is refused, or is one request that NIO would write, too", arguments: 0..<20)
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

    @Test("What a connection writes is the same, with its body", arguments: 0..<5)
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

    /// Whether a request is written as it is meant, into memory that other requests were written into before.
    private static func holds(
        _ sample: RandomRequest, _ plan: RequestPlan, _ memory: inout RequestHeadBuffer, _ place: String
    ) -> Bool {
        let head = memory.write(plan)
        let bytes = Array(head.readableBytesView) + sample.rest
        let isSame = head == plan.writeHead()
        memory.wipe()
        return report(isSame ? sample.fault(in: bytes) : "it is another in new memory", bytes, place)
    }

    /// Reports the first fault of a round; more of them would only hide it.
    private static func report(_ fault: String?, _ bytes: [UInt8], _ place: String) -> Bool {
        guard let fault else { return true }
        let text = String(reflecting: String(decoding: bytes.prefix(2048), as: UTF8.self))
        Issue.record("\(place): \(fault)\n\(text)")
        return false
    }
}
