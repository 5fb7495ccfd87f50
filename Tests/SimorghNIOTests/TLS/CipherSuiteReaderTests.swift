// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Testing

@testable import SimorghNIO

@Suite("CipherSuiteReader", .timeLimit(.minutes(5)))
struct CipherSuiteReaderTests {
    /// Returns a ServerHello with a session ID of a given size, split into records of a given size.
    private func hello(session: Int, suite: [UInt8], record: Int) -> [UInt8] {
        let body =
            [3, 3] + [UInt8](repeating: 7, count: 32) + [UInt8(session)] + [UInt8](repeating: 9, count: session)
            + suite + [0, 0, 0]
        var message: [UInt8] = [2, 0, 0, UInt8(body.count)] + body
        var bytes: [UInt8] = []
        while !message.isEmpty {
            let part = message.prefix(record)
            bytes += [22, 3, 3, 0, UInt8(part.count)] + part
            message.removeFirst(part.count)
        }
        return bytes
    }

    @Test("The suite is read however the bytes are split", arguments: [0, 32], [1, 7, 250])
    func cuts(session: Int, record: Int) {
        let bytes = hello(session: session, suite: [0x13, 0x01], record: record)
        for cut in 0...bytes.count {
            var reader = CipherSuiteReader()
            reader.read(bytes[..<cut])
            reader.read(bytes[cut...])
            #expect(reader.outcome == .chosen(0x1301))
        }
        #expect(CipherSuiteReader.name(of: 0x1301) == "TLS_AES_128_GCM_SHA256")
        #expect(CipherSuiteReader.name(of: 0xAB) == "0xAB")
    }

    @Test(
        "Bytes that are not a ServerHello have the outcome none",
        arguments: [
            [21, 3, 3, 0, 2, 2, 40], Array("HTTP/1.1 200 OK".utf8), [22, 3, 3, 0, 0], [22, 3, 3, 0, 4, 11],
            [22, 3, 3, 0, 80, 2, 0, 0, 70, 3, 3] + [UInt8](repeating: 0, count: 32) + [33],
        ])
    func others(bytes: [UInt8]) {
        var reader = CipherSuiteReader()
        reader.read(bytes)
        #expect(reader.outcome == CipherSuiteReader.Outcome.none)
    }

    @Test("Random bytes never trap")
    func noise() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var reader = CipherSuiteReader()
            reader.read([22, 3, 3, 0, 90, 2])
            let length = Int.random(in: 0..<200, using: &random)
            let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            reader.read(noise)
            guard case .chosen(let suite) = reader.outcome else { continue }
            #expect(!CipherSuiteReader.name(of: suite).isEmpty, "\(noise)")
        }
    }
}
