// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghURLSession
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("SessionFacts", .timeLimit(.minutes(5)))
struct SessionFactsTests {
    private static var whole: TransactionSnapshot {
        var snapshot = TransactionSnapshot()
        snapshot.fetchStart = 10
        (snapshot.domainLookupStart, snapshot.domainLookupEnd) = (11, 12)
        (snapshot.connectStart, snapshot.connectEnd) = (12, 20)
        (snapshot.secureConnectionStart, snapshot.secureConnectionEnd) = (15, 20)
        (snapshot.requestStart, snapshot.requestEnd) = (20, 21)
        (snapshot.responseStart, snapshot.responseEnd) = (25, 32)
        (snapshot.sentBytes, snapshot.receivedBytes) = (300, 4000)
        (snapshot.localAddress, snapshot.localPort) = ("192.0.2.7", 50_000)
        (snapshot.remoteAddress, snapshot.remotePort) = ("2001:db8::1", 443)
        snapshot.networkProtocol = "h3"
        (snapshot.tlsVersion, snapshot.cipherSuite) = (0x0304, 0x1301)
        return snapshot
    }

    @Test("A new connection has all phases; connect includes the lookup and ends where TLS begins")
    func phases() throws {
        let facts = try #require(SessionFacts([Self.whole]))
        var measured = ExchangeTimings()
        measured.total = .seconds(40)
        let timings = facts.timings(over: measured)
        #expect(timings.queue == .seconds(1))
        #expect(timings.dns == .seconds(1))
        #expect(timings.connect == .seconds(4))
        #expect(timings.tls == .seconds(5))
        #expect(timings.request == .seconds(1))
        #expect(timings.firstByte == .seconds(4))
        #expect(timings.body == .seconds(7))
        #expect(timings.total == .seconds(40))
        #expect(!timings.isReusedConnection)
        #expect((timings.sentBytes, timings.receivedBytes) == (300, 4000))
        #expect(timings.transmissions == 1)
    }

    @Test("A reused connection has neither lookup nor connect; its queue phase ends with the request")
    func reused() throws {
        var snapshot = TransactionSnapshot()
        (snapshot.fetchStart, snapshot.requestStart, snapshot.requestEnd) = (1, 3, 4)
        snapshot.isReusedConnection = true
        let timings = try #require(SessionFacts([snapshot])).timings(over: ExchangeTimings())
        #expect(timings.queue == .seconds(2))
        #expect(timings.dns == nil && timings.connect == nil && timings.tls == nil)
        #expect(timings.firstByte == nil && timings.body == nil)
        #expect(timings.isReusedConnection)
    }

    @Test("Without TLS, connect ends where the connection is open; times in the wrong order give no duration")
    func plain() throws {
        var snapshot = TransactionSnapshot()
        (snapshot.connectStart, snapshot.connectEnd) = (1, 2)
        (snapshot.requestStart, snapshot.requestEnd) = (4, 3)
        let timings = try #require(SessionFacts([snapshot])).timings(over: ExchangeTimings())
        #expect(timings.connect == .seconds(1))
        #expect(timings.request == nil)
    }

    @Test("The last transaction over the network counts, and the cache does not")
    func last() throws {
        var cached = TransactionSnapshot()
        cached.source = .cache
        #expect(SessionFacts([]) == nil)
        #expect(SessionFacts([cached]) == nil)
        var second = Self.whole
        second.responseEnd = 26
        let timings = try #require(SessionFacts([Self.whole, second, cached])).timings(over: ExchangeTimings())
        #expect(timings.body == .seconds(1))
        #expect(timings.transmissions == 2)
    }

    @Test("The connection has its addresses, protocol and TLS version, and the same number for the same addresses")
    func connection() throws {
        let connection = try #require(SessionFacts([Self.whole])?.connection(serverName: "a.example"))
        #expect(connection.applicationProtocol == "h3")
        #expect(connection.remoteAddress == "[2001:db8::1]:443")
        #expect(connection.localAddress == "192.0.2.7:50000")
        #expect(connection.tlsVersion == "TLSv1.3")
        #expect(connection.tls?.cipherSuite == "TLS_AES_128_GCM_SHA256")
        #expect(connection.tls?.serverName == "a.example")
        #expect(connection.proxy == nil)
        #expect(connection.id == SessionFacts([Self.whole])?.connection(serverName: "")?.id)
        var other = Self.whole
        other.localPort = 50_001
        other.isProxyConnection = true
        #expect(SessionFacts([other])?.connection(serverName: "")?.id != connection.id)
        #expect(SessionFacts([other])?.connection(serverName: "")?.proxy == "//[2001:db8::1]:443")
        #expect(SessionFacts([TransactionSnapshot()])?.connection(serverName: "") == nil)
    }

    /// A failure of a task, its measurements, and the error that follows from both.
    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: Int
        var steps: @Sendable (inout TransactionSnapshot) -> Void = { _ in }
        let expected: (code: TransportError.Code, phase: TransportError.Phase, mayHaveBeenSent: Bool)
    }

    static let failures = [
        Failure(
            testDescription: "an unknown code before the connection", code: -1234,
            expected: (.networkConnectionLost, .connect, false)),
        Failure(
            testDescription: "a lost connection during the lookup", code: -1005,
            steps: { $0.domainLookupStart = 1 }, expected: (.networkConnectionLost, .connect, false)),
        Failure(
            testDescription: "a timeout during the handshake", code: -1001,
            steps: {
                $0.connectStart = 1
                $0.secureConnectionStart = 2
            }, expected: (.timedOut, .tls, false)),
        Failure(
            testDescription: "a lost connection after the request", code: -1005,
            steps: { $0.requestStart = 3 }, expected: (.networkConnectionLost, .head, true)),
        Failure(
            testDescription: "a refused connection after an earlier one carried the request", code: -1004,
            steps: { $0.requestStart = 3 }, expected: (.cannotConnectToHost, .connect, true)),
        Failure(
            testDescription: "international roaming off", code: -1018,
            expected: (.notConnectedToInternet, .connect, false)),
        Failure(
            testDescription: "a call is active", code: -1019, expected: (.notConnectedToInternet, .connect, false)),
        Failure(
            testDescription: "mobile data off", code: -1020, expected: (.notConnectedToInternet, .connect, false)),
    ]

    @Test("The measurements tell if a request that failed was sent, and in which phase", arguments: failures)
    func failed(_ failure: Failure) throws {
        var snapshot = TransactionSnapshot()
        failure.steps(&snapshot)
        let cause = NSError(domain: NSURLErrorDomain, code: failure.code)
        let error = TransportError(
            URLError(_nsError: cause), in: .head, isSecure: false, facts: SessionFacts([snapshot]))
        #expect(error.code == failure.expected.code)
        #expect(error.phase == failure.expected.phase)
        #expect(error.requestMayHaveBeenSent == failure.expected.mayHaveBeenSent)
    }

    @Test("The timeout of the whole exchange stays that, and tells if the request was sent")
    func total() throws {
        let error = TransportError.timedOut(.total, after: .seconds(1), requestMayHaveBeenSent: true)
        let refined = try #require(SessionFacts([TransactionSnapshot()])).refined(error)
        #expect(refined.phase == .total)
        #expect(!refined.requestMayHaveBeenSent)
    }
}
